import type { KnownItem } from './store-forms.ts';

/**
 * A list of items, parted by commas or lines: `id=Name`, or an id alone whose words are the name. Read when it is first asked for.
 * @param inFull turns an id of the list into the one that the game takes
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

/** `iron_ingot` is called `Iron Ingot`. */
const titled = (id: string): string =>
  id.replace(/(?:^|_)(.)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
