import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RawEntry, zipByBytes } from '#runtime/archives/testing/zip-by-bytes.ts';

const folder = join(import.meta.dirname, 'archives');

/** An archive in words: what it is made of, before it is packed. */
export interface Shape {
  readonly entries: readonly RawEntry[];
  /** Bytes of other programs before and behind it. */
  readonly before: string;
  readonly behind: string;
}

/**
 * Reads the description of an archive, of which each line that begins with `==` names an entry, whose text follows:
 * - `== path`, optionally with `(crlf)`, `(bom)` or `(utf-16)` behind it, or `(link)` for a symbolic link to its text
 * - `== path < other.txt`: the archive of another description
 * - `== path * 1000`: that many bytes of one value
 *
 * `!! before "…"` and `!! behind "…"` are what stands around the archive. Lines before all of that are a comment.
 */
export const readShape = (name: string): Shape => {
  const [, ...blocks] = `\n${readFileSync(join(folder, name), 'utf8')}`.split(/\n(?=== |!! )/);
  const around = { before: '', behind: '' };
  const entries: RawEntry[] = [];
  for (const block of blocks) {
    const end = block.indexOf('\n');
    const head = end === -1 ? block : block.slice(0, end);
    const text = end === -1 ? '' : block.slice(end + 1);
    const [, side, told] = /^!! (before|behind) (".*")$/.exec(head) ?? [];
    if (told !== undefined) around[side as 'before' | 'behind'] = JSON.parse(told);
    else entries.push(entryOf(head.slice('== '.length), text));
  }
  return { entries, ...around };
};

const entryOf = (head: string, text: string): RawEntry => {
  const [, inner, other] = /^(.+) < (\S+)$/.exec(head) ?? [];
  if (inner !== undefined && other !== undefined)
    return { name: inner, data: pack(readShape(other)), method: 0 };
  const [, large, bytes] = /^(.+) \* (\d+)$/.exec(head) ?? [];
  if (large !== undefined) return { name: large, data: Buffer.alloc(Number(bytes), 0x40) };
  const [, path = head, form] = /^(.+) \((crlf|bom|utf-16|link)\)$/.exec(head) ?? [];
  if (form === 'crlf') return { name: path, data: text.replaceAll('\n', '\r\n') };
  if (form === 'link') return { name: path, data: text, mode: 0o120_777 };
  if (form === 'bom') return { name: path, data: `\ufeff${text}` };
  return { name: path, data: form === 'utf-16' ? Buffer.from(`\ufeff${text}`, 'utf16le') : text };
};

export const pack = ({ entries, before, behind }: Shape): Buffer =>
  Buffer.concat([Buffer.from(before), zipByBytes(entries), Buffer.from(behind)]);
