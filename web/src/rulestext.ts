/** Rule-set text taken apart for naming and drawing: `premove(go(size=9), ahead=5)`. */
export interface RuleText {
  id: string;
  /** The wrapped rule set of a mechanism. */
  base: RuleText | null;
  options: Record<string, string>;
  text: string;
}

export function readRules(text: string): RuleText {
  const open = text.indexOf("(");
  if (open < 0) return { id: text.trim(), base: null, options: {}, text: text.trim() };
  const id = text.slice(0, open).trim();
  const inner = text.slice(open + 1, text.lastIndexOf(")"));
  const parts: string[] = [];
  let depth = 0;
  let last = 0;
  for (let i = 0; i < inner.length; i++) {
    if (inner[i] === "(") depth++;
    else if (inner[i] === ")") depth--;
    else if (inner[i] === "," && depth === 0) {
      parts.push(inner.slice(last, i));
      last = i + 1;
    }
  }
  parts.push(inner.slice(last));
  const options: Record<string, string> = {};
  let base: RuleText | null = null;
  for (const part of parts.map((p) => p.trim()).filter(Boolean)) {
    const option = /^([\w]+)\s*=\s*(.*)$/.exec(part);
    if (option) options[option[1]!] = option[2]!;
    else base = readRules(part);
  }
  return { id, base, options, text: text.trim() };
}

/** Writes rule-set text; options at their defaults are the caller's to leave out. */
export function writeRules(id: string, options: Record<string, string>, base?: string): string {
  const parts = Object.keys(options)
    .sort()
    .map((key) => `${key}=${options[key]}`);
  if (base) parts.unshift(base);
  return parts.length ? `${id}(${parts.join(", ")})` : id;
}
