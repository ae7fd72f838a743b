/** What a board looks like; the rules behind it are the server's business. */
export type Family = "xiangqi" | "chess" | "shogi" | "go" | "gomoku";

export interface Point {
  x: number;
  y: number;
}

/** Where squares lie. Columns and rows count from the top left as the first seat sees the board. */
export interface Geometry {
  family: Family;
  cols: number;
  rows: number;
  /** Size of one square (the distance between two lines) in drawing units. */
  dx: number;
  dy: number;
  width: number;
  height: number;
  flipped: boolean;
  /** All squares in reading order, as the viewer sees them. */
  squares: string[];
  at(square: string): Point;
  /** The square that holds the drawing point, or null outside the board. */
  hit(x: number, y: number): string | null;
  /** The neighbour in viewing direction, or null at the edge. */
  step(square: string, right: number, down: number): string | null;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const GTP = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** The name of a square in the family's own coordinates. */
export function squareName(family: Family, cols: number, rows: number, col: number, row: number): string {
  switch (family) {
    case "xiangqi":
      return `${LETTERS[col]}${rows - 1 - row}`;
    case "shogi":
      return `${cols - col}${LETTERS[row]}`;
    case "go":
      return `${GTP[col]}${rows - row}`;
    default:
      return `${LETTERS[col]}${rows - row}`;
  }
}

/** Whether pieces stand on crossings of lines rather than in squares. */
export const onPoints = (family: Family) => family !== "chess" && family !== "shogi";

const made = new Map<string, Geometry>();

export function geometry(family: Family, cols: number, rows: number, flipped = false): Geometry {
  const key = `${family} ${cols} ${rows} ${flipped}`;
  const known = made.get(key);
  if (known) return known;
  // One point of a xiangqi board is 40 units: a 360 px phone shows one unit as one pixel.
  const dx = 360 / cols;
  const dy = family === "shogi" ? dx * 1.1 : dx;
  const width = dx * cols;
  const height = dy * rows;
  const place = new Map<string, [number, number]>();
  const squares: string[] = [];
  const grid: string[][] = [];
  for (let row = 0; row < rows; row++) {
    const line: string[] = [];
    for (let col = 0; col < cols; col++) {
      const name = flipped
        ? squareName(family, cols, rows, cols - 1 - col, rows - 1 - row)
        : squareName(family, cols, rows, col, row);
      line.push(name);
      squares.push(name);
      place.set(name, [col, row]);
    }
    grid.push(line);
  }
  const result: Geometry = {
    family,
    cols,
    rows,
    dx,
    dy,
    width,
    height,
    flipped,
    squares,
    at(square) {
      const [col, row] = place.get(square) ?? [-9, -9];
      return { x: (col + 0.5) * dx, y: (row + 0.5) * dy };
    },
    hit(x, y) {
      return grid[Math.floor(y / dy)]?.[Math.floor(x / dx)] ?? null;
    },
    step(square, right, down) {
      const [col, row] = place.get(square) ?? [-9, -9];
      return grid[row + down]?.[col + right] ?? null;
    },
  };
  made.set(key, result);
  return result;
}
