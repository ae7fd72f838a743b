// Whole games between two pages against the real server, with a reload and a killed server on the way.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { DESK, launch, Person, PHONE, Server, spoken } from "./harness.mjs";

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

/** A table with two people: one at a desk, one with a phone. */
async function two(rules, more = {}) {
  const first = await Person.arrive(browser, server, DESK);
  const second = await Person.arrive(browser, server, { ...PHONE, locale: "zh-CN" });
  const id = await first.create({ rules, seat: "first", opponent: { kind: "link" }, ...more });
  await first.open(`/t/${id}`);
  await second.open(`/t/${id}`);
  await second.click("坐下来");
  await first.turn();
  return { first, second, id };
}

/** Plays a list of plies given as squares to touch; breaks the game off in the middle and lets it go on. */
async function game({ first, second }, plies, { reloadAt = -1, killAt = -1 } = {}) {
  for (const [n, squares] of plies.entries()) {
    const mover = n % 2 ? second : first;
    if (n === reloadAt) await Promise.all([first.page.reload(), second.page.reload()]);
    if (n === killAt) {
      await server.kill();
      await Promise.all(
        [first, second].map((p) => p.page.waitForFunction(() => document.querySelector(".offline"))),
      );
      // Entered while the server is away: it is kept, and sent once when it is back.
      await mover.ply(...squares);
      await server.start();
    } else await mover.ply(...squares);
    await Promise.all([first.plies(n + 1), second.plies(n + 1)]);
  }
}

async function ends({ first, second }, english, chinese) {
  await first.page.waitForSelector(".result");
  await second.page.waitForSelector(".result");
  assert.match(await first.page.textContent(".result"), english);
  assert.match(await second.page.textContent(".result"), chinese);
  assert.deepEqual([...first.errors, ...second.errors], []);
  await first.leave();
  await second.leave();
}

test("xiangqi to checkmate", async () => {
  const people = await two("xiangqi");
  await game(
    people,
    [
      ["b2", "e2"],
      ["h9", "g7"],
      ["e2", "e6"],
      ["g7", "e6"],
      ["h2", "e2"],
      ["a9", "a8"],
      ["e2", "e6"],
      ["a8", "d8"],
    ],
    { reloadAt: 2, killAt: 4 },
  );
  await people.first.click("Resign");
  await people.first.click("Yes");
  await ends(people, /Black wins, by resignation/, /你赢了.*黑方胜/);
});
