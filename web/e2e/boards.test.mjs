// The other boards and both mechanisms: real games between two pages.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { DESK, eventually, launch, Person, PHONE, Server, spoken } from "./harness.mjs";

let browser;
let server;

before(async () => {
  browser = await launch();
  server = await new Server().start();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

async function two(rules, more = {}) {
  const first = await Person.arrive(browser, server, DESK);
  const second = await Person.arrive(browser, server, PHONE);
  const id = await first.create({ rules, seat: "first", opponent: { kind: "link" }, ...more });
  await first.open(`/t/${id}`);
  await second.open(`/t/${id}`);
  await second.click("Take the open seat");
  await first.page.waitForSelector("text=Take the open seat", { state: "detached" });
  return { first, second };
}

/** Plays plies given as the squares to touch, in turn. */
async function play({ first, second }, plies, from = 0) {
  for (const [i, squares] of plies.entries()) {
    const mover = (from + i) % 2 ? second : first;
    await mover.ply(...squares.split(" "));
    await Promise.all([first.plies(from + i + 1), second.plies(from + i + 1)]);
  }
}

async function over({ first, second }, words) {
  await Promise.all([first, second].map((p) => p.page.waitForSelector(".result")));
  await eventually(() => first.page.textContent(".result"), words);
  assert.deepEqual([...first.errors, ...second.errors], []);
  await first.leave();
  await second.leave();
}

async function resign(people, who) {
  await people[who].click("Resign");
  await people[who].click("Yes");
}

test("chess to checkmate", async () => {
  const people = await two("chess");
  await play(people, ["e2 e4", "e7 e5", "d1 h5", "b8 c6", "f1 c4", "g8 f6", "h5 f7"]);
  await eventually(() => people.first.page.textContent(".plies"), /Qxf7#/);
  await over(people, /White wins, by checkmate/);
});

test("chess: a pawn asks what it becomes, in the dock", async () => {
  const people = await two("chess", { fen: "7k/P7/8/8/8/8/8/K7 w - - 0 1" });
  await people.first.ply("a7", "a8");
  await people.first.page.getByRole("button", { name: "knight" }).click();
  await people.second.plies(1);
  await eventually(() => spoken(people.second, "a8"), /White knight/);
  await people.second.leave();
  await people.first.leave();
});

test("shogi: promotion, and drops by tap and by drag", async () => {
  const people = await two("shogi");
  const { first, second } = people;
  await play(people, ["7g 7f", "3c 3d"]);
  await first.ply("8h", "2b");
  await first.page.getByRole("button", { name: "Promote" }).click();
  await second.plies(3);
  await eventually(() => spoken(second, "2b"), /Sente promoted bishop/);
  await play(people, ["3a 2b"], 3);
  // By drag from the hand, with the mouse.
  await first.turn();
  const hand = await first.middle(".me [data-hand=B]");
  const to = await first.middle('[data-square="5e"]');
  await first.page.mouse.move(hand.x, hand.y);
  await first.page.mouse.down();
  await first.page.mouse.move(hand.x, hand.y - 60, { steps: 3 });
  await first.page.mouse.move(to.x, to.y, { steps: 3 });
  await first.page.mouse.up();
  await second.plies(5);
  await eventually(() => spoken(second, "5e"), /Sente bishop/);
  // By taps, with a finger.
  await second.turn();
  await second.page.locator(".me [data-hand=B]").tap();
  await second.tap("4d");
  await first.plies(6);
  await resign(people, "first");
  await over(people, /Gote wins, by resignation/);
});

test("Go: captures, two passes, dead stones, the count", async () => {
  const people = await two("go(size=5)");
  const { first, second } = people;
  await play(people, ["C3", "C4", "D4", "E1", "B4", "E5", "C5"]);
  await eventually(() => spoken(second, "C4"), /empty/);
  await second.turn();
  await second.click("Pass");
  await first.turn();
  await first.click("Pass");
  await first.turn();
  await first.tap("E1");
  await second.page.getByRole("button", { name: "Agree" }).waitFor();
  await second.click("Agree");
  await over(people, /wins, by count/);
});

test("gomoku to five", async () => {
  const people = await two("gomoku");
  await play(people, ["h8", "a1", "i8", "b1", "j8", "c1", "k8", "d1", "l8"]);
  await over(people, /Black wins, five in a row/);
});

/** Enters a submission or declaration, each ply given as squares, and sends it. */
async function submit(person, plies, send) {
  await person.turn();
  for (const squares of plies) for (const square of squares.split(" ")) await person.tap(square);
  await person.page.getByRole("button", { name: send, exact: true }).click();
}

test("premove(xiangqi) to checkmate over a failed premove", async () => {
  const people = await two("premove(xiangqi)");
  const { first, second } = people;
  await eventually(() => first.page.textContent(".dock"), /You owe plies 1, 3/);
  await submit(first, ["b2 b6", "h2 h6"], "Send 1, 3");
  await submit(second, ["i9 i8", "b7 f7", "i8 g8"], "Send 2, 4, 6");
  // Ply 9 takes an own piece and can never be legal: it is taken, and labelled.
  await first.turn();
  for (const square of ["b6", "e6", "h0", "i2", "e6", "e0"]) await first.tap(square);
  await first.page.waitForSelector(".slot.bad");
  // A slot can be entered again before anything is sent.
  await first.page.locator(".slot").nth(1).click();
  for (const square of ["b0", "c2"]) await first.tap(square);
  await first.page.locator(".slot").nth(1).click();
  for (const square of ["h0", "i2"]) await first.tap(square);
  await first.click("Send 5, 7, 9");
  await submit(second, ["f7 f8", "g6 g5", "a9 a8"], "Send 8, 10, 12");
  await first.page.waitForSelector("text=You owe plies 9, 11");
  await first.page.waitForSelector(".why");
  await submit(first, ["e6 e7", "h6 e6"], "Send 9, 11");
  // The reward: one ply, two taps, no more.
  await second.ply("g6", "g5");
  await over(people, /Red wins, by checkmate/);
});

test("premove(go): stones on occupied points may be committed, and fail", async () => {
  const people = await two("premove(go(size=9))");
  const { first, second } = people;
  await submit(first, ["E5", "C3"], "Send 1, 3");
  await submit(second, ["E3", "E5", "G7"], "Send 2, 4, 6");
  await second.page.waitForSelector("text=You owe plies 4, 6");
  await second.page.waitForSelector(".why");
  await submit(second, ["G7", "C7"], "Send 4, 6");
  await first.ply("G3");
  await resign(people, "second");
  await over(people, /Black wins, by resignation/);
});

test("pool-opponent(gomoku): the other side picks", async () => {
  const people = await two("pool-opponent(gomoku, pool=3)");
  const { first, second } = people;
  await submit(first, ["h8", "h9", "i9", "j9"], "Declare");
  await submit(second, ["g8", "a1", "b1", "c1"], "Declare");
  await second.page.waitForSelector("text=You choose for Black");
  await second.page.getByRole("button", { name: "Black plays B, i9" }).click();
  await first.page.waitForSelector("text=You choose for White");
  await eventually(() => spoken(first, "i9"), /Black stone/);
  await first.page.getByRole("button", { name: /White plays A/ }).click();
  await second.page.waitForSelector("text=You choose for Black");
  await resign(people, "first");
  await over(people, /White wins, by resignation/);
});
