import { reasons } from '#contracts/kernel/reasons.ts';
import type { ModProject, PlanFault } from '#contracts/mods/mods.ts';
import { type InstalledMod, mostMods } from '#contracts/servers/agent-mods.ts';
import type { ProvenSet } from '../../kernel/database/stored-values.ts';
import { isSourceFailure, type ModTarget, type SourceVersion } from '../sources/mod-source.ts';
import { fitsTarget } from '../sources/target-fit.ts';
import { newestOf, updateOf } from './choose-version.ts';
import type { Lookups, SourceName } from './lookups.ts';
import { blocking, codeOf, said } from './plan-faults.ts';
import { isOlder } from './proven-set.ts';

/** A project that someone asked for. */
export interface Demand {
  readonly source: SourceName;
  readonly project: string;
  /** Null: the newest that fits. */
  readonly version: string | null;
}

/** A project of the planned set. */
export interface ResolvedMod {
  readonly key: string;
  readonly project: ModProject;
  /** Null: it is installed, and its source no longer knows the version. */
  readonly version: SourceVersion | null;
  /** By name; null: someone asked for it. */
  readonly neededBy: string | null;
}

export interface ResolveOptions {
  readonly target: ModTarget;
  readonly lookups: Lookups;
  readonly installed: ReadonlyMap<string, InstalledMod>;
  readonly installedVersions: ReadonlyMap<string, SourceVersion>;
  readonly proven: ProvenSet | null;
  /** Keys of the mods to remove. */
  readonly removed: ReadonlySet<string>;
  /** Whether a mod of that name is installed from another source, and stays. */
  readonly isThereFromElsewhere: (project: ModProject) => boolean;
}

interface Resolution {
  readonly mods: ReadonlyMap<string, ResolvedMod>;
  readonly faults: readonly PlanFault[];
}

/** A version that is required, by a wish or by a version of another project that names it. */
interface Fixed {
  readonly version: string;
  /** Null: a wish. */
  readonly by: { readonly key: string; readonly version: string; readonly name: string } | null;
}

interface Need {
  readonly source: SourceName;
  readonly project: string | null;
  readonly version: string | null;
  readonly by: Exclude<Fixed['by'], null> | null;
}

/** More than a server may have, whatever a source claims is required. */
const mostResolved = 2 * mostMods;
/** More passes mean a cycle of versions that exclude one another. */
const mostPasses = 50;

/**
 * Resolves all wishes with everything they require. A dependency that names a version fixes it for all; because earlier
 * choices may then have other requirements, the search starts over until something in the set still names each fixed
 * version.
 */
export const resolveDemands = async (
  wished: readonly Demand[],
  options: ResolveOptions,
): Promise<Resolution> => {
  const demands = await byIds(wished, options.lookups);
  const fixed = new Map<string, Fixed>();
  const wishFaults: PlanFault[] = [];
  for (const { source, project, version } of demands) {
    const key = `${source}:${project}`;
    const other = fixed.get(key);
    if (version === null || other?.version === version) continue;
    if (other)
      wishFaults.push(blocking('CONFLICT', { mod: project, detail: `${other.version}, ${version}` }));
    else fixed.set(key, { version, by: null });
  }

  for (let pass = 1; ; pass += 1) {
    const found = await resolveOnce(demands, fixed, options);
    const faults = [...wishFaults, ...found.faults];
    if (found.newlyFixed) {
      if (pass === mostPasses)
        return { mods: found.mods, faults: [...faults, tangled(found.mods.get(found.newlyFixed.key))] };
      fixed.set(found.newlyFixed.key, found.newlyFixed);
      continue;
    }
    const stale = [...fixed].find(([, { by }]) => by && found.mods.get(by.key)?.version?.id !== by.version);
    if (!stale) return { mods: found.mods, faults };
    if (pass === mostPasses)
      return { mods: found.mods, faults: [...faults, tangled(found.mods.get(stale[0]))] };
    fixed.delete(stale[0]);
  }
};

/** A wish may also name a project by its slug; from here on it has its id. */
const byIds = async (wished: readonly Demand[], lookups: Lookups): Promise<readonly Demand[]> => {
  for (const source of new Set(wished.map((demand) => demand.source)))
    await lookups.prepareProjects(
      source,
      wished.filter((demand) => demand.source === source).map(({ project }) => project),
    );
  return await Promise.all(
    wished.map(async (demand) => {
      const named = await lookups.project(demand.source, demand.project);
      return named && !isSourceFailure(named) ? { ...demand, project: named.id } : demand;
    }),
  );
};

const tangled = (mod: ResolvedMod | undefined): PlanFault =>
  blocking('CONFLICT', { mod: mod?.project.name ?? null, detail: reasons['mods-contradict'] });

const resolveOnce = async (
  demands: readonly Demand[],
  fixed: ReadonlyMap<string, Fixed>,
  options: ResolveOptions,
): Promise<Resolution & { readonly newlyFixed: (Fixed & { readonly key: string }) | null }> => {
  const { lookups, removed } = options;
  const mods = new Map<string, ResolvedMod>();
  const keptOff = new Set<string>();
  const faults: PlanFault[] = [];
  let needs: readonly Need[] = demands.map((demand) => ({ ...demand, by: null }));

  while (needs.length > 0) {
    await prepare(needs, options);
    const next: Need[] = [];
    for (const need of needs) {
      const { source, by } = need;
      const named = await projectOf(need, lookups);
      if (named === null || isSourceFailure(named)) {
        faults.push(missing(need, named, nameOf(need)));
        continue;
      }
      const key = `${source}:${named.id}`;
      if (keptOff.has(key)) continue;
      if (by && removed.has(key)) {
        faults.push(blocking('STILL_NEEDED', { mod: named.name, other: by.name }));
        continue;
      }
      const already = mods.get(key);
      if (already) {
        if (!need.version || already.version?.id === need.version) continue;
        const rule = fixed.get(key);
        if (rule || !by) faults.push(await conflictOf(named, need, rule, lookups));
        else return { mods, faults, newlyFixed: { key, version: need.version, by } };
        continue;
      }
      if (by && !options.installed.has(key) && options.isThereFromElsewhere(named)) continue;
      if (named.side === 'client') {
        keptOff.add(key);
        faults.push(said('CLIENT_ONLY', { mod: named.name, other: by?.name ?? null, page: named.page }));
        continue;
      }
      const rule = fixed.get(key);
      if (rule && need.version && rule.version !== need.version)
        faults.push(await conflictOf(named, need, rule, lookups));
      const chosen = await choose(key, named, need, rule?.version ?? need.version, options);
      if (chosen !== null && 'code' in chosen) {
        faults.push(chosen);
        continue;
      }
      const [version = null] = chosen ? await lookups.complete(source, [chosen]) : [];
      mods.set(key, { key, project: named, version, neededBy: by?.name ?? null });
      if (mods.size > mostResolved) {
        faults.push(blocking('NO_ROOM', { mod: named.name, other: by?.name ?? null }));
        return { mods, faults, newlyFixed: null };
      }
      for (const dependency of version?.dependencies ?? [])
        if (dependency.kind === 'required' && version)
          next.push({
            source,
            project: dependency.project,
            version: dependency.version,
            by: { key, version: version.id, name: named.name },
          });
    }
    needs = next;
  }
  return { mods, faults, newlyFixed: null };
};

/** Asks for many at once, before each is examined alone. */
const prepare = async (needs: readonly Need[], { lookups, installed }: ResolveOptions): Promise<void> => {
  for (const source of new Set(needs.map((need) => need.source))) {
    const own = needs.filter((need) => need.source === source);
    await lookups.prepareProjects(
      source,
      own.flatMap(({ project }) => project ?? []),
    );
    const chosen = own.filter(({ project, by }) => !by || !installed.has(`${source}:${project}`));
    await Promise.all(chosen.flatMap(({ project }) => (project ? [lookups.versions(source, project)] : [])));
  }
};

const projectOf = async (
  { source, project, version }: Need,
  lookups: Lookups,
): ReturnType<Lookups['project']> => {
  if (project) return await lookups.project(source, project);
  const named = version ? await lookups.version(source, version) : null;
  return named === null || isSourceFailure(named) ? named : await lookups.project(source, named.project);
};

const nameOf = ({ project, version }: Need): string => project ?? version ?? '?';

const missing = (need: Need, answer: Parameters<typeof codeOf>[0] | null, name: string): PlanFault => {
  const told = { mod: name, other: need.by?.name ?? null, project: need.project, version: need.version };
  if (answer) return blocking(codeOf(answer), { ...told, detail: answer.failed.why ?? null });
  return blocking(need.by ? 'DEPENDENCY_GONE' : 'PROJECT_GONE', told);
};

const conflictOf = async (
  project: ModProject,
  need: Need,
  rule: Fixed | undefined,
  lookups: Lookups,
): Promise<PlanFault> => {
  // Which version each of the two requires, in people's terms.
  const named = [rule, need].flatMap((one) => (one?.version ? [{ ...one, version: one.version }] : []));
  const wanted = await Promise.all(
    named.map(async ({ version, by }) => {
      const found = await lookups.version(need.source, version);
      const name = found && !isSourceFailure(found) ? found.name : version;
      return by ? `${name} (${by.name})` : name;
    }),
  );
  return blocking('CONFLICT', {
    mod: project.name,
    other: need.by?.name ?? rule?.by?.name ?? null,
    detail: wanted.length > 0 ? wanted.join(', ') : null,
  });
};

/** @returns null: the installed one stays, whatever it is */
const choose = async (
  key: string,
  project: ModProject,
  need: Need,
  wanted: string | null,
  { lookups, target, installed, installedVersions, proven }: ResolveOptions,
): Promise<SourceVersion | PlanFault | null> => {
  const { source, by } = need;
  const there = installed.get(key);
  const thereVersion = installedVersions.get(key) ?? null;
  if (there && wanted !== null && there.version === wanted) return thereVersion;
  // The installed version is good enough for the mods that need it.
  if (there && by && wanted === null && (!thereVersion || fitsTarget(thereVersion, target)))
    return thereVersion;

  const told = { mod: project.name, other: by?.name ?? null, project: project.id, version: wanted };
  const exact = wanted ?? proven?.mods[key]?.version ?? null;
  if (proven && exact === null) return there ? thereVersion : blocking('NOT_PROVEN', told);
  const none = () => blocking(by ? 'DEPENDENCY_NO_VERSION' : 'NO_VERSION_FITS', told);
  const versions = await lookups.versions(source, project.id);
  if (isSourceFailure(versions))
    return blocking(codeOf(versions), { ...told, detail: versions.failed.why ?? null });
  if (versions === null) return blocking(by ? 'DEPENDENCY_GONE' : 'PROJECT_GONE', told);
  if (exact !== null) {
    const listed = versions.find(({ id }) => id === exact);
    if (listed) return wanted === null && isOlder(listed, thereVersion) ? thereVersion : listed;
    // An old one is not in the list.
    const older = await lookups.version(source, exact);
    if (isSourceFailure(older)) return blocking(codeOf(older), { ...told, detail: older.failed.why ?? null });
    // A game that downloads by mod id always gets the newest version.
    const canBeHad = older?.project === project.id && older.form !== 'id' && fitsTarget(older, target);
    return older && canBeHad ? older : none();
  }
  if (there) {
    const update = updateOf(there.version, thereVersion, versions, there.versionName);
    return update ?? (newestOf(versions) === null ? none() : thereVersion);
  }
  return newestOf(versions) ?? none();
};
