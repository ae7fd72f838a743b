// The table page as those meet it who come by a link, lose their connection, look back, or are told why not.
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
  return { first, second, id };
}

async function leave(...people) {
  for (const person of people) {
    assert.deepEqual(person.errors, []);
    await person.leave();
  }
}

test("addresses that lead nowhere say so", async () => {
  const person = await Person.arrive(browser, server, PHONE);
  await person.page.goto("/t/nothing");
  await person.page.waitForSelector("text=There is no such table.");
  await person.page.goto("/rules/nothing");
  await person.page.waitForSelector("text=There is nothing here.");
  await person.open("/new?rules=garbage(");
  await eventually(() => person.page.textContent(".create code"), /^xiangqi$/);
  await leave(person);
});

test("a position that cannot be is refused in the dialog, and nothing is opened", async () => {
  const person = await Person.arrive(browser, server, DESK);
  await person.open("/new?rules=xiangqi");
  await person.page.locator("summary").click();
  await person.page.getByPlaceholder("FEN").fill("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
  await person.click("Open table, get a link");
  await eventually(() => person.page.textContent("[role=alert]"), /the kings on e0 and e9 face each other/);
  assert.match(person.page.url(), /\/new/);
  await leave(person);
});

test("a spectator looks back by list, keys, swipe and link, and the board stays where it is", async () => {
  const { first, second, id } = await two("xiangqi");
  for (const [i, squares] of [
    ["h2", "e2"],
    ["h9", "g7"],
    ["h0", "g2"],
    ["i9", "h9"],
  ].entries()) {
    await (i % 2 ? second : first).ply(...squares);
    await Promise.all([first.plies(i + 1), second.plies(i + 1)]);
  }
  const watcher = await Person.arrive(browser, server, PHONE);
  const { page } = watcher;
  await watcher.open(`/t/${id}#2`);
  await page.waitForSelector("text=Looking at ply 2");
  await eventually(() => spoken(watcher, "g7"), /Black horse/);
  await eventually(() => spoken(watcher, "g2"), /empty/);
  const place = () => page.locator(".stage .board").boundingBox();
  const before = await place();
  // A finger drawn to the left turns the page.
  const { x, y } = await watcher.middle('[data-square="e4"]');
  const cdp = await watcher.context.newCDPSession(page);
  const touch = (type, at) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: at === null ? [] : [{ x: at, y }] });
  await touch("touchStart", x);
  await touch("touchMove", x - 60);
  await touch("touchEnd", null);
  await page.waitForSelector("text=Looking at ply 3");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  await page.waitForSelector("text=Looking at the start");
  assert.deepEqual(await place(), before);
  await page.getByRole("button", { name: "Moves", exact: true }).tap();
  await page.getByRole("button", { name: "ply 1: C2.5" }).tap();
  await page.getByRole("button", { name: "Board", exact: true }).tap();
  await page.waitForSelector("text=Looking at ply 1");
  await watcher.click("Back to the game");
  await eventually(() => page.textContent(".dock"), /You are watching/);
  await leave(first, second, watcher);
});

test("a lost connection is said at once; what is entered meanwhile arrives once", async () => {
  const { first, second } = await two("xiangqi", { clock: "600+5" });
  await first.turn();
  await first.context.setOffline(true);
  await first.page.waitForSelector(".offline");
  await first.ply("h2", "e2");
  await eventually(() => first.page.textContent(".offline"), /One action is waiting/);
  await first.context.setOffline(false);
  await second.plies(1);
  await first.plies(1);
  // Another tab is the same seat.
  const tab = await first.context.newPage();
  await tab.goto(first.page.url());
  await tab.waitForSelector(".plies button");
  await second.ply("h9", "g7");
  await tab.waitForFunction(() => document.querySelectorAll(".plies button").length === 2);
  await first.turn();
  await leave(first, second);
});

test("a phone shows the button that sends, however much is owed; commitments read as the list does", async () => {
  const { first, second } = await two("premove(xiangqi, ahead=9)");
  await first.turn();
  for (const square of "b2 b6 h2 h6 h0 g2 b0 c2 a0 b0".split(" ")) await first.tap(square);
  await first.click("Send 1, 3, 5, 7, 9");
  await second.turn();
  const send = second.page.getByRole("button", { name: /^Send 2, 4/ });
  const box = await send.boundingBox();
  assert.ok(box.y + box.height <= PHONE.viewport.height - 44, `it ends at ${box.y + box.height}`);
  await eventually(() => second.page.textContent(".strip"), /3C2\+4.*5H2\+3/);
  await eventually(() => first.page.textContent(".plies"), /C8\+4 C2\+4 H2\+3 H8\+7 R9\.8/);
  await second.tap("h9");
  await second.tap("g7");
  await eventually(() => second.page.textContent(".slots"), /H8\+7/);
  await leave(first, second);
});

test("what is dimmed says why not", async () => {
  const person = await Person.arrive(browser, server, PHONE);
  const stacks = await person.create({
    rules: "zuyi",
    opponent: { kind: "hotseat" },
    fen: "3k5/9/9/9/9/9/9/9/4[KN]1R2/9 w - - 0 1",
  });
  await person.open(`/t/${stacks}`);
  await person.ply("g1", "e1");
  await eventually(() => person.page.textContent(".dock"), /King: may not stand on g1/);
  const faces = await person.create({
    rules: "qixi",
    opponent: { kind: "hotseat" },
    fen: "4k4/9/9/9/9/9/9/1{CR}7/9/1{RN}1K1{RN}3 w 0.0,0.0 - 0 1",
  });
  await person.open(`/t/${faces}`);
  await person.click("I am here. Show the board.");
  await person.ply("b2");
  await eventually(() => person.page.textContent(".dock"), /two rooks are showing/);
  assert.equal(await person.page.getByRole("button", { name: "Turn", exact: true }).isDisabled(), true);
  await leave(person);
});

test("qixi: a touch on an enemy piece tells what it may hide; covered faces show while held", async () => {
  const { first, second } = await two("qixi");
  for (const person of [first, second]) {
    await person.page.locator(".layouts button").nth(2).click();
    await person.page.getByRole("button", { name: /Begin with layout/ }).click();
  }
  await first.turn();
  await first.tap("b7");
  await eventually(() => first.page.textContent(".dock"), /b7 hides a rook or horse/);
  await first.click("Cover my faces");
  await eventually(() => spoken(first, "a0"), /hidden face unknown/);
  const hold = await first.middle("button.peek");
  await first.page.mouse.move(hold.x, hold.y);
  await first.page.mouse.down();
  await eventually(() => spoken(first, "a0"), /Red rook, hides a horse/);
  await first.page.mouse.up();
  await eventually(() => spoken(first, "a0"), /hidden face unknown/);
  await leave(first, second);
});

test("the position is saved as a picture, by points and by lines", async () => {
  const person = await Person.arrive(browser, server, DESK);
  const id = await person.create({ rules: "wangqi", opponent: { kind: "hotseat" } });
  await person.open(`/t/${id}`);
  for (const [name, head] of [
    ["Save picture PNG", "\x89PNG"],
    ["SVG", "<svg"],
  ]) {
    const [download] = await Promise.all([person.page.waitForEvent("download"), person.click(name)]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    assert.ok(Buffer.concat(chunks).toString("latin1").startsWith(head), name);
  }
  await leave(person);
});

test("two at one device agree by one touch; a clock runs from main time into its periods", async () => {
  const person = await Person.arrive(browser, server, PHONE);
  const { page } = person;
  const id = await person.create({ rules: "chess", opponent: { kind: "hotseat" }, clock: "1/3x60" });
  await person.open(`/t/${id}`);
  await person.ply("e2", "e4");
  await person.plies(1);
  await person.ply("e7", "e5");
  await person.plies(2);
  // A second of main time, then a minute that lasts.
  await eventually(() => page.textContent(".me .clock"), /0:5\d ×3/);
  await person.click("Take back");
  await person.plies(1);
  await person.click("Agree a draw");
  await eventually(() => page.textContent(".dock"), /Draw, by agreement/);
  await leave(person);
});
