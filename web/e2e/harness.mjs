// What the browser tests stand on: the real binary, one Chromium, pages that wait for states and never for time.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const BINARY =
  process.env.XINQI_BIN ?? fileURLToPath(new URL("../../target/release/xinqi", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** A server on a free port with a database of its own; it can be killed and started again on the same port. */
export class Server {
  constructor(...options) {
    this.options = options;
    this.data = mkdtempSync(join(tmpdir(), "xinqi-e2e-"));
    this.port = 0;
  }

  async start() {
    const place = ["--listen", `127.0.0.1:${this.port}`, "--data", this.data];
    this.child = spawn(BINARY, ["serve", ...place, ...this.options], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    await new Promise((ready, failed) => {
      this.child.once("error", failed);
      this.child.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${said}`)));
      this.child.stderr.on("data", (chunk) => {
        said += chunk;
        const at = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (at) {
          this.port = Number(at[1]);
          ready();
        }
      });
    });
    this.child.removeAllListeners("exit");
    this.url = `http://127.0.0.1:${this.port}`;
    return this;
  }

  /** Ends the process without warning. */
  async kill() {
    const gone = new Promise((done) => this.child.once("exit", done));
    this.child.kill("SIGKILL");
    await gone;
  }

  async close() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

export const launch = () =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
export const DESK = { viewport: { width: 1440, height: 900 } };

/** A person: a browser profile of its own with one page, touching or clicking. */
export class Person {
  static async arrive(browser, server, { locale = "en", ...screen } = DESK) {
    const person = new Person();
    person.context = await browser.newContext({
      locale,
      baseURL: server.url,
      reducedMotion: "reduce",
      ...screen,
    });
    person.touch = Boolean(screen.hasTouch);
    person.page = await person.context.newPage();
    person.errors = [];
    person.page.on("pageerror", (error) => person.errors.push(error.message));
    person.page.setDefaultTimeout(15_000);
    return person;
  }

  async open(path) {
    await this.page.goto(path);
    await this.page.waitForSelector("main:not([aria-busy])");
  }

  /** Opens a table over HTTP as this person. */
  async create(table) {
    await this.page.goto("/");
    const answer = await this.page.request.post("/api/tables", { data: { clock: "none", ...table } });
    const body = await answer.json();
    if (!body.table) throw new Error(JSON.stringify(body));
    return body.table;
  }

  /** Puts a finger or the mouse on a square. */
  async tap(square) {
    const { x, y } = await this.middle(`[data-square="${square}"]`);
    if (this.touch) await this.page.touchscreen.tap(x, y);
    else await this.page.mouse.click(x, y);
  }

  async middle(selector) {
    const box = await this.page.locator(selector).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async drag(from, to) {
    const a = await this.middle(`[data-square="${from}"]`);
    const b = await this.middle(`[data-square="${to}"]`);
    await this.page.mouse.move(a.x, a.y);
    await this.page.mouse.down();
    await this.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
    await this.page.mouse.move(b.x, b.y, { steps: 3 });
    await this.page.mouse.up();
  }

  click(name, options = {}) {
    return this.page.getByRole("button", { name, exact: true, ...options }).click();
  }

  /** Waits until it is this person's turn to enter something. */
  async turn() {
    await this.page.waitForFunction(() => document.title.startsWith("●"));
  }

  /** Waits until the log holds so many entries and the server has heard all that was entered. */
  async plies(count) {
    await this.page.waitForFunction(
      (n) => document.querySelectorAll(".plies button").length === n && !document.querySelector(".offline"),
      count,
    );
  }

  /** Takes up a piece (a stone is put down at once) and goes to the squares that follow. */
  async ply(...squares) {
    await this.turn();
    for (const square of squares) await this.tap(square);
  }

  /**
   * Enters a ply of the xiangqi family from its text, answering whatever the dock asks: members that go (`:NC`),
   * who comes back (`/R`), the token (`+`).
   */
  async enter(text) {
    const [, from, to, go, back, token] = /^(\w\d)(\w\d)(?::(\w+))?(?:\/(\w+))?(\+)?$/.exec(text);
    await this.turn();
    const entries = await this.page.locator(".plies button").count();
    const members = await this.members(from);
    const there = await this.members(to);
    await this.tap(from);
    if (go) await this.leaveOut(".pick .m", members, go);
    await this.tap(to);
    const asked = await this.page
      .waitForFunction(
        (n) =>
          document.querySelectorAll(".plies button").length > n || document.querySelector(".offline")
            ? (document.querySelector(".back, .two")?.className ?? "played")
            : document.querySelector(".back, .two")?.className,
        entries,
      )
      .then((handle) => handle.jsonValue());
    if (asked === "two")
      await this.page
        .locator(".two .btn")
        .nth(token ? 1 : 0)
        .click();
    else if (asked === "back") {
      await this.bringBack(there, back ?? "");
      await this.page.locator(".back .btn.pri").click();
    }
  }

  /** The kinds on a square, as its spoken label tells them. */
  async members(square) {
    const label = await spoken(this, square);
    const words = label
      .split(", ")
      .slice(1)
      .join(" ")
      .split(/[\s:：,]+/);
    return words.map((word) => KINDS[word]).filter(Boolean);
  }

  /** Leaves the members out that do not go. */
  async leaveOut(buttons, members, go) {
    let rest = go;
    for (const [i, kind] of members.entries()) {
      if (rest.includes(kind)) rest = rest.replace(kind, "");
      else await this.page.locator(buttons).nth(i).click();
    }
  }

  /** Answers who comes back. */
  async bringBack(members, back) {
    let rest = back;
    for (const [i, kind] of members.entries()) {
      const wanted = rest.includes(kind);
      if (wanted) rest = rest.replace(kind, "");
      const button = this.page.locator(".back .m").nth(i);
      if (((await button.getAttribute("aria-pressed")) === "true") !== wanted) await button.click();
    }
  }

  async leave() {
    await this.context.close();
  }
}

const KINDS = {
  king: "K",
  rook: "R",
  horse: "N",
  cannon: "C",
  elephant: "B",
  advisor: "A",
  pawn: "P",
  帅: "K",
  车: "R",
  马: "N",
  炮: "C",
  相: "B",
  仕: "A",
  兵: "P",
};

/** What the label of a square says, for asserting what a screen reader hears. */
export const spoken = (person, square) => person.page.getAttribute(`[data-square="${square}"]`, "aria-label");

/** Waits until what `read` gives matches `pattern`; what it gave last is the failure's message. */
export async function eventually(read, pattern) {
  const until = Date.now() + 15_000;
  let text = "";
  while (!pattern.test(text)) {
    if (Date.now() > until) assert.match(text, pattern);
    text = (await read()) ?? "";
  }
}
