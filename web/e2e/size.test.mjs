// First paint of the table page: at most 100 KB of compressed JavaScript and CSS, in every language.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { gzipSync } from "node:zlib";

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

/** Everything that a module brings along at once. */
function closure(key, seen = new Set()) {
  const entry = manifest[key];
  if (!entry) throw new Error(`the build has no ${key}`);
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of entry.imports ?? []) closure(next, seen);
  return seen;
}

for (const lang of ["en", "zh-hans", "zh-hant"])
  test(`first paint of a table in ${lang}`, () => {
    const keys = new Set();
    for (const key of ["index.html", "src/table/page.tsx", `src/i18n/${lang}.ts`]) closure(key, keys);
    const files = new Set([...keys].flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])]));
    let total = 0;
    for (const file of files) total += gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length;
    assert.ok(total <= 100_000, `${total} bytes in ${[...files].join(", ")}`);
    assert.ok(total > 10_000, `only ${total} bytes: the list of files is wrong`);
  });
