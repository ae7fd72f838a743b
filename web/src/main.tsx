import "./page.css";
import "./board/board.css";
import { render } from "preact";
import { App } from "./app";
import { loadTexts } from "./i18n";
import { followLinks } from "./router";
import { applySettings } from "./settings";

applySettings(document.documentElement);
followLinks();
await loadTexts();
render(<App />, document.getElementById("app")!);
