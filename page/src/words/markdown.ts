/**
 * Parses the subset of Markdown that rule pages use.
 *
 * The page renders the result as text nodes: a rule page is never inserted as HTML.
 */

export type Span = { kind: "text" | "strong" | "em" | "code" | "rule"; text: string };

export type Block =
  | { kind: "heading"; level: number; spans: Span[] }
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "list"; ordered: boolean; items: Span[][] }
  | { kind: "code"; info: string; text: string }
  | { kind: "table"; head: Span[][]; rows: Span[][][] };

const SPANS = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`| ?\(((?:[A-Z]{1,2}\d+a?)(?:, [A-Z]{1,2}\d+a?)*)\)/g;
const KINDS = ["strong", "em", "code", "rule"] as const;

/** Split a line into plain and marked spans; rule ids, such as (C7), are separate spans. */
export function readSpans(line: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of line.matchAll(SPANS)) {
    if (match.index > end) spans.push({ kind: "text", text: line.slice(end, match.index) });
    const which = match.slice(1).findIndex((group) => group !== undefined);
    spans.push({ kind: KINDS[which]!, text: match[which + 1]! });
    end = match.index + match[0].length;
  }
  if (end < line.length) spans.push({ kind: "text", text: line.slice(end) });
  return spans;
}

const cellsOf = (line: string): Span[][] =>
  line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => readSpans(cell.trim()));

/** Return the ids of the rules that a block cites. */
export function rulesIn(block: Block): string[] {
  const spans: Span[][] =
    block.kind === "list"
      ? block.items
      : block.kind === "table"
        ? [...block.head, ...block.rows.flat()]
        : block.kind === "code"
          ? []
          : [block.spans];
  return spans.flat().flatMap((span) => (span.kind === "rule" ? span.text.split(", ") : []));
}

/** Split a page into blocks. */
export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replace(/\r/g, "").split("\n");
  let i = 0;
  const takeWhile = (test: (line: string) => boolean): string[] => {
    const start = i;
    while (i < lines.length && test(lines[i]!)) i += 1;
    return lines.slice(start, i);
  };
  while (i < lines.length) {
    const line = lines[i]!;
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    if (!line.trim()) i += 1;
    else if (line.startsWith("```")) {
      i += 1;
      blocks.push({
        kind: "code",
        info: line.slice(3).trim(),
        text: takeWhile((l) => !l.startsWith("```")).join("\n"),
      });
      i += 1;
    } else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]!.length, spans: readSpans(heading[2]!) });
      i += 1;
    } else if (/^(- |\d+\. )/.test(line)) {
      const ordered = /^\d/.test(line);
      const items = takeWhile((l) => /^(- |\d+\. | {2})/.test(l)).reduce<string[]>((all, l) => {
        if (l.startsWith("  ")) all[all.length - 1] += ` ${l.trim()}`;
        else all.push(l.replace(/^(- |\d+\. )/, ""));
        return all;
      }, []);
      blocks.push({ kind: "list", ordered, items: items.map(readSpans) });
    } else if (line.startsWith("|")) {
      const [head = "", , ...rows] = takeWhile((l) => l.startsWith("|"));
      blocks.push({ kind: "table", head: cellsOf(head), rows: rows.map(cellsOf) });
    } else {
      const paragraph = takeWhile((l) => Boolean(l.trim()) && !/^(#|```|\||- |\d+\. )/.test(l));
      blocks.push({ kind: "paragraph", spans: readSpans(paragraph.join(" ")) });
    }
  }
  return blocks;
}
