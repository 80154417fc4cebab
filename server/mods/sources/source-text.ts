import * as z from 'zod';
import { modFileName } from '#contracts/servers/agent-mods.ts';

// Text from a source is untrusted: it is cut, and nothing in it can control a terminal or reorder other text.

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const unseenInLines = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const cut = (text: string, most: number): string => {
  const head = text.length <= most ? text : `${text.slice(0, most - 1)}…`;
  // Half a surrogate pair is no character, and no database accepts it.
  return head.toWellFormed();
};

/** One line; the fallback when nothing is left of it. */
export const lineOf = (text: string, most: number, fallback = '?'): string =>
  cut(
    text
      .slice(0, 4 * most)
      .replaceAll(unseen, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    most,
  ) || fallback;

/** Null when nothing is left of it. */
export const linesOf = (text: string | null | undefined, most: number): string | null =>
  cut(
    (text ?? '')
      .slice(0, 4 * most)
      .replaceAll('\r\n', '\n')
      .replaceAll(unseenInLines, ' ')
      .trim(),
    most,
  ) || null;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/**
 * The text of HTML, for places that show plain text: nothing there is markup. A tag ends at the next `<` at the latest:
 * searching for the end of many unclosed tags would take minutes.
 */
export const textOfHtml = (html: string, most: number): string | null =>
  linesOf(
    html
      .slice(0, 10 * most)
      .replaceAll(/<(?:br|\/p|\/li|\/h\d|\/div)\b[^<>]*>/gi, '\n')
      .replaceAll(/<li\b[^<>]*>/gi, '- ')
      .replaceAll(/<[^<>]*>/g, '')
      .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
      .replaceAll(/\n{3,}/g, '\n\n'),
    most,
  );

/** A name that every system accepts, otherwise the fallback. */
export const fileNameOf = (name: string, fallback: string): string =>
  modFileName.safeParse(name).success ? name : fallback;

/** The addresses that a source may name: https, and plain http only on its own host. */
export type WebPlaces = ReturnType<typeof createWebPlaces>;

export const createWebPlaces = (baseUrl: string, hosts: readonly string[]) => {
  const base = new URL(baseUrl);
  const protocols = base.protocol === 'http:' ? ['http:', 'https:'] : ['https:'];
  const parse = (text: string | null | undefined): URL | null => {
    if (!text || text.length > 2000 || !z.url().safeParse(text).success) return null;
    const url = URL.parse(text);
    return url && protocols.includes(url.protocol) && !url.username && !url.password ? url : null;
  };
  const isOwn = ({ host, hostname }: URL): boolean =>
    host === base.host || hosts.some((one) => hostname === one || hostname.endsWith(`.${one}`));
  return {
    /** Null for any other address. */
    urlOf: (text: string | null | undefined): string | null => parse(text)?.href ?? null,
    /** Null when the host is not one of the source's. */
    ownUrlOf(text: string | null | undefined): string | null {
      const url = parse(text);
      return url && isOwn(url) ? url.href : null;
    },
  };
};

/** Null for an invalid time, and for years that no contract accepts. @param ms since 1970 */
export const timeAt = (ms: number): string | null => {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) return null;
  const text = time.toISOString();
  return /^\d{4}-/.test(text) ? text : null;
};

/** Converts a time from the sources' format into ours. */
export const sourceTime = z.string().transform((text, context) => {
  const time = timeAt(Date.parse(text));
  if (time !== null) return time;
  context.issues.push({ code: 'custom', message: 'no time', input: text });
  return z.NEVER;
});
