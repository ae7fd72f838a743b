// Tables in states that take long to reach, without a server: /test/gallery.html?case=zuyi-pick&lang=en (development only).
import "../src/page.css";
import "../src/board/board.css";
import { render } from "preact";
import { loadTexts } from "../src/i18n";
import type { TableState } from "../src/net/protocol";
import { TableSocket, type WebSocketLike } from "../src/net/socket";
import { applySettings, coords, type Lang, lang, theme } from "../src/settings";
import { TableModel } from "../src/table/model";
import { Table } from "../src/table/page";
import { cases } from "./cases";

const query = new URLSearchParams(location.search);
lang.value = (query.get("lang") as Lang | null) ?? "en";
theme.value = query.get("theme") === "dark" ? "dark" : "light";
if (query.get("coords")) coords.value = "on";
const found = cases[query.get("case") ?? ""] ?? Object.values(cases)[0]!;

class Silent implements WebSocketLike {
  onopen: WebSocketLike["onopen"] = null;
  onmessage: WebSocketLike["onmessage"] = null;
  onclose: WebSocketLike["onclose"] = null;
  readyState = 1;
  send(text: string) {
    console.log(text);
    document.body.dataset.sent = text;
  }
  close() {}
  tell(state: TableState) {
    this.onmessage?.({ data: JSON.stringify({ state }) } as MessageEvent);
  }
}

applySettings(document.documentElement);
await loadTexts();
const line = new Silent();
const socket = new TableSocket("t", "", {
  open: () => line,
  store: { getItem: () => null, setItem() {}, removeItem() {} },
  newId: () => "1",
});
const model = new TableModel(socket);
line.tell(found.state);
await Promise.resolve();
found.act?.(model);
function Shown() {
  return <Table model={model} state={model.state.value!} />;
}
render(<Shown />, document.getElementById("app")!);
