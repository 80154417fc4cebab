import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '#harness/browser.ts';

/** A picture of one page before and after; either may be missing. */
interface Pair {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Width of each of the two on the sheet, in pixels. */
  readonly width: number;
  readonly height: number;
}

const gap = 16;
const captionHeight = 28;
const sheetWidth = 1640;
/** On a higher sheet, the text is not readable when the sheet is viewed as one picture. */
const sheetHeight = 1800;
/** Longer pictures are scaled down. */
const mostHeight = sheetHeight - captionHeight;

/**
 * Puts the pictures of two runs side by side, several pages per sheet.
 * @returns the sheets' files
 */
export const makeContactSheets = async ({
  before,
  after,
  out,
}: {
  readonly before: string;
  readonly after: string;
  readonly out: string;
}): Promise<readonly string[]> => {
  await mkdir(out, { recursive: true });
  const pairs = await pairsOf(resolve(before), resolve(after));
  const { browser, ...opened } = await openBrowser();
  await using _browser = opened;
  const page = await browser.newPage({ viewport: { width: sheetWidth, height: gap } });
  const files: string[] = [];
  const draft = join(out, 'sheet.html');
  for (const [look, ofLook] of Map.groupBy(pairs, ({ name }) => lookOf(name)))
    for (const [index, sheet] of toSheets(ofLook).entries()) {
      await writeFile(draft, htmlOf(sheet));
      await page.goto(pathToFileURL(resolve(draft)).href);
      const file = join(out, `${look}-${String(index + 1).padStart(2, '0')}.png`);
      await page.screenshot({ path: file, fullPage: true });
      files.push(file);
    }
  await rm(draft, { force: true });
  return files;
};

const lookOf = (name: string): string => /^(?:dark-phone|[a-z]+)/.exec(name)?.[0] ?? 'other';

const pairsOf = async (before: string, after: string): Promise<readonly Pair[]> => {
  const [olds, news] = await Promise.all([picturesIn(before), picturesIn(after)]);
  const names = [...new Set([...olds.keys(), ...news.keys()])].sort();
  const pairs: Pair[] = [];
  for (const name of names) {
    const [old = null, fresh = null] = [olds.get(name), news.get(name)];
    const sizes = await Promise.all([old, fresh].flatMap((file) => (file === null ? [] : [sizeOf(file)])));
    const widest = Math.max(...sizes.map(({ width }) => width));
    // A desktop picture takes a row of the sheet, a phone picture part of one.
    const width = Math.min(widest, (sheetWidth - 3 * gap) / 2);
    const longest = Math.max(...sizes.map((size) => (size.height / size.width) * width));
    pairs.push({
      name,
      before: old,
      after: fresh,
      width: 2 * width + gap,
      height: Math.min(longest, mostHeight) + captionHeight,
    });
  }
  return pairs;
};

/** By name without the ids, which differ between runs. */
const picturesIn = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png'));
  return new Map(
    names.map((name) => [
      name.replace(/\.png$/, '').replace(/-[a-z0-9]{20,32}(?=-|$)/g, '-one'),
      join(folder, name),
    ]),
  );
};

const sizeAt = 16;
/** A PNG's first chunk contains width and height. */
const sizeOf = async (file: string): Promise<{ width: number; height: number }> => {
  await using handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, sizeAt);
  return { width: buffer.readUInt32BE(0), height: buffer.readUInt32BE(4) };
};

interface Row {
  readonly pairs: Pair[];
  width: number;
  height: number;
}

/** Fills rows from left to right and sheets from top to bottom, in the order of names. */
const toSheets = (pairs: readonly Pair[]): readonly (readonly Row[])[] => {
  const rows: Row[] = [];
  for (const pair of pairs) {
    const last = rows.at(-1);
    if (last && last.width + gap + pair.width <= sheetWidth - 2 * gap) {
      last.pairs.push(pair);
      last.width += gap + pair.width;
      last.height = Math.max(last.height, pair.height);
    } else rows.push({ pairs: [pair], width: pair.width, height: pair.height });
  }
  const sheets: Row[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (used + row.height > sheetHeight) {
      sheets.push([]);
      used = 0;
    }
    sheets.at(-1)?.push(row);
    used += row.height + gap;
  }
  return sheets;
};

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const imageOf = (file: string | null, { width, height }: Pair): string => {
  const box = `width:${(width - gap) / 2}px;height:${height - captionHeight}px`;
  return file === null
    ? `<div class="none" style="${box}">no picture</div>`
    : `<img style="${box}" src="${escaped(pathToFileURL(file).href)}" alt="">`;
};

const htmlOf = (rows: readonly Row[]): string => `<!doctype html><meta charset="utf-8"><style>
body { margin: ${gap}px; background: #d7d7dc; font: 600 14px/${captionHeight}px sans-serif; color: #111 }
.row { display: flex; gap: ${gap}px; margin-bottom: ${gap}px }
.pair { display: flex; gap: ${gap}px }
img, .none { object-fit: contain; object-position: top; outline: 1px solid #888 }
.none { display: grid; place-items: center; font-weight: 400 }
</style>${rows
  .map(
    ({ pairs }) =>
      `<div class="row">${pairs
        .map(
          (pair) =>
            `<div><div>${escaped(pair.name)} · before | after</div><div class="pair">${imageOf(pair.before, pair)}${imageOf(pair.after, pair)}</div></div>`,
        )
        .join('')}</div>`,
  )
  .join('')}`;
