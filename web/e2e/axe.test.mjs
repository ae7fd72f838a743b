// axe-core finds nothing on any page, in any language, in light and dark, small and large; nothing is cut off there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test, { after, before } from "node:test";
import { DESK, launch, Person, PHONE, Server } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
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

/** Adds what axe finds on the page to the person's errors. */
async function clean(person, what) {
  await person.page.evaluate(axe);
  const found = await person.page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(
      (v) => `${v.id}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary}`).join("; ")}`,
    );
  });
  person.errors.push(...found.map((violation) => `${what}: ${violation}`));
}

const TABLES = [
  "xiangqi",
  "chess",
  "shogi",
  "go(size=9)",
  "premove(xiangqi)",
  "pool-opponent(gomoku)",
  "qixi",
  "mafia",
];

for (const [lang, locale, screen, colorScheme] of [
  ["en", "en", DESK, "dark"],
  ["zh-Hans", "zh-CN", PHONE, "light"],
  ["zh-Hant", "zh-TW", PHONE, "dark"],
])
  test(`${lang}, ${colorScheme}, ${screen.viewport.width} px`, async () => {
    const person = await Person.arrive(browser, server, { ...screen, colorScheme, locale });
    const { page } = person;
    const games = (await (await page.request.get("/api/rules")).json()).map((r) => r.id);
    await person.open("/");
    await page.waitForSelector("[data-game]");
    assert.equal(await page.getAttribute("html", "lang"), lang);
    await clean(person, "home");
    await page.locator("[data-game=zuyi]").click();
    await clean(person, "game dialog");
    await person.open("/new?rules=premove(qixi)");
    await page.waitForSelector(".option");
    await clean(person, "new");
    for (const id of games) {
      await person.open(`/rules/${id}`);
      await clean(person, `rules of ${id}`);
    }
    for (const rules of TABLES.filter((text) => games.includes(/[\w-]+/.exec(text)[0]))) {
      const opponent = rules === "mafia" ? { kind: "bot", level: 1 } : { kind: "hotseat" };
      const table = await person.create({ rules, opponent });
      await person.open(`/t/${table}`);
      await clean(person, `table of ${rules}`);
      if (rules.startsWith("pool")) {
        // Six slots stand in one row, none of them cut off.
        const beyond = await page.locator(".slots").evaluate((row) => row.scrollWidth - row.clientWidth);
        assert.equal(beyond, 0);
        assert.equal(await page.locator(".slot").count(), 6);
      }
      if (rules === "qixi") {
        await page.locator(".curtain button").click();
        await page.waitForSelector(".layouts");
        await clean(person, "layouts of qixi");
      }
      if (screen === PHONE && /^(xiangqi|mafia)$/.test(rules))
        for (const tab of [1, 2, 3, ...(rules === "mafia" ? [4] : [])]) {
          await page.locator(".tabs button").nth(tab).click();
          await clean(person, `tab ${tab} of ${rules}`);
        }
    }
    await person.open("/nowhere");
    await clean(person, "nowhere");
    assert.deepEqual(person.errors, []);
    await person.leave();
  });
