import { reasons } from '#contracts/kernel/reasons.ts';
import type { ChangeWish, PlanFault } from '#contracts/mods/mods.ts';
import type { ModFile, ModItem, ModsChange } from '#contracts/servers/agent-mods.ts';
import { isSourceFailure, type ModTarget, type SourceVersion, serves } from '../sources/mod-source.ts';
import { fileNameOf } from '../sources/source-text.ts';
import { otherLineOf, updateOf } from './choose-version.ts';
import { isSourceName, sourceNames } from './lookups.ts';
import { adoptedOwn, fileAtAddress, folderOf, type OwnMod, ownModOf } from './own-mods.ts';
import type { PlanMaterials, PlanSubject } from './plan.ts';
import { blocking, codeOf, said, sourceTitles } from './plan-faults.ts';
import { provenUpdate } from './proven-set.ts';
import type { Demand, ResolveOptions } from './resolve.ts';

/** What the wishes of a plan amount to, before anything is resolved. */
export interface Intent {
  readonly demands: Demand[];
  readonly removed: Set<string>;
  /** Everything that a set does not include is removed. */
  removesOthers: boolean;
  readonly own: OwnMod[];
  /** From before a job. */
  readonly restored: ModItem[];
  readonly adopted: ModsChange['adopt'][number][];
  /** Files that a person downloaded, by project key. */
  readonly byHand: Map<string, { readonly version: string; readonly file: ModFile; readonly sha1: string }>;
  readonly faults: PlanFault[];
}

interface ReadingOptions extends Pick<ResolveOptions, 'lookups' | 'installed' | 'installedVersions'> {
  readonly subject: PlanSubject;
  readonly materials: PlanMaterials;
  readonly target: ModTarget;
  readonly signal: AbortSignal;
}

export const readWishes = async (wishes: readonly ChangeWish[], options: ReadingOptions): Promise<Intent> => {
  const intent: Intent = {
    demands: [],
    removed: new Set(),
    removesOthers: false,
    own: [],
    restored: [],
    adopted: [],
    byHand: new Map(),
    faults: [],
  };
  // Wishes for single mods, and files downloaded for them, take precedence over wishes for all.
  const ordered = wishes.toSorted((a, b) => Number(a.do === 'update-all') - Number(b.do === 'update-all'));
  for (const wish of ordered) await readWish(wish, intent, options);
  return intent;
};

const readWish = async (wish: ChangeWish, intent: Intent, options: ReadingOptions): Promise<void> => {
  const { subject, materials, installed } = options;
  const { faults } = intent;
  switch (wish.do) {
    case 'install':
      demand(wish, intent, options);
      return;
    case 'install-upload':
      await readUpload(wish, intent, options);
      return;
    case 'install-address':
      await readAddress(wish, intent, options);
      return;
    case 'update': {
      const mod = installed.get(wish.key);
      if (!mod) faults.push(blocking('PROJECT_GONE', { mod: wish.key }));
      else if (mod.project && isSourceName(mod.source)) {
        demand({ source: mod.source, project: mod.project, version: wish.version }, intent, options);
        const versions = wish.version === null && (await options.lookups.versions(mod.source, mod.project));
        if (versions && !isSourceFailure(versions))
          faults.push(...otherLineFaults(mod, options.installedVersions.get(mod.key) ?? null, versions));
      } else if (mod.source === 'address' && mod.file?.from.kind === 'address')
        await readAddress({ url: mod.file.from.url, parts: mod.parts }, intent, options);
      else faults.push(blocking('NO_VERSION_FITS', { mod: mod.name }));
      return;
    }
    case 'update-all':
      await readUpdateAll(intent, options);
      return;
    case 'remove':
      if (installed.has(wish.key)) intent.removed.add(wish.key);
      else faults.push(said('PROJECT_GONE', { mod: wish.key }));
      return;
    case 'adopt':
      await readAdoption(wish.path, intent, options);
      return;
    case 'set': {
      const set = await materials.set(wish.set);
      if (!set) {
        faults.push(blocking('PROJECT_GONE', { mod: wish.set }));
        return;
      }
      for (const item of set.items) demand(item, intent, options);
      intent.removesOthers ||= wish.removeOthers;
      return;
    }
    case 'undo': {
      const before = await materials.before(wish.job);
      if (!before) {
        faults.push(blocking('PROJECT_GONE', { mod: wish.job }));
        return;
      }
      intent.restored.push(...before.put.map((item) => ({ ...item, byName: subject.byName })));
      for (const key of before.remove) if (installed.has(key)) intent.removed.add(key);
    }
  }
};

const demand = (
  { source, project, version }: Demand,
  { demands, faults }: Intent,
  { subject }: ReadingOptions,
): void => {
  if (serves(source, subject.game)) demands.push({ source, project, version });
  else faults.push(blocking('WRONG_GAME', { mod: project, project, version }));
};

const readUpload = async (
  wish: Extract<ChangeWish, { do: 'install-upload' }>,
  intent: Intent,
  { materials, target, subject }: ReadingOptions,
): Promise<void> => {
  const upload = await materials.upload(wish.upload);
  if (!upload) {
    intent.faults.push(blocking('PROJECT_GONE', { mod: wish.upload }));
    return;
  }
  if (wish.for) {
    // Only CurseForge has files that a person has to download.
    const { project, version } = wish.for;
    intent.demands.push({ source: 'curseforge', project, version });
    intent.byHand.set(`curseforge:${project}`, { version, file: upload.file, sha1: upload.sha1 });
    return;
  }
  const { parts } = wish;
  takeOwn(ownModOf('upload', upload.file, upload, { target, byName: subject.byName, parts }), intent);
};

const readAddress = async (
  { url, parts }: { readonly url: string; readonly parts?: readonly string[] | undefined },
  intent: Intent,
  options: ReadingOptions,
): Promise<void> => {
  const { materials, target, subject } = options;
  const file = fileAtAddress(url);
  const inspected = await materials.inspect(file);
  if ('why' in inspected) {
    intent.faults.push(blocking('NOT_A_MOD', { mod: file.name, detail: inspected.why }));
    return;
  }
  const { bytes, sha512, sha1 } = inspected;
  const known: ModFile = { ...file, bytes, hashes: { sha512, sha1 } };
  takeOwn(ownModOf('address', known, inspected, { target, byName: subject.byName, parts }), intent);
};

const takeOwn = (made: OwnMod | PlanFault, { own, faults }: Intent): void => {
  if ('code' in made) {
    faults.push(made);
    return;
  }
  own.push(made);
  faults.push(...made.notes);
};

/** A mod without an update stays in the set to resolve: what it requires must stay unchanged. */
const readUpdateAll = async (intent: Intent, options: ReadingOptions): Promise<void> => {
  const { installed, installedVersions, lookups, subject } = options;
  const mods = [...installed.values()];
  for (const source of sourceNames) {
    const ids = mods.flatMap((mod) => (mod.source === source && mod.project ? [mod.project] : []));
    await lookups.prepareProjects(source, ids);
    await Promise.all(ids.map((id) => lookups.versions(source, id)));
  }
  const silent = new Map<string, PlanFault>();
  for (const mod of mods) {
    const { key, source, project, version, name, versionName } = mod;
    if (!project || !isSourceName(source) || intent.removed.has(key)) continue;
    const found = await lookups.project(source, project);
    const versions = found && !isSourceFailure(found) ? await lookups.versions(source, project) : found;
    const proof = subject.proven?.mods[key];
    // Half of what the first server of a wave has proven is not proven.
    const say = proof && proof.version !== version ? blocking : said;
    if (versions === null) intent.faults.push(say('PROJECT_GONE', { mod: name, project, version }));
    else if (isSourceFailure(versions))
      silent.set(
        source,
        blocking(codeOf(versions), { detail: reasons['mods-updates-unknown'](sourceTitles[source]) }),
      );
    else if (versions.length === 0) intent.faults.push(say('NO_VERSION_FITS', { mod: name, project }));
    else if (!intent.byHand.has(key)) {
      const current = installedVersions.get(key) ?? null;
      const next = subject.proven
        ? provenUpdate(proof, version, current, versions)
        : { version: null, update: updateOf(version, current, versions, versionName) };
      const { update } = next;
      if (!subject.proven && !subject.pins.has(key))
        intent.faults.push(...otherLineFaults(mod, current, versions));
      const pin = subject.pins.get(key);
      const stays = pin !== undefined || update?.isByHand === true;
      intent.demands.push({ source, project, version: stays ? version : next.version });
      if (!update || !stays) continue;
      intent.faults.push(
        pin
          ? said('PINNED', { mod: name, other: update.name, detail: pin.reason })
          : said('BY_HAND', byHandOf(name, update)),
      );
    }
  }
  intent.faults.push(...silent.values());
};

/** What stays because another version would go back, or is made for something else. */
export const otherLineFaults = (
  { name, version, versionName }: Pick<ModItem, 'name' | 'version' | 'versionName'>,
  installed: SourceVersion | null,
  versions: readonly SourceVersion[],
): PlanFault[] => {
  const other = otherLineOf(version, installed, versions, versionName);
  if (other === null) return [];
  const lineOf = (line: Pick<SourceVersion, 'gameVersions' | 'loaders'>) =>
    [...line.gameVersions.slice(0, 3), ...line.loaders.slice(0, 3)].join(', ');
  const lines = [
    ...(installed === null ? [] : [`${installed.name} (${lineOf(installed)})`]),
    `${other.name} (${lineOf(other)})`,
  ];
  return [said('OTHER_LINE', { mod: name, other: other.name, detail: lines.join('; ') })];
};

/** What a person has to know to download a file. */
export const byHandOf = (mod: string, { page, file, project, id }: SourceVersion) => ({
  mod,
  page,
  fileName: file?.name ?? null,
  sha1: file?.hashes.sha1 ?? null,
  project,
  version: id,
});

const readAdoption = async (path: string, intent: Intent, options: ReadingOptions): Promise<void> => {
  const { subject, materials, target, signal } = options;
  const found = subject.list.found.find((one) => one.path === path);
  if (!found) {
    intent.faults.push(blocking('PROJECT_GONE', { mod: path.slice(0, 200) }));
    return;
  }
  const name = path.split('/').at(-1)?.slice(0, 200) ?? null;
  const { sha512 } = found;
  if (sha512 === null) {
    intent.faults.push(blocking('NOT_A_MOD', { mod: name, detail: reasons['mods-adopt-file'] }));
    return;
  }
  for (const source of sourceNames) {
    if (!serves(source, subject.game)) continue;
    const known = await materials.sources[source].identify(subject.game, [found], signal);
    if (isSourceFailure(known)) {
      // Without a key this cannot be checked; the file is adopted all the same.
      if (known.failed.state !== 'no-key') intent.faults.push(blocking(codeOf(known), { mod: name }));
      continue;
    }
    const version = known.get(path);
    const project = version ? await options.lookups.project(source, version.project) : null;
    if (!version || !project || isSourceFailure(project)) continue;
    intent.adopted.push({
      path,
      sha512,
      item: {
        key: `${source}:${version.project}`,
        source,
        project: version.project,
        version: version.id,
        name: project.name,
        versionName: version.name.slice(0, 100),
        form: 'file',
        folder: folderOf(target),
        file: version.file && { ...version.file, name: fileNameOf(name ?? '', version.file.name) },
        byName: subject.byName,
      },
    });
    return;
  }
  intent.adopted.push({
    path,
    sha512,
    item: adoptedOwn(found, sha512, { target, byName: subject.byName }),
  });
};
