import { defineConfig } from "vitest/config";

// During development the page comes from Vite and everything else from a running `xinqi serve`.
const server = process.env.XINQI_SERVER ?? "http://127.0.0.1:8080";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: { target: "es2022", cssMinify: true, manifest: true },
  server: { proxy: { "/api": { target: server, ws: true } } },
  test: { include: ["test/**/*.test.ts"] },
});
