export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly parts: readonly Inline[] }
  | { readonly kind: 'link'; readonly to: string; readonly parts: readonly Inline[] };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly parts: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | {
      readonly kind: 'table';
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

/** The first markup that begins in a text: code, a link, strong or emphasis. */
const mark =
  /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|\*\*(.+?)\*\*|(?<![\p{L}\p{N}_])_([^_]+)_(?![\p{L}\p{N}_])/u;

/** The inline elements of a line of Markdown, as far as our own documents use them. */
export const parseInline = (text: string): readonly Inline[] => {
  const parts: Inline[] = [];
  let rest = text;
  for (let found = mark.exec(rest); found; found = mark.exec(rest)) {
    const [whole, code, label, to, strong, emphasis] = found;
    if (found.index > 0) parts.push({ kind: 'text', text: rest.slice(0, found.index) });
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (label !== undefined && to !== undefined)
      parts.push({ kind: 'link', to, parts: parseInline(label) });
    else if (strong !== undefined) parts.push({ kind: 'strong', parts: parseInline(strong) });
    else parts.push({ kind: 'emphasis', parts: parseInline(emphasis ?? '') });
    rest = rest.slice(found.index + whole.length);
  }
  if (rest !== '') parts.push({ kind: 'text', text: rest });
  return parts;
};

const cells = (line: string): readonly (readonly Inline[])[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')));

const isTableLine = (line: string) => line.startsWith('|');
const item = /^(?:[-*]|\d+\.)\s+(.*)$/;
const fence = /^```/;
const heading = /^(#{1,6})\s+(.*)$/;

/** Whether a line ends the paragraph or the item before it. */
const isBreak = (line: string): boolean =>
  line.trim() === '' || item.test(line) || fence.test(line) || heading.test(line) || isTableLine(line);

/** Parses the Markdown of our own documents: headings, paragraphs, flat lists, fences and tables. */
export const parseMarkdown = (text: string): readonly Block[] => {
  const lines = text.split(/\r?\n/);
  const blocks: Block[] = [];
  let at = 0;
  const takeWhile = (isIn: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && isIn(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const title = heading.exec(line);
    if (line.trim() === '') at += 1;
    else if (title) {
      blocks.push({
        kind: 'heading',
        level: title[1]?.length ?? 1,
        text: plainOf(parseInline(title[2] ?? '')),
      });
      at += 1;
    } else if (fence.test(line)) {
      at += 1;
      blocks.push({ kind: 'code', text: takeWhile((each) => !fence.test(each)).join('\n') });
      at += 1;
    } else if (isTableLine(line)) {
      const [head = '', , ...rows] = takeWhile(isTableLine);
      blocks.push({ kind: 'table', head: cells(head), rows: rows.map(cells) });
    } else if (item.test(line)) {
      const items: (readonly Inline[])[] = [];
      const isOrdered = /^\d/.test(line);
      while (item.test(lines[at] ?? '')) {
        const first = item.exec(lines[at] ?? '')?.[1] ?? '';
        at += 1;
        const more = takeWhile((each) => !isBreak(each)).map((each) => each.trim());
        items.push(parseInline([first, ...more].join(' ')));
      }
      blocks.push({ kind: 'list', isOrdered, items });
    } else {
      at += 1;
      const more = takeWhile((each) => !isBreak(each));
      blocks.push({
        kind: 'paragraph',
        parts: parseInline([line, ...more].map((each) => each.trim()).join(' ')),
      });
    }
  }
  return blocks;
};

/** The text without markup. */
export const plainOf = (parts: readonly Inline[]): string =>
  parts.map((part) => ('text' in part ? part.text : plainOf(part.parts))).join('');
