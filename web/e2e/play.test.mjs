// Whole games between two pages against the real server, with a reload and a killed server on the way.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { BINARY, DESK, eventually, launch, Person, PHONE, Server, spoken } from "./harness.mjs";

let browser;
let server;

before(async () => {
  browser = await launch();
  // Our own program, as if it were somebody else's.
  const engine = `uci:${BINARY} engine xiangqi?Level=1`;
  server = await new Server("--engine", `Somebody else=xiangqi=${engine}`).start();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** A table with two people: one with a mouse and English, one with a phone and Chinese. */
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

/** Plays a game from its plies' texts; reloads both pages before one ply, kills the server before another. */
async function play({ first, second }, plies, { reloadAt = -1, killAt = -1 } = {}) {
  for (const [n, text] of plies.entries()) {
    const mover = n % 2 ? second : first;
    if (n === reloadAt) await Promise.all([first.page.reload(), second.page.reload()]);
    if (n === killAt) {
      await server.kill();
      const offline = (p) => p.page.waitForFunction(() => document.querySelector(".offline"));
      await Promise.all([offline(first), offline(second)]);
      // Entered while the server is away: it is kept, and sent once when it is back.
      await mover.enter(text);
      await server.start();
    } else await mover.enter(text);
    await Promise.all([first.plies(n + 1), second.plies(n + 1)]);
  }
}

async function ends({ first, second }, english, chinese) {
  await first.page.waitForSelector(".result");
  await second.page.waitForSelector(".result");
  await eventually(() => first.page.textContent(".result"), english);
  await eventually(() => second.page.textContent(".result"), chinese);
  assert.deepEqual([...first.errors, ...second.errors], []);
  await first.leave();
  await second.leave();
}

test("xiangqi to checkmate, over a reload and a killed server", async () => {
  const people = await two("xiangqi", { clock: "600+5" });
  const plies = "b2b6 i9i8 h2h6 b7f7 b6e6 i8g8 h0i2 f7f8 e6e7 g6g5 h6e6".split(" ");
  await play(people, plies, { reloadAt: 3, killAt: 6 });
  await eventually(() => people.first.page.textContent(".plies"), /C8\+4/);
  await eventually(() => people.second.page.textContent(".plies"), /炮八进四/);
  await ends(people, /You win\. Red wins, by checkmate\./, /你输了.*红方胜，将死/);
});

test("zuyi to checkmate: combination, split and exchange", async () => {
  const people = await two("zuyi");
  const plies = "h2h9 h7c7 b2b9 i9i8 h9h8 a9a7 i0h0 b7b2 b0c2 b2a2 h8h0/RN c7d7 h8f7:N e9f9 h0f0".split(" ");
  await play(people, plies, { reloadAt: 12, killAt: 5 });
  await ends(people, /Red wins, by checkmate/, /红方胜，将死/);
});

test("wangqi to checkmate: plies with the token and without", async () => {
  const people = await two("wangqi");
  const plies = "b2b6 b9c7+ h2h6 c9a7 b0c2 h7d7 h6e6 b7b9+ e6e7 c6c5+ b6e6".split(" ");
  await play(people, plies, { reloadAt: 4, killAt: 8 });
  await eventually(() => spoken(people.first, "c5"), /Black pawn, with the token/);
  await ends(people, /Red wins, by checkmate/, /红方胜，将死/);
});

test("a drag plays, by mouse; a drag to nowhere changes nothing", async () => {
  const people = await two("zuyi");
  const { first, second } = people;
  await first.drag("h2", "h5");
  await first.plies(1);
  await second.turn();
  await second.page.waitForSelector(".plies button", { state: "attached" });
  await eventually(() => spoken(second, "h5"), /红方 炮/);
  await second.enter("h9g7");
  await first.turn();
  await first.drag("h5", "g1");
  assert.equal(await first.page.locator(".plies button").count(), 2);
  await first.click("Resign");
  await first.click("Yes");
  await ends(people, /You lose\. Black wins, by resignation/, /你赢了/);
});

test("the keyboard alone plays, splits and exchanges", async () => {
  const first = await Person.arrive(browser, server, DESK);
  const id = await first.create({ rules: "zuyi", opponent: { kind: "hotseat" } });
  await first.open(`/t/${id}`);
  const { page } = first;
  const press = async (keys) => {
    for (const key of keys.split(" ")) await page.keyboard.press(key);
  };
  await page.locator('[data-square="h2"]').focus();
  await press("Enter ArrowDown ArrowDown Enter");
  await page.waitForSelector(".back");
  await press("Enter");
  await first.plies(1);
  await eventually(() => spoken(first, "h0"), /Red stack: horse, cannon/);
  await page.locator('[data-square="h9"]').focus();
  await press("Enter ArrowDown ArrowDown ArrowLeft Enter");
  await first.plies(2);
  await page.locator('[data-square="h0"]').focus();
  await press("Enter 2 ArrowUp ArrowUp ArrowLeft Enter");
  await first.plies(3);
  await eventually(() => spoken(first, "g2"), /Red horse/);
  await eventually(() => spoken(first, "h0"), /Red cannon/);
  await press("[");
  await page.waitForSelector("text=Looking at ply 2");
  await press("]");
  assert.deepEqual(first.errors, []);
  await first.leave();
});

test("two taps from the home page to a bot, which answers", async () => {
  const person = await Person.arrive(browser, server, PHONE);
  await person.open("/");
  await person.page.locator("[data-game=xiangqi]").tap();
  await person.page.locator(".levels .btn").first().tap();
  await person.page.waitForSelector(".table");
  await person.enter("h2e2");
  await person.plies(2);
  await person.click("Offer draw");
  await person.page.waitForFunction(() =>
    /You offered a draw|Draw/.test(document.querySelector(".dock").textContent),
  );
  assert.deepEqual(person.errors, []);
  await person.leave();
});

test("an engine of the operator's is a choice beside the bots, and plays", async () => {
  const person = await Person.arrive(browser, server, PHONE);
  await person.open("/");
  await person.page.locator("[data-game=xiangqi]").tap();
  await person.page.getByRole("button", { name: "Somebody else" }).tap();
  await person.page.waitForSelector(".table");
  await eventually(() => person.page.textContent(".seat.opp .who"), /^Somebody else$/);
  await person.enter("h2e2");
  await person.plies(2);
  await person.enter("h0g2");
  await person.plies(4);
  await person.open("/new?rules=xiangqi");
  const choice = person.page.getByLabel("a friend, by link");
  await choice.selectOption({ label: "Somebody else" });
  await person.page.locator("select").first().selectOption("zuyi");
  assert.equal(await choice.locator("option", { hasText: "Somebody else" }).count(), 0);
  assert.deepEqual(person.errors, []);
  await person.leave();
});

test("draw, take back and rematch by agreement; an illegal ply changes nothing", async () => {
  const people = await two("xiangqi");
  const { first, second } = people;
  await first.enter("h2e2");
  await second.plies(1);
  await first.click("Take back");
  await second.click("同意");
  await first.plies(0);
  await first.enter("b2e2");
  await second.enter("h9g7");
  await first.click("Offer draw");
  await second.click("同意");
  await first.page.waitForSelector(".result");
  await first.click("Rematch");
  await second.click("再来一盘");
  // Both have asked for it and are taken to the new table, where colours change.
  await Promise.all(
    [first, second].map((p) => p.page.waitForURL((url) => !url.pathname.endsWith(people.id))),
  );
  await second.turn();
  await first.leave();
  await second.leave();
});
