import type { ComponentChildren, VNode } from "preact";

/** The little Markdown that rules pages are written in: headings, paragraphs, lists, tables, bold, code, links, fences. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "fence"; info: string; text: string };

export function readMarkdown(source: string): Block[] {
  const lines = source.replaceAll("\r", "").split("\n");
  const blocks: Block[] = [];
  let i = 0;
  const cells = (line: string) =>
    line
      .replace(/^\s*\||\|\s*$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  while (i < lines.length) {
    const line = lines[i]!;
    const fence = /^```(\S*)/.exec(line);
    const heading = /^(#{1,4})\s+(.*)$/.exec(line);
    const item = /^\s*(?:[-*]|(\d+)\.)\s+/.exec(line);
    if (fence) {
      const text: string[] = [];
      for (i++; i < lines.length && !lines[i]!.startsWith("```"); i++) text.push(lines[i]!);
      blocks.push({ kind: "fence", info: fence[1]!, text: text.join("\n") });
      i++;
    } else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]!.length, text: heading[2]! });
      i++;
    } else if (item) {
      const items: string[] = [];
      for (; i < lines.length && lines[i]!.trim(); i++) {
        const begin = /^\s*(?:[-*]|\d+\.)\s+(.*)$/.exec(lines[i]!);
        if (begin) items.push(begin[1]!);
        else items[items.length - 1] += joint(items[items.length - 1]!, lines[i]!.trim());
      }
      blocks.push({ kind: "list", ordered: item[1] !== undefined, items });
    } else if (/^\s*\|/.test(line)) {
      const rows: string[][] = [];
      for (; i < lines.length && /^\s*\|/.test(lines[i]!); i++) rows.push(cells(lines[i]!));
      const [head = [], , ...body] = rows;
      blocks.push({ kind: "table", head, rows: body });
    } else if (line.trim()) {
      let text = line.trim();
      for (
        i++;
        i < lines.length && lines[i]!.trim() && !/^(#|```|\s*\||\s*[-*]\s|\s*\d+\.\s)/.test(lines[i]!);
        i++
      )
        text += joint(text, lines[i]!.trim());
      blocks.push({ kind: "paragraph", text });
    } else i++;
  }
  return blocks;
}

/** Lines of Chinese join without a space. */
function joint(before: string, next: string): string {
  const han = /[\u3000-\u9fff\uff00-\uffef]/;
  return han.test(before.slice(-1)) || han.test(next.charAt(0)) ? next : ` ${next}`;
}

/** Bold, code and links inside a line. */
export function inline(text: string): ComponentChildren[] {
  const out: ComponentChildren[] = [];
  const pattern = /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|\*([^*]+)\*/g;
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    out.push(text.slice(last, match.index));
    const [all, bold, code, label, href, slanted] = match;
    if (bold) out.push(<b>{inline(bold)}</b>);
    else if (code) out.push(<code>{code}</code>);
    else if (slanted) out.push(<em>{slanted}</em>);
    // Only links within the site and plain web addresses; nothing that could run.
    else if (/^(\/|#|https?:)/.test(href!)) out.push(<a href={href}>{label}</a>);
    else out.push(label);
    last = match.index + all.length;
  }
  out.push(text.slice(last));
  return out;
}

export const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

export function BlockView({
  block,
  fence,
}: {
  block: Block;
  fence(info: string, text: string): VNode | null;
}) {
  switch (block.kind) {
    case "heading": {
      const Tag = `h${block.level}` as "h1" | "h2" | "h3" | "h4";
      return <Tag id={slug(block.text)}>{inline(block.text)}</Tag>;
    }
    case "paragraph":
      return <p>{inline(block.text)}</p>;
    case "list": {
      const Tag = block.ordered ? "ol" : "ul";
      return (
        <Tag>
          {block.items.map((item) => (
            <li key={item}>{inline(item)}</li>
          ))}
        </Tag>
      );
    }
    case "table":
      return (
        <div class="scroll" tabIndex={0} role="region" aria-label={block.head.join(", ")}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, i) => (
                  <th key={i}>{inline(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, k) => (
                    <td key={k}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "fence":
      return (
        fence(block.info, block.text) ?? (
          <pre>
            <code>{block.text}</code>
          </pre>
        )
      );
  }
}
