import type { KnownItem } from './store-forms.ts';

/**
 * A list of items separated by commas or lines: `id=Name`, or an id whose words make the name. Parsed on first use.
 * @param inFull turns an id of the list into the game's own
 */
export const readItemList = (
  list: string,
  inFull: (id: string) => string = (id) => id,
): (() => readonly KnownItem[]) => {
  let read: readonly KnownItem[] | undefined;
  return () => {
    read ??= list
      .trim()
      .split(/[,\n]+/)
      .map((line) => {
        const [id = '', name = titled(id)] = line.split('=');
        return { id: inFull(id), name };
      })
      .toSorted(
        (one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id, 'en'),
      );
    return read;
  };
};

/** `iron_ingot` becomes `Iron Ingot`. */
const titled = (id: string): string =>
  id.replace(/(?:^|_)(.)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
