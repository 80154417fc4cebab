import type { ModMetadata } from '#contracts/servers/agent-mods.ts';

/** Size limit of a mod's metadata file: some ten times that of large plugins. */
export const largestMetadata = 256 * 1024;

/** Decoded by its byte order mark, else as UTF-8; invalid bytes become replacement characters. */
export const metadataText = (bytes: Buffer): string => {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
};

const cut = (value: unknown, longest: number): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  // The cut may leave half a surrogate pair.
  return text === '' ? null : text.slice(0, longest).toWellFormed();
};

const strings = (values: readonly unknown[], most: number): string[] => {
  const seen = new Set<string>();
  for (const value of values) {
    const text = cut(value, 200);
    if (text !== null) seen.add(text);
    if (seen.size === most) break;
  }
  return [...seen];
};

/** The fields, which may be anything in a stranger's file. */
interface Told {
  readonly id: unknown;
  readonly name: unknown;
  readonly version: unknown;
  readonly authors: readonly unknown[];
  readonly loaders: ModMetadata['loaders'];
  readonly side: ModMetadata['side'];
  readonly requires: readonly unknown[];
  readonly breaks: readonly unknown[];
  /** Further ids by which others find it. */
  readonly provides?: readonly unknown[];
}

const mostProvided = 500;

/** What a build tool was to fill in (CaffeineMC/sodium#1848). */
const isUnfilled = (version: unknown): boolean =>
  typeof version === 'string' && /[$@]\{|^@\w+@$/.test(version);

/** In the form of the contract, whatever the file says; null when it has no id. */
export const metadataOf = (told: Told): ModMetadata | null => {
  const id = cut(told.id, 200);
  if (id === null) return null;
  const provides = strings(told.provides ?? [], mostProvided).filter((one) => one !== id);
  return {
    id,
    name: cut(told.name, 200),
    version: isUnfilled(told.version) ? null : cut(told.version, 100),
    authors: strings(told.authors, 50),
    loaders: told.loaders,
    side: told.side,
    requires: strings(told.requires, 200),
    breaks: strings(told.breaks, 200),
    ...(provides.length > 0 && { provides }),
  };
};

/** A member of any value; undefined when there is none. */
export const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

export const keysOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
