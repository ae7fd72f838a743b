// Games with secrets: qixi with layouts, flips and a negotiated match.
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
  return { first, second };
}

/** Each side chooses a layout, one by mouse, one by finger: CN/RC/RN and NC/RC/RN. */
async function lay({ first, second }) {
  const rest = "horse rook cannon, cannon rook horse";
  await first.page.getByRole("radio", { name: `rook cannon horse, ${rest}` }).click();
  await first.page.getByRole("button", { name: /Begin with layout/ }).click();
  await second.page.getByRole("radio", { name: `rook horse cannon, ${rest}` }).tap();
  await second.page.getByRole("button", { name: /Begin with layout/ }).tap();
  await Promise.all([first, second].map((p) => p.page.waitForSelector(".layouts", { state: "detached" })));
}

async function leave(people) {
  assert.deepEqual([...people.first.errors, ...people.second.errors], []);
  await people.first.leave();
  await people.second.leave();
}

test("qixi: own dark faces are seen, the other side's are not", async () => {
  const people = await two("qixi");
  const { first, second } = people;
  await lay(people);
  await first.page.waitForSelector('[data-square="a0"]');
  await eventually(() => spoken(first, "a0"), /Red rook, hides a cannon/);
  await eventually(() => spoken(second, "a0"), /Red rook, hidden face unknown/);
  await eventually(() => spoken(second, "a9"), /Black rook, hides a horse/);
  await first.ply("h2", "e2");
  await second.turn();
  await second.page.getByRole("button", { name: /What they may hide/ }).click();
  await eventually(() => spoken(second, "a0"), /hides a horse or cannon/);
  await eventually(() => second.page.textContent(".inferences"), /a0 hides a horse or cannon/);
  await second.page.getByRole("button", { name: /Hide again/ }).click();
  // On a shared screen one's own faces go under cover.
  await second.page.getByRole("button", { name: "Cover my faces" }).click();
  await eventually(() => spoken(second, "a9"), /hidden face unknown/);
  await leave(people);
});

test("qixi: a flip is a ply, with its price in view", async () => {
  const people = await two("qixi", { fen: "4k4/9/9/9/9/9/9/1{CN}7/9/3K1{RN}3 w 0.0,0.0 - 0 1" });
  const { first, second } = people;
  await first.ply("b2");
  await eventually(() => first.page.textContent(".dock"), /Turn into a horse.*Spends 1 right/s);
  await first.click("Turn");
  await second.plies(1);
  await eventually(() => spoken(second, "b2"), /Red horse, hides a cannon/);
  await leave(people);
});

test("qixi: a match of two games, both ended by negotiation", async () => {
  const people = await two("qixi(games=2, negotiation=true)");
  const { first, second } = people;
  await lay(people);
  await first.click("Demand surrender");
  await second.page.waitForSelector("text=demands surrender");
  await eventually(() => second.page.textContent(".stakes"), /Accept1 : 2/);
  await second.click("Accept");
  // Colours alternate by themselves.
  await first.page.waitForSelector(".layouts");
  await lay(people);
  await eventually(() => spoken(first, "a9"), /Black rook, hides a cannon/);
  await second.click("Demand a draw");
  await first.page.waitForSelector("text=demands a draw");
  await first.click("Accept");
  await first.page.waitForSelector(".result");
  await eventually(() => first.page.textContent(".result"), /on points/);
  await leave(people);
});
