import { texts } from "../i18n";
import { gameName } from "../names";
import { api } from "../net/api";
import type { TableState } from "../net/protocol";
import { askToken, coords, pace, sound, stones } from "../settings";
import { Choice, LanguageChoice, PieceChoice, ThemeChoice, WoodChoice } from "../ui/choices";
import type { TableModel } from "./model";

/** What game this is, with its rule-set text and the way to its rules. */
export function RulesCard({ model }: { model: TableModel }) {
  const t = texts();
  const rules = model.rules.value;
  const pages = rules.base ? [rules, rules.base] : [rules];
  return (
    <>
      <div class="card">
        <h2>{gameName(t, rules)}</h2>
        <code>{rules.text}</code>
        <ul class="sm sheet">
          {pages
            .flatMap((page) => t.sheet[page.id] ?? [])
            .map((line) => (
              <li key={line}>{line}</li>
            ))}
        </ul>
        {pages.map((page) => (
          <p key={page.id} class="sm">
            <span class="mut">{t.game[page.id]?.[1]}</span>{" "}
            <a href={`/rules/${page.id}`} target="_blank" rel="noreferrer">
              {t.rulesOf(t.game[page.id]?.[0] ?? page.id)}
            </a>
          </p>
        ))}
      </div>
      <details class="card keys desk">
        <summary>{t.keyboard}</summary>
        {t.keys.map(([key, meaning]) => (
          <p key={key} class="sm mut">
            <kbd>{key}</kbd> {meaning}
          </p>
        ))}
      </details>
    </>
  );
}

/** How the table looks and sounds: beside the board, at once, remembered. */
export function Settings({ model }: { model: TableModel }) {
  const t = texts();
  return (
    <div class="card settings">
      <div class="row wrap">
        <button
          type="button"
          class="btn"
          onClick={() =>
            (model.flipped.value =
              model.flipped.value === null ? !model.geo.value.flipped : !model.flipped.value)
          }
        >
          ⇅ {t.flip}
        </button>
        <button
          type="button"
          class="btn"
          aria-pressed={sound.value === "on"}
          onClick={() => (sound.value = sound.value === "on" ? "off" : "on")}
        >
          {sound.value === "on" ? `♪ ${t.soundOn}` : `♪̸ ${t.soundOff}`}
        </button>
        <button
          type="button"
          class={`btn${coords.value === "on" ? " on" : ""}`}
          aria-pressed={coords.value === "on"}
          onClick={() => (coords.value = coords.value === "on" ? "off" : "on")}
        >
          a1 {t.coordinates}
        </button>
      </div>
      <PieceChoice />
      {model.kind() === "stones" && <Choice label={t.stonesLabel} choice={stones} words={t.stoneSets} />}
      {model.base.value.id === "wangqi" && (
        <Choice label={t.tokenAsk} choice={askToken} words={t.tokenAsks} />
      )}
      {model.rules.value.id === "premove" && <Choice label={t.paceLabel} choice={pace} words={t.paces} />}
      <LanguageChoice />
      <ThemeChoice />
      <WoodChoice />
    </div>
  );
}

/** Saves a file of the reader's. */
function save(name: string, content: Blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const SVG = "image/svg+xml";

/** Draws a picture of lines into one of points, twice as large as it says it is. */
async function pixels(svg: string): Promise<Blob | null> {
  const url = URL.createObjectURL(new Blob([svg], { type: SVG }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The board as a picture of its own, with the styles that it needs. */
function boardImage(): string {
  const svg = document.querySelector<SVGSVGElement>(".stage .board svg");
  if (!svg) return "";
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  const kept = [
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-dasharray",
    "opacity",
    "font",
    "text-anchor",
  ];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of kept) to[i]!.style.setProperty(name, style.getPropertyValue(name));
    if (element.style.transform)
      to[i]!.setAttribute("transform", element.style.transform.replaceAll("px", ""));
    to[i]!.style.removeProperty("transform");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", "720");
  copy.setAttribute("height", String(Math.round((720 * height) / width)));
  return new XMLSerializer().serializeToString(copy);
}

/** What can be taken along: the position, a picture, the record, a link to this ply. */
export function Extras({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const shown = model.at.value ?? model.log.value.length - 1;
  return (
    <div class="card">
      <h2 class="small">{t.exportTitle}</h2>
      <div class="row wrap">
        <button
          type="button"
          class="btn"
          onClick={() => void navigator.clipboard?.writeText(model.shown.value.fen)}
        >
          {t.copyFen}
        </button>
        <button
          type="button"
          class="btn"
          onClick={async () => {
            const png = await pixels(boardImage());
            if (png) save(`${state.table}.png`, png);
          }}
        >
          {t.saveImage} PNG
        </button>
        <button
          type="button"
          class="btn"
          onClick={() => save(`${state.table}.svg`, new Blob([boardImage()], { type: SVG }))}
        >
          SVG
        </button>
        <button
          type="button"
          class="btn"
          onClick={async () =>
            save(
              `${state.table}.json`,
              new Blob([JSON.stringify(await api.record(state.table), null, 2)], {
                type: "application/json",
              }),
            )
          }
        >
          {t.saveRecord}
        </button>
        <button
          type="button"
          class="btn"
          onClick={() =>
            void navigator.clipboard?.writeText(`${globalThis.location.origin}/t/${state.table}#${shown + 1}`)
          }
        >
          {t.shareHere}
        </button>
      </div>
    </div>
  );
}
