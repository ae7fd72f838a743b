// Takes mafia's pictures in docs/screenshots from one real game. They are looked at, not compared.
import { fileURLToPath } from "node:url";
import { DESK, launch, Person, PHONE, Server } from "../e2e/harness.mjs";

const out = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
// Seat 1 is White's Rook and host, 2 a Black Pawn who guards the Bishop in 4, 3 White's Queen who has held.
const DEAL = JSON.stringify({
  n: 1,
  seats: [..."RpQbKNBPPkPqrnpp"].map((letter, i) => ({
    camp: letter === letter.toUpperCase() ? "W" : "B",
    role: letter.toUpperCase(),
    // The other White Pawns might jail the guard.
    alive: ![8, 9, 11].includes(i + 1),
  })),
  held: [3],
});
const NAMES = ["Ning", "Zhou", "Mo"];

const browser = await launch();
const server = await new Server().start();
const people = [];
for (const name of NAMES) {
  const person = await Person.arrive(browser, server, DESK);
  await person.page.goto("/");
  await person.page.request.post("/api/me", { data: { name } });
  people.push(person);
}
const [rook, pawn, queen] = people;
const id = await rook.create({
  rules: "mafia(day=60, max_days=1, night=60)",
  fen: DEAL,
  seat: 1,
  opponent: { kind: "link" },
});
for (const person of people) await person.open(`/t/${id}`);

const seat = (person, n) => person.page.locator(".seats .s").nth(n - 1);
const press = (person, name) => person.page.getByRole("button", { name, exact: true }).click();

/** One picture on either screen, in a language and a theme; `prepare` makes the page ready each time. */
async function shoot(person, name, lang, theme, prepare = async () => {}) {
  await person.page.evaluate(
    ([l, t]) => {
      localStorage.setItem("xinqi.lang", l);
      localStorage.setItem("xinqi.theme", t);
    },
    [lang, theme],
  );
  for (const [kind, screen] of [
    ["phone", PHONE],
    ["desk", DESK],
  ]) {
    await person.page.setViewportSize(screen.viewport);
    await person.page.reload();
    await person.page.waitForSelector(".mafia .thread", { state: "attached" });
    await prepare();
    await person.page.screenshot({ path: `${out}mafia-${name}.${kind}.png` });
  }
  await person.page.evaluate(() => localStorage.setItem("xinqi.lang", "en"));
  await person.page.reload();
}

async function say(person, text) {
  await person.page.locator(".say input").fill(text);
  await person.page.locator(".say input").press("Enter");
}

await press(pawn, "Take a seat");
await rook.page.getByText("2 of 16").waitFor();
await press(queen, "Take a seat");
await rook.page.getByText("3 of 16").waitFor();
await press(rook, "Bots take the free seats");
await queen.page.waitForSelector(".mafia.night");
await seat(queen, 4).click();
await seat(rook, 4).click();
await rook.page.waitForSelector(".s.on");
await shoot(rook, "night", "zh-Hans", "dark");
await seat(pawn, 4).click();
await rook.page.waitForSelector(".mafia.day");
await say(queen, "Two was quiet. Who gains?");
await rook.page.locator(".msg").nth(8).waitFor();
await say(rook, "I jailed 4. If that held, 4 did nothing.");
await seat(rook, 15).click();
await rook.page.waitForSelector(".s.on");
await shoot(rook, "day", "en", "light");
await say(pawn, "我守的是 4 號，兩樣都落到我身上。");
await pawn.page.waitForSelector(".ghost");
await shoot(pawn, "death", "zh-Hant", "light");
await press(rook, "Abstain");
await press(queen, "Abstain");
await rook.page.waitForSelector(".reveal", { timeout: 90_000 });
await shoot(rook, "reveal", "en", "light", () => press(rook, "Night 1"));
await browser.close();
await server.close();
