import type { PlanFault } from '#contracts/mods/mods.ts';
import type { ModItem, ModsChange, ModsList } from '#contracts/servers/agent-mods.ts';
import type { ProvenSet } from '../../kernel/database/stored-values.ts';
import type { SourceVersion } from '../sources/mod-source.ts';
import { goesBack } from './choose-version.ts';
import { blocking, said } from './plan-faults.ts';

export const provenSet = (
  { loader, gameVersion, installed }: Pick<ModsList, 'loader' | 'gameVersion' | 'installed'>,
  { put, remove, adopt }: Pick<ModsChange, 'put' | 'remove' | 'adopt'>,
): ProvenSet => {
  const items = new Map<string, ModItem>(installed.map((mod) => [mod.key, mod]));
  for (const key of remove) items.delete(key);
  for (const item of [...put, ...adopt.map((adopted) => adopted.item)]) items.set(item.key, item);
  const mods = [...items.values()].map(
    ({ key, version, versionName, file }) =>
      [key, { version, versionName, hashes: file?.hashes ?? {} }] as const,
  );
  return { loader, gameVersion, mods: Object.fromEntries(mods) };
};

/** A set that runs with one loader and game version proves nothing for another. */
export const otherThanProven = (
  { loader, gameVersion }: Pick<ModsList, 'loader' | 'gameVersion'>,
  proven: ProvenSet,
): PlanFault | null => {
  if (loader === proven.loader && gameVersion === proven.gameVersion) return null;
  const told = (one: Pick<ModsList, 'loader' | 'gameVersion'>) =>
    [one.loader, one.gameVersion].filter((part) => part !== null).join(' ') || '?';
  return blocking('OTHER_THAN_PROVEN', { detail: `${told({ loader, gameVersion })} ≠ ${told(proven)}` });
};

/**
 * The version that an installed mod should have, and the update to it; a version newer than the proven one stays, since
 * worlds cannot be downgraded with their mods.
 */
export const provenUpdate = (
  proof: ProvenSet['mods'][string] | undefined,
  installedId: string | null,
  installed: SourceVersion | null,
  versions: readonly SourceVersion[],
): { readonly version: string | null; readonly update: SourceVersion | null } => {
  const wanted = proof?.version ?? installedId;
  const listed = versions.find(({ id }) => id === wanted) ?? null;
  if (wanted === installedId || isOlder(listed, installed)) return { version: installedId, update: null };
  return { version: wanted, update: listed };
};

export const isOlder = (version: SourceVersion | null, installed: SourceVersion | null): boolean =>
  version !== null && installed !== null && goesBack(version, installed);

/** What the plan would put there without proof. */
export const unproven = (items: readonly ModItem[], { mods }: ProvenSet): PlanFault[] =>
  items
    .filter(({ key, version, file }) => {
      const proof = mods[key];
      return proof?.version !== version || differs(proof.hashes, file?.hashes ?? {});
    })
    .map(({ key, name, versionName }) => {
      const proof = mods[key]?.versionName;
      return blocking('NOT_PROVEN', { mod: name, other: versionName, detail: proof ?? null });
    });

/** Mods that stay but differ from what the first server has. */
export const leftUnproven = (
  installed: readonly Pick<ModItem, 'key' | 'name' | 'version' | 'versionName'>[],
  { mods }: ProvenSet,
): PlanFault[] =>
  installed
    .filter(({ key, version }) => mods[key]?.version !== version)
    .map(({ key, name, versionName }) =>
      said('NOT_PROVEN', { mod: name, other: versionName, detail: mods[key]?.versionName ?? null }),
    );

const differs = (
  one: ProvenSet['mods'][string]['hashes'],
  other: ProvenSet['mods'][string]['hashes'],
): boolean =>
  (['sha512', 'sha1'] as const).some((kind) => {
    const [a, b] = [one[kind], other[kind]];
    return a !== undefined && b !== undefined && a !== b;
  });
