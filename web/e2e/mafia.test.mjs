// A whole live game of mafia in three browsers, one of them a phone, with bots on the other seats.
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { DESK, eventually, launch, Person, PHONE, Server } from "./harness.mjs";

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

/**
 * Seat 1 is White's King, seat 2 a White Pawn, seat 3 Black's Queen, who held the night before: whom she names dies.
 * Seat 4 is a Pawn that has been passed on enough to promote. A Queen and a Rook are dead, and enough
 * live for both Kings to be out of reach until the second day closes.
 */
const DEAL = JSON.stringify({
  n: 1,
  seats: [..."KPqPQRNBPkrnbppp"].map((letter, i) => ({
    camp: letter === letter.toUpperCase() ? "W" : "B",
    role: letter.toUpperCase(),
    alive: ![5, 11].includes(i + 1),
    tally: i === 3 ? 3 : 0,
  })),
  held: [3],
});
const RULES = "mafia(day=12, max_days=2, night=12)";

const button = (person, name) => person.page.getByRole("button", { name, exact: true });
const seat = (person, n) => person.page.locator(".seats .s").nth(n - 1);
const tab = (person, name) => person.page.locator(".tabs button", { hasText: name }).click();

/** Short phases are for the bots; where people act they get more time. */
const lengthen = (host) => host.page.getByRole("button", { name: "Lengthen this phase: 60 s" }).click();

/** Writes something and sends it. */
async function say(person, text) {
  await person.page.locator(".say input").fill(text);
  await person.page.locator(".say input").press("Enter");
}

async function wide(person, what) {
  const width = await person.page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 360, `${what} is wider than the phone`);
}

test("mafia: people and bots, a replaced player, a reload, a killed server, to the reveal", async () => {
  const host = await Person.arrive(browser, server, DESK);
  const phone = await Person.arrive(browser, server, PHONE);
  const third = await Person.arrive(browser, server, DESK);
  const people = [host, phone, third];
  const id = await host.create({ rules: RULES, fen: DEAL, seat: 1, opponent: { kind: "link" } });
  for (const person of people) await person.open(`/t/${id}`);

  // Nobody sees a card before all seats are taken; the host lets bots take the rest.
  await button(phone, "Take a seat").click();
  await phone.page.getByText("2 of 16 seats are taken").waitFor();
  await button(third, "Take a seat").click();
  await host.page.getByText("3 of 16 seats are taken").waitFor();
  assert.equal(await host.page.locator(".role").count(), 0);
  await say(phone, "<img src=x onerror=document.title='pwned'>");
  await host.page.getByText("<img src=x").waitFor();
  await wide(phone, "the lobby");
  assert.equal(await button(phone, "Bots take the free seats").count(), 0);
  await button(host, "Bots take the free seats").click();

  // Night: each sees the own card, one question, the legal targets; the answer can be changed.
  await lengthen(host);
  for (const person of people) await person.page.waitForSelector(".mafia.night");
  await eventually(() => host.page.textContent(".role"), /White King.*seat 1/);
  await eventually(() => phone.page.textContent(".role"), /White Pawn.*seat 2/);
  await eventually(() => third.page.textContent(".role"), /Black Queen.*one-shot/);
  await wide(phone, "the night");
  await phone.page.getByRole("button", { name: "Hide" }).tap();
  await phone.page.getByText("Your card is face down").waitFor();
  await phone.page.getByRole("button", { name: "Show my card" }).tap();
  await seat(third, 9).click();
  await third.page.getByText("Kill seat 9.").waitFor();
  await seat(third, 2).click();
  await third.page.getByText("Kill seat 2.").waitFor();
  assert.equal(await seat(third, 2).getAttribute("aria-pressed"), "true");
  await seat(phone, 6).tap();
  await phone.page.getByText("Guard seat 6.").waitFor();
  assert.equal(await host.page.locator(".say input").count(), 0, "nobody talks by night");
  // The last answer ends the night.
  await button(host, "Do nothing").click();

  // Day: the death in the thread; the host pauses, so that nothing here is a race.
  await host.page.waitForSelector(".mafia.day");
  await button(host, "Pause").click();
  for (const person of people) await person.page.getByText("The host has paused the game").first().waitFor();
  await eventually(() => host.page.textContent(".thread"), /Day 1.*2 died\. White\./);
  await phone.page.waitForSelector(".mafia.day");
  await tab(phone, "Seats");
  await eventually(() => phone.page.textContent(".role"), /You are dead/);
  await tab(phone, "Day");
  // The dead talk among themselves; no living page holds a word of it.
  await say(phone, "I guarded six");
  await phone.page.locator(".msg.ghost", { hasText: "I guarded six" }).waitFor();
  await wide(phone, "the day");
  // The host gives the third one's seat to a bot.
  await host.page.getByLabel("Seat", { exact: true }).selectOption("3");
  await button(host, "Bot takes over").click();
  await button(host, "Yes, do it").click();
  await third.page.getByText("You are watching.").waitFor();
  assert.equal(await third.page.locator(".role").count(), 0);
  // A reload keeps the seat.
  await host.page.reload();
  await eventually(() => host.page.textContent(".role"), /White King/);
  // The server dies and comes back; the pause, the talk, who is who have stayed.
  await server.kill();
  for (const person of people) await person.page.waitForSelector(".offline");
  await server.start();
  for (const person of people) await person.page.waitForSelector(".offline", { state: "detached" });
  await host.page.getByText("The host has paused the game").waitFor();
  await phone.page.locator(".msg.ghost").waitFor();
  for (const person of [host, third])
    assert.doesNotMatch(await person.page.textContent("body"), /I guarded six/);
  await button(host, "Go on").click();
  await lengthen(host);
  await say(host, "Good morning");
  await phone.page.locator(".msg", { hasText: "Good morning" }).waitFor();

  // The King decides what the Pawn becomes, and confirms it.
  await host.page.getByText("A Pawn of yours promotes").waitFor();
  await button(host, "Knight").click();
  await button(host, "Yes, do it").click();
  await host.page.getByText("A Pawn of yours promotes").waitFor({ state: "detached" });
  // He castles, and confirms that, too.
  await button(host, "Castle…").click();
  await button(host, "Yes, do it").click();
  await host.page.getByText("Castling takes effect with the next phase").waitFor();
  await seat(host, 3).click();
  await host.page.getByText("Your vote: 3").waitFor();
  await phone.page.locator(".thread .ballots", { hasText: "1 votes 3" }).waitFor();
  await button(host, "Abstain").click();

  // The second night has begun, and they have castled, if the Rook lived through the vote. The rest goes by itself.
  await host.page.waitForSelector(".mafia.night");
  await eventually(() => host.page.textContent(".role"), /White Rook|6 was a Rook/);
  await button(host, "Do nothing").click();

  // The end: in words, every card, the night as it was reckoned, what the dead said.
  for (const person of people) await person.page.waitForSelector(".reveal", { timeout: 40_000 });
  await eventually(() => host.page.textContent(".bar"), /Day 2 closed with both Kings alive/);
  await host.page.locator(".nights").getByRole("button", { name: "Night 1" }).click();
  await eventually(() => host.page.textContent(".reveal"), /Night 1, as it was reckoned/);
  await eventually(
    () => host.page.textContent(".reveal"),
    /Told to all: seat 2, White\. Told to King 1 alone: a Pawn/,
  );
  await eventually(() => third.page.textContent(".thread"), /I guarded six/);
  await wide(phone, "the reveal");
  await tab(phone, "Talk");
  await say(phone, "Well played");
  await host.page.locator(".msg", { hasText: "Well played" }).waitFor();
  await button(host, "Open the next game").click();
  await phone.page.getByText("To the next game").waitFor({ state: "attached" });
  for (const person of people) {
    assert.deepEqual(person.errors, []);
    await person.leave();
  }
});
