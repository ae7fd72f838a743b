import "../home/home.css";
import "./rules.css";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../i18n";
import { gameName } from "../names";
import { type Lang, lang } from "../settings";
import { LanguageChoice, PieceChoice } from "../ui/choices";
import { Logo } from "../ui/logo";
import { Missing } from "../ui/missing";
import { Diagram, readDiagramText } from "./diagram";
import { type Block, BlockView, inline, readMarkdown, slug } from "./markdown";

const files = import.meta.glob<string>("./*.*.md", { query: "?raw", import: "default" });

/** The text of a rule set's page; English where a language has none. */
async function load(id: string, language: Lang): Promise<string | null> {
  // Both forms of the pool are told on one page.
  const name = id === "pool-opponent" ? "pool" : id;
  const file = files[`./${name}.${language}.md`] ?? files[`./${name}.en.md`];
  return file ? file() : null;
}

const isDiagram = (block: Block | undefined) => block?.kind === "fence" && block.info === "diagram";

/** Diagrams that follow one another stand side by side where there is room. */
function grouped(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups[groups.length - 1];
    if (last && isDiagram(last[0]) && isDiagram(block)) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

/** The rules of one game, written for players, with positions to touch. */
export function RulesPage({ id }: { id: string }) {
  const t = texts();
  const language = lang.value;
  const [text, setText] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    void load(id, language).then((found) => wanted && setText(found));
    return () => {
      wanted = false;
    };
  }, [id, language]);
  const name = gameName(t, id);
  useEffect(() => {
    document.title = `${t.rulesOf(name)} · ${t.appName}`;
  });
  const blocks: Block[] = text ? readMarkdown(text) : [];
  const sections = blocks.filter(
    (b): b is Extract<Block, { kind: "heading" }> => b.kind === "heading" && b.level === 2,
  );
  const titled = blocks[0]?.kind === "heading" && blocks[0].level === 1;
  if (text === null) return <Missing />;
  return (
    <main class="doc">
      <header class="hd">
        <Logo />
        <span class="sp" />
        <a class="btn pri" href={`/new?rules=${encodeURIComponent(id)}`}>
          {t.playThis}
        </a>
      </header>
      <nav class="toc" aria-label={t.readRules}>
        {sections.map((s) => (
          <a key={s.text} href={`#${slug(s.text)}`}>
            {inline(s.text)}
          </a>
        ))}
        <LanguageChoice />
        <PieceChoice />
      </nav>
      <article lang={language}>
        {!titled && <h1>{t.rulesOf(name)}</h1>}
        {grouped(blocks).map((group, i) => {
          const drawn = group.map((block, k) => (
            <BlockView
              key={`${id} ${language} ${i} ${k}`}
              block={block}
              fence={(info, inner) =>
                info === "diagram" ? <Diagram source={readDiagramText(inner)} /> : null
              }
            />
          ));
          return group.length > 1 ? (
            <div class="figs" key={`${id} ${language} ${i}`}>
              {drawn}
            </div>
          ) : (
            drawn
          );
        })}
      </article>
    </main>
  );
}
