-- Portable between SQLite and PostgreSQL: TEXT ids made by the program, BIGINT milliseconds since the epoch, 0/1 for
-- flags.

-- The one truth about a table. The primary key is the only lock: whoever inserts (table, seq) first has written it.
CREATE TABLE log (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
);

-- What can be found about a table without folding its log.
CREATE TABLE tables (
    id TEXT PRIMARY KEY NOT NULL,
    created BIGINT NOT NULL,
    -- When the server must look at the table by itself (a deadline, a bot to move); NULL when it need not.
    due BIGINT
);
CREATE INDEX tables_due ON tables (due);

-- Who plays at which table.
CREATE TABLE players (
    guest TEXT NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (guest, table_id)
);

CREATE TABLE guests (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL
);

-- One row: when some server was last known to run.
CREATE TABLE heartbeat (
    id BIGINT PRIMARY KEY NOT NULL,
    at BIGINT NOT NULL
);

-- Times during which no server ran; credited to the clocks that ran.
CREATE TABLE outages (
    since BIGINT PRIMARY KEY NOT NULL,
    until BIGINT NOT NULL
);
