import { texts } from "../i18n";

/** There is nothing at this address, and the way home. */
export function Missing({ words }: { words?: string }) {
  const t = texts();
  return (
    <main class="waiting">
      <h1>{words ?? t.notFound}</h1>
      <a class="btn" href="/">
        {t.home}
      </a>
    </main>
  );
}
