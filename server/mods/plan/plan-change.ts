import { formatIn } from '#contracts/kernel/format.ts';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { PlanFault, PlanLine } from '#contracts/mods/mods.ts';
import { type InstalledMod, type ModItem, mostMods } from '#contracts/servers/agent-mods.ts';
import { largestAgentFrame } from '#contracts/servers/agent-protocol.ts';
import type { ModTarget, SourceVersion } from '../sources/mod-source.ts';
import { checkSet, type SetMember, stayingMember } from './check-set.ts';
import { createLookups, type Lookups, sourceNames } from './lookups.ts';
import { folderOf, type OwnMod, ownFaults } from './own-mods.ts';
import type { PlanChange, PlanSubject } from './plan.ts';
import { blocking, codeOf, distinctFaults, said, sourceTitles } from './plan-faults.ts';
import { leftUnproven, otherThanProven, unproven } from './proven-set.ts';
import { byHandOf, type Intent, readWishes } from './read-wishes.ts';
import { type ResolvedMod, resolveDemands } from './resolve.ts';
import { goneFiles } from './restored-files.ts';
import { unneededMods } from './unneeded-mods.ts';

export const planChange: PlanChange = async (subject, wishes, materials, signal) => {
  const { list, game, proven } = subject;
  const other = proven && otherThanProven(list, proven);
  if (other)
    return {
      put: [],
      remove: [],
      adopt: [],
      lines: [],
      faults: [other],
      downloadBytes: 0,
      unneeded: [],
      sources: [],
    };
  const target: ModTarget = {
    game,
    loader: list.loader,
    gameVersion: list.gameVersion,
    forms: list.forms,
  };
  const lookups = createLookups(materials.sources, target, signal);
  const installed = new Map(list.installed.map((mod) => [mod.key, mod]));
  const installedVersions = await lookups.installed(list.installed);

  const unknownNeeds = lookups
    .failures()
    .map((failed) =>
      said(codeOf({ failed }), { detail: reasons['mods-needs-unknown'](sourceTitles[failed.source]) }),
    );

  const known = { lookups, installed, installedVersions, target };
  const intent = await readWishes(wishes, { ...known, subject, materials, signal });
  const names = new Map(
    list.installed.filter(({ key }) => !intent.removed.has(key)).map((mod) => [mod.name.toLowerCase(), mod]),
  );
  const resolution = await resolveDemands(intent.demands, {
    ...known,
    proven,
    removed: intent.removed,
    isThereFromElsewhere: ({ source, name }) => {
      const mod = names.get(name.toLowerCase());
      return mod !== undefined && mod.source !== source;
    },
  });

  const faults: PlanFault[] = [...unknownNeeds, ...intent.faults, ...resolution.faults];
  const members = new Map(
    list.installed.map((mod) => [mod.key, stayingMember(mod, installedVersions.get(mod.key) ?? null)]),
  );
  const put = (member: SetMember): void => {
    const before = installed.get(member.key);
    const pin = before && subject.pins.get(member.key);
    if (pin) {
      const told = { mod: before.name, other: member.item.versionName, detail: pin.reason };
      faults.push(blocking('PINNED', told));
      return;
    }
    // Moves it behind what it requires, even if it was there before.
    members.delete(member.key);
    members.set(member.key, member);
  };

  const neededBy = new Map<string, string | null>();
  for (const mod of dependenciesFirst(resolution.mods)) {
    const { version } = mod;
    if (!version || installed.get(mod.key)?.version === version.id) continue;
    neededBy.set(mod.key, mod.neededBy);
    put(resolvedMember(mod, version, { intent, subject, target }, faults));
  }
  for (const own of intent.own) if (!isSame(own.item, installed.get(own.item.key))) put(ownMember(own));
  const restored = intent.restored.filter((item) => !isSame(item, installed.get(item.key)));
  faults.push(...(await goneFiles(restored, materials)));
  for (const item of restored) put(itemMember(item));
  for (const { item } of intent.adopted) {
    if (members.has(item.key))
      faults.push(blocking('SAME_FILE', { mod: item.name, other: members.get(item.key)?.name ?? null }));
    else members.set(item.key, itemMember(item));
  }

  const removed = removals(intent, subject, resolution.mods, members, faults);
  for (const { key } of removed) members.delete(key);
  const adoptedPaths = new Set(intent.adopted.map(({ path }) => path));
  faults.push(
    ...checkSet(
      members,
      removed,
      list.found.filter(({ path }) => !adoptedPaths.has(path)),
    ),
    ...intent.own.flatMap((own) => {
      const others = [...members.values()].filter(({ key }) => key !== own.item.key);
      const foreign = list.found.flatMap(({ metadata }) => metadata ?? []);
      return ownFaults(
        own,
        [
          ...others.map(({ name, ids, provided }) => ({ name, ids: [...ids, ...provided] })),
          ...foreign.map(({ id, name, provides = [] }) => ({ name: name ?? id, ids: [id, ...provides] })),
        ],
        others.every(({ ids }) => ids.length > 0) && foreign.length === list.foundCount,
      );
    }),
  );

  const adoptedKeys = new Set(intent.adopted.map(({ item }) => item.key));
  const changed = [...members.values()].filter(({ isChanged, key }) => isChanged && !adoptedKeys.has(key));
  if (proven) {
    const left = list.installed.filter(({ key }) => resolution.mods.has(key) && !members.get(key)?.isChanged);
    faults.push(
      ...unproven(
        changed.map(({ item }) => item),
        proven,
      ),
      ...leftUnproven(left, proven),
    );
  }
  const adopt = intent.adopted.filter(({ item }) => members.get(item.key)?.item === item);
  const downloadBytes = changed.reduce((sum, { item }) => sum + (item.file?.bytes ?? 0), 0);
  if (members.size > mostMods)
    faults.push(blocking('NO_ROOM', { detail: reasons['mods-too-many'](members.size, mostMods) }));
  if (list.freeBytes !== null && downloadBytes > list.freeBytes)
    faults.push(blocking('NO_ROOM', { detail: noSpace(downloadBytes, list.freeBytes) }));
  const change = {
    put: changed.map(({ item }) => item),
    remove: removed.map(({ key }) => key),
    adopt,
  };
  if (Buffer.byteLength(JSON.stringify(change)) > mostChangeBytes)
    faults.push(blocking('NO_ROOM', { detail: reasons['mods-too-large'] }));

  const canTellNeeds = lookups.failures().length === 0 && !faults.some(({ isBlocking }) => isBlocking);
  const changelogs = await changelogsOf(changed, installed, lookups);

  return {
    ...change,
    lines: [
      ...changed.map(({ key, item }) => ({
        ...putLine(item, installed.get(key)),
        neededBy: neededBy.get(key) ?? null,
        changelog: changelogs.get(key) ?? null,
      })),
      ...adopt.map(({ item }) => adoptLine(item)),
      ...removed.map(removeLine),
    ],
    faults: distinctFaults(faults),
    downloadBytes,
    unneeded: canTellNeeds ? unneededMods(members, subject) : [],
    sources: lookups.failures(),
  };
};

const noSpace = (needed: number, free: number): string => {
  const { bytes } = formatIn('en');
  return reasons['mods-no-space'](bytes(needed), bytes(free));
};

/** An agent ends the connection on a larger frame, and the rest of the task has to fit as well. */
const mostChangeBytes = largestAgentFrame - 64 * 1024;

/** A game that reads a list of ids loads them in its order. */
const dependenciesFirst = (mods: ReadonlyMap<string, ResolvedMod>): ResolvedMod[] => {
  const ordered = new Set<ResolvedMod>();
  const visiting = new Set<string>();
  const visit = (mod: ResolvedMod): void => {
    if (visiting.has(mod.key)) return;
    visiting.add(mod.key);
    for (const { kind, project } of mod.version?.dependencies ?? []) {
      const other = kind === 'required' ? mods.get(`${mod.project.source}:${project}`) : undefined;
      if (other) visit(other);
    }
    ordered.add(mod);
  };
  for (const mod of mods.values()) visit(mod);
  return [...ordered];
};

const resolvedMember = (
  { key, project, neededBy }: ResolvedMod,
  version: SourceVersion,
  { intent, subject, target }: { intent: Intent; subject: PlanSubject; target: ModTarget },
  faults: PlanFault[],
): SetMember => {
  const fetched = intent.byHand.get(key);
  const given = fetched?.version === version.id ? fetched : undefined;
  const { file } = version;
  const told = { ...byHandOf(project.name, version), other: neededBy };
  if (given && file?.hashes.sha1 && given.sha1 !== file.hashes.sha1)
    faults.push(blocking('HASH_WRONG', told));
  else if (version.isByHand && !given) faults.push(blocking('BY_HAND', told));
  const item: ModItem = {
    key,
    source: project.source,
    project: project.id,
    version: version.id,
    name: project.name,
    versionName: version.name.slice(0, 100),
    form: version.form,
    folder: version.form === 'file' ? folderOf(target) : null,
    // The source's name stays: the game and people know the file by it.
    file: given && file ? { ...given.file, name: file.name } : (given?.file ?? file),
    byName: subject.byName,
  };
  return { ...itemMember(item), version };
};

const itemMember = (item: ModItem): SetMember => ({
  key: item.key,
  name: item.name,
  item,
  isChanged: true,
  version: null,
  places: item.form === 'file' && item.folder && item.file ? [`${item.folder}/${item.file.name}`] : [],
  ids: [],
  provided: [],
  requires: [],
  breaks: [],
});

const ownMember = ({ item, metadata, places }: OwnMod): SetMember => ({
  ...itemMember(item),
  places,
  ids: metadata.map(({ id }) => id),
  provided: metadata.flatMap(({ provides = [] }) => provides),
  requires: metadata.flatMap(({ requires }) => requires),
  breaks: metadata.flatMap(({ breaks }) => breaks),
});

const partsOf = ({ parts = [] }: Pick<ModItem, 'parts'>): string => JSON.stringify(parts.toSorted());

const isSame = (item: ModItem, installed: InstalledMod | undefined): boolean => {
  if (!installed || installed.version !== item.version) return false;
  if (partsOf(installed) !== partsOf(item)) return false;
  const { sha512, sha1 } = item.file?.hashes ?? {};
  const there = installed.file?.hashes ?? {};
  if (sha512 && there.sha512) return sha512 === there.sha512;
  if (sha1 && there.sha1) return sha1 === there.sha1;
  return item.version !== null;
};

const removals = (
  intent: Intent,
  { list, pins }: PlanSubject,
  resolved: ReadonlyMap<string, ResolvedMod>,
  members: ReadonlyMap<string, SetMember>,
  faults: PlanFault[],
): InstalledMod[] =>
  list.installed.filter((mod) => {
    const { key, name } = mod;
    if (intent.removed.has(key)) {
      const isWanted = resolved.has(key) || members.get(key)?.isChanged;
      if (isWanted) faults.push(blocking('CONFLICT', { mod: name }));
      return !isWanted;
    }
    if (!intent.removesOthers || resolved.has(key) || members.get(key)?.isChanged) return false;
    const pin = pins.get(key);
    if (pin) faults.push(blocking('PINNED', { mod: name, detail: pin.reason }));
    return !pin;
  });

/** The changelogs of updates; a source that serves them separately is asked only for those of this plan. */
const changelogsOf = async (
  changed: readonly SetMember[],
  installed: ReadonlyMap<string, InstalledMod>,
  lookups: Lookups,
): Promise<ReadonlyMap<string, string | null>> => {
  const found = new Map<string, string | null>();
  const updates = changed.filter(({ key }) => installed.has(key));
  for (const source of sourceNames) {
    const own = updates.filter(({ item, version }) => item.source === source && version !== null);
    const lacking = own.flatMap(({ version }) => (version && version.changelog === null ? [version.id] : []));
    const told = await lookups.changelogs(source, lacking);
    for (const { key, version } of own)
      found.set(key, version?.changelog ?? told.get(version?.id ?? '') ?? null);
  }
  return found;
};

const putLine = (
  item: ModItem,
  before: InstalledMod | undefined,
): Omit<PlanLine, 'neededBy' | 'changelog'> => ({
  change: before ? 'update' : 'add',
  key: item.key,
  source: item.source,
  name: item.name,
  from: before?.versionName ?? null,
  to: item.versionName,
  bytes: item.file?.bytes ?? 0,
});

const adoptLine = (item: ModItem): PlanLine => ({
  change: 'adopt',
  key: item.key,
  source: item.source,
  name: item.name,
  from: null,
  to: item.versionName,
  bytes: 0,
  neededBy: null,
  changelog: null,
});

const removeLine = ({ key, source, name, versionName }: InstalledMod): PlanLine => ({
  change: 'remove',
  key,
  source,
  name,
  from: versionName,
  to: null,
  bytes: 0,
  neededBy: null,
  changelog: null,
});
