import type { Entry } from './entry.ts';

/** Many servers must not crowd out the pages, the acts and the players. */
const mostOfGroup = 20;

/** Without capitals and accents: `Configurações` is found by `configuracoes`. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a name contains the typed text. */
export const isCalled = (name: string, typed: string): boolean => plain(name).includes(plain(typed));

/** 0: not found; higher for a name that starts with the typed text, and for one with a word that does. */
const rank = ({ label, hint = '', also = [] }: Entry, wanted: readonly string[]): number => {
  const name = plain(label);
  const all = plain([label, hint, ...also].join(' '));
  if (!wanted.every((word) => all.includes(word))) return 0;
  const whole = wanted.join(' ');
  if (name.startsWith(whole)) return 4;
  if (name.split(/\s+/).some((word) => word.startsWith(wanted[0] ?? ''))) return 3;
  return name.includes(whole) ? 2 : 1;
};

/** The entries that match the typed text, by groups, the best first; with nothing typed, the recently used ones come before the rest. */
export const findEntries = (
  entries: readonly Entry[],
  typed: string,
  recentIds: readonly string[],
): readonly Entry[] => {
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) {
    const recent = recentIds
      .map((id) => entries.find((entry) => entry.id === id))
      .filter((entry) => entry !== undefined);
    const rest = entries.filter(({ id, isDirect }) => !isDirect && !recentIds.includes(id));
    return byGroup([...recent.map((entry) => ({ ...entry, group: 'recent' as const })), ...rest]);
  }
  const ranked = entries
    // Players found by the API count as found, also by an earlier name.
    .map((entry) => ({ entry, score: entry.group === 'players' ? 1 : rank(entry, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return byGroup(ranked.map(({ entry }) => entry));
};

/** A group is placed by its best entry; players, who arrive later than the rest, are always last. */
const byGroup = (entries: readonly Entry[]): readonly Entry[] => {
  const groups = [...new Set(entries.map(({ group }) => group))].filter((group) => group !== 'players');
  return [...groups, 'players' as const].flatMap((group) =>
    entries.filter((entry) => entry.group === group).slice(0, mostOfGroup),
  );
};
