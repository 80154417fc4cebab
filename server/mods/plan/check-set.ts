import type { PlanFault } from '#contracts/mods/mods.ts';
import type { FoundMod, InstalledMod, ModItem } from '#contracts/servers/agent-mods.ts';
import type { SourceVersion } from '../sources/mod-source.ts';
import { isSourceName } from './lookups.ts';
import { blocking } from './plan-faults.ts';

/** A mod of the planned set: one that stays, or one that the plan adds. */
export interface SetMember {
  readonly key: string;
  readonly name: string;
  readonly item: ModItem;
  readonly isChanged: boolean;
  /** Null: no source lists it. */
  readonly version: SourceVersion | null;
  /** Paths relative to the server's folder, as far as they are known before the download. */
  readonly places: readonly string[];
  /** The ids that its file declares; empty for one that is not downloaded yet. */
  readonly ids: readonly string[];
  /** Further ids by which others find it: aliases, and mods inside of it. Several members may have the same. */
  readonly provided: readonly string[];
  readonly requires: readonly string[];
  readonly breaks: readonly string[];
}

export const stayingMember = (mod: InstalledMod, version: SourceVersion | null): SetMember => ({
  key: mod.key,
  name: mod.name,
  item: mod,
  isChanged: false,
  version,
  places: mod.files.map(({ path }) =>
    mod.form === 'folders' ? path.split('/').slice(0, 2).join('/') : path,
  ),
  ids: mod.metadata ? [mod.metadata.id] : [],
  provided: mod.metadata?.provides ?? [],
  requires: mod.metadata?.requires ?? [],
  breaks: mod.metadata?.breaks ?? [],
});

/** Finds what cannot coexist. Existing problems that the plan does not touch are not its faults. */
export const checkSet = (
  members: ReadonlyMap<string, SetMember>,
  removed: readonly InstalledMod[],
  found: readonly FoundMod[],
): PlanFault[] => [
  ...incompatible(members),
  ...stillNeeded(members, removed, found),
  ...brokenPins(members),
  ...sameFiles(members),
  ...inTheWay(members, found),
];

const incompatible = (members: ReadonlyMap<string, SetMember>): PlanFault[] => {
  const faults: PlanFault[] = [];
  const report = (member: SetMember, other: SetMember | undefined): void => {
    if (!other || other.key === member.key || !(member.isChanged || other.isChanged)) return;
    // Either side may declare it: it is one conflict.
    const [mod, with_] = [member.name, other.name].sort();
    faults.push(blocking('CONFLICT', { mod: mod ?? null, other: with_ ?? null }));
  };
  const byVersion = new Map(
    [...members.values()].map((one) => [`${one.item.source}:${one.version?.id}`, one]),
  );
  // An own id comes before the same one inside of another.
  const byId = new Map([...members.values()].flatMap((one) => one.provided.map((id) => [id, one] as const)));
  for (const one of members.values()) for (const id of one.ids) byId.set(id, one);
  for (const member of members.values()) {
    for (const { kind, project, version } of member.version?.dependencies ?? []) {
      if (kind !== 'incompatible') continue;
      const { source } = member.item;
      const other = version ? byVersion.get(`${source}:${version}`) : members.get(`${source}:${project}`);
      report(member, other);
    }
    for (const id of member.breaks) report(member, byId.get(id));
  }
  return faults;
};

const stillNeeded = (
  members: ReadonlyMap<string, SetMember>,
  removed: readonly InstalledMod[],
  found: readonly FoundMod[],
): PlanFault[] => {
  const ids = new Set([
    ...[...members.values()].flatMap((member) => [...member.ids, ...member.provided]),
    ...found.flatMap(({ metadata }) => idsOf(metadata)),
  ]);
  return removed.flatMap((mod) => {
    const lost = new Set(idsOf(mod.metadata).filter((id) => !ids.has(id)));
    const needs = (requires: readonly string[]) => requires.some((id) => lost.has(id));
    const staying = [...members.values()].filter(
      ({ item, version, requires, isChanged }) =>
        version?.dependencies.some(
          ({ kind, project }) => kind === 'required' && `${item.source}:${project}` === mod.key,
        ) ||
        // For a changed mod, only the new version counts.
        (!isChanged && needs(requires)),
    );
    const foreign = found.filter(({ metadata }) => needs(metadata?.requires ?? []));
    return [
      ...staying.map(({ name }) => name),
      ...foreign.map(({ path, metadata }) => metadata?.name ?? path.split('/').at(-1) ?? path),
    ].map((name) => blocking('STILL_NEEDED', { mod: mod.name, other: name.slice(0, 200) }));
  });
};

const idsOf = (metadata: FoundMod['metadata']): readonly string[] =>
  metadata === null ? [] : [metadata.id, ...(metadata.provides ?? [])];

/** Finds staying mods that require a certain version of one that changes. */
const brokenPins = (members: ReadonlyMap<string, SetMember>): PlanFault[] =>
  [...members.values()]
    .filter((member) => !member.isChanged)
    .flatMap((member) =>
      (member.version?.dependencies ?? []).flatMap(({ kind, project, version }) => {
        const key = `${member.item.source}:${project}`;
        const other = kind === 'required' && version ? members.get(key) : undefined;
        return other?.isChanged && other.version?.id !== version
          ? [blocking('CONFLICT', { mod: other.name, other: member.name })]
          : [];
      }),
    );

const sameFiles = (members: ReadonlyMap<string, SetMember>): PlanFault[] => {
  const faults: PlanFault[] = [];
  const seen = new Map<string, SetMember>();
  const claim = (member: SetMember, what: string, detail: string | null): void => {
    const other = seen.get(what);
    if (!other) seen.set(what, member);
    else if (other.key !== member.key && (other.isChanged || member.isChanged))
      faults.push(blocking('SAME_FILE', { mod: member.name, other: other.name, detail }));
  };
  for (const member of members.values()) {
    const { sha512, sha1 } = member.item.file?.hashes ?? {};
    // Windows treats names that differ only in case as the same.
    for (const place of member.places) claim(member, `place ${place.toLowerCase()}`, place);
    // Loaders refuse to start with two mods of the same id.
    for (const id of member.ids) claim(member, `id ${id}`, id);
    if (sha512) claim(member, `sha512 ${sha512}`, null);
    if (sha1) claim(member, `sha1 ${sha1}`, null);
  }
  return [...faults, ...sameProjects(members)];
};

/** Authors publish on several sites: two sources, one mod, and the loader refuses to start with both. */
const sameProjects = (members: ReadonlyMap<string, SetMember>): PlanFault[] => {
  const byName = new Map<string, SetMember>();
  const faults: PlanFault[] = [];
  for (const member of members.values()) {
    if (!isSourceName(member.item.source)) continue;
    const name = member.name.toLowerCase();
    const other = byName.get(name);
    if (!other) byName.set(name, member);
    else if (other.item.source !== member.item.source && (other.isChanged || member.isChanged))
      faults.push(blocking('SAME_FILE', { mod: member.name, other: `${other.name} (${other.item.source})` }));
  }
  return faults;
};

/** Foreign files at the same path or with the same bytes. */
const inTheWay = (members: ReadonlyMap<string, SetMember>, found: readonly FoundMod[]): PlanFault[] =>
  [...members.values()]
    .filter((member) => member.isChanged)
    .flatMap((member) => {
      const places = new Set(member.places.map((place) => place.toLowerCase()));
      const { sha512, sha1 } = member.item.file?.hashes ?? {};
      const other = found.find(
        (file) =>
          places.has(file.path.toLowerCase()) ||
          (sha512 !== undefined && file.sha512 === sha512) ||
          (sha1 !== undefined && file.sha1 === sha1),
      );
      return other
        ? [
            blocking('FILE_IN_THE_WAY', {
              mod: member.name,
              detail: other.path,
              fileName: other.path.split('/').at(-1)?.slice(0, 200) ?? null,
            }),
          ]
        : [];
    });
