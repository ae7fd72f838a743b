import { texts } from "../i18n";

/** The way home: the name where there is room, else an arrow. */
export function Logo() {
  return (
    <a class="logo" href="/">
      <span class="phone" aria-hidden="true">
        ‹{" "}
      </span>
      <span class="name">新棋 Xinqi</span>
      <span class="hidden"> · {texts().home}</span>
    </a>
  );
}
