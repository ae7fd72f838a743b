// Takes the pictures in docs/screenshots from the gallery: `npm run shots`. They are looked at, not compared.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { DESK, launch, PHONE } from "../e2e/harness.mjs";

const out = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
mkdirSync(out, { recursive: true });

const SHOTS = [
  ["zuyi", "zh-Hans"],
  ["zuyi-pick", "en"],
  ["zuyi-choice", "zh-Hans"],
  ["wangqi-token", "zh-Hant"],
  ["wangqi-grind", "en"],
  ["qixi-layout", "zh-Hans"],
  ["qixi-play", "zh-Hans"],
  ["qixi-eye", "en"],
  ["qixi-demand", "en"],
  ["premove-queues", "zh-Hans"],
  ["premove-plan", "zh-Hant"],
  ["premove-failed", "en"],
  ["premove-go", "zh-Hans"],
  ["pool-gomoku", "en"],
  ["shogi", "en", "dark"],
  ["chess", "zh-Hans", "dark"],
];

const vite = await createServer({ root: fileURLToPath(new URL("..", import.meta.url)), logLevel: "error" });
await vite.listen();
const browser = await launch();
for (const [kind, screen] of [
  ["phone", PHONE],
  ["desk", DESK],
]) {
  const page = await browser.newPage({ ...screen, baseURL: vite.resolvedUrls.local[0] });
  for (const [name, lang, theme = "light"] of SHOTS) {
    await page.goto(`test/gallery.html?case=${name}&lang=${lang}&theme=${theme}`);
    await page.waitForSelector(".table");
    await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.finished)));
    await page.screenshot({ path: `${out}${name}.${kind}.png` });
  }
}
await browser.close();
await vite.close();
