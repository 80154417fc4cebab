import type { UnneededMod } from '#contracts/mods/mods.ts';
import type { SetMember } from './check-set.ts';
import type { PlanSubject } from './plan.ts';

/**
 * Mods that came along with others and that nothing in the set requires any more. Empty unless the requirements of every mod
 * are known: people are not led to remove what is needed.
 */
export const unneededMods = (
  members: ReadonlyMap<string, SetMember>,
  { list, pins, dependencies }: PlanSubject,
): UnneededMod[] => {
  const found = list.found.map(({ metadata }) => metadata);
  if (list.foundCount > found.length || found.includes(null) || ![...members.values()].every(isTold))
    return [];
  const canGo = (member: SetMember): boolean =>
    !member.isChanged &&
    dependencies.has(member.key) &&
    !pins.has(member.key) &&
    // Foreign files name what they require by the loader's ids.
    (found.length === 0 || member.ids.length > 0);

  const staying = new Map(members);
  const gone: SetMember[] = [];
  for (let next = true; next; ) {
    const ids = new Set([
      ...[...staying.values()].flatMap(({ requires }) => requires),
      ...found.flatMap((metadata) => metadata?.requires ?? []),
    ]);
    const keys = new Set([...staying.values()].flatMap(requiredKeys));
    const free = [...staying.values()].filter(
      (member) =>
        canGo(member) &&
        !keys.has(member.key) &&
        ![...member.ids, ...member.provided].some((id) => ids.has(id)),
    );
    for (const { key } of free) staying.delete(key);
    gone.push(...free);
    next = free.length > 0;
  }
  return gone.map(({ key, name, item }) => ({
    key,
    name,
    source: item.source,
    versionName: item.versionName,
  }));
};

/** The contents of a pack, and their requirements, are unknown. */
const isTold = ({ item, version, ids }: SetMember): boolean =>
  item.form !== 'pack' && (version !== null || ids.length > 0);

const requiredKeys = ({ key, item, version }: SetMember): string[] =>
  (version?.dependencies ?? [])
    .filter(({ kind }) => kind === 'required')
    .map(({ project }) => `${item.source}:${project}`)
    .filter((required) => required !== key);
