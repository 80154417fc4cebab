import * as z from 'zod';

const mostKept = 6;
const kept = z.array(z.string()).catch([]);
const keyOf = (person: string) => `castellan.recent.${person}`;

/** The ids of the entries that a person used last in the palette, the newest first. */
export const recentEntries = (person: string): readonly string[] => {
  try {
    return kept.parse(JSON.parse(localStorage.getItem(keyOf(person)) ?? '[]'));
  } catch {
    return [];
  }
};

export const keepRecentEntry = (person: string, id: string): void => {
  const ids = [id, ...recentEntries(person).filter((known) => known !== id)];
  localStorage.setItem(keyOf(person), JSON.stringify(ids.slice(0, mostKept)));
};
