import type { ModProject, ModSourceState } from '#contracts/mods/mods.ts';
import type { InstalledMod } from '#contracts/servers/agent-mods.ts';
import {
  isSourceFailure,
  type ModSourceClient,
  type ModTarget,
  type SourceFailure,
  type SourceVersion,
} from '../sources/mod-source.ts';
import type { PlanMaterials } from './plan.ts';

export type SourceName = ModSourceClient['source'];
const sources = { modrinth: true, curseforge: true, steam: true } satisfies Record<SourceName, true>;
export const sourceNames = Object.keys(sources) as SourceName[];

export const isSourceName = (source: string): source is SourceName =>
  sourceNames.some((name) => name === source);

/** Answers of the sources for one plan: each question is asked once, so that the plan reflects one moment. */
export type Lookups = ReturnType<typeof createLookups>;

export const createLookups = (sources: PlanMaterials['sources'], target: ModTarget, signal: AbortSignal) => {
  const projects = new Map<string, ModProject | null>();
  const versionsOf = new Map<string, Promise<readonly SourceVersion[] | null | SourceFailure>>();
  const versions = new Map<string, SourceVersion | null>();
  /** A source's first failure answers all further questions to it: people are waiting. */
  const failed = new Map<SourceName, SourceFailure>();

  const noteFailure = <Answer extends object | null>(source: SourceName, answer: Answer): Answer => {
    if (isSourceFailure(answer) && !failed.has(source)) failed.set(source, answer);
    return answer;
  };

  const prepareProjects = async (source: SourceName, ids: readonly string[]): Promise<void> => {
    const missing = [...new Set(ids)].filter((id) => !projects.has(`${source}:${id}`));
    if (missing.length === 0 || failed.has(source)) return;
    const answer = noteFailure(source, await sources[source].projects(missing, signal));
    if (isSourceFailure(answer)) return;
    for (const id of missing) projects.set(`${source}:${id}`, null);
    for (const project of answer) projects.set(`${source}:${project.id}`, project);
    // A person may have named it by its slug; a single question then has a single answer.
    const [only] = answer;
    if (missing.length === 1 && answer.length === 1 && only) projects.set(`${source}:${missing[0]}`, only);
  };

  const prepareVersions = async (
    source: SourceName,
    ids: readonly string[],
  ): Promise<SourceFailure | undefined> => {
    const missing = [...new Set(ids)].filter((id) => !versions.has(`${source}:${id}`));
    if (missing.length === 0) return undefined;
    const before = failed.get(source);
    if (before) return before;
    const answer = noteFailure(source, await sources[source].versionsById(missing, signal));
    if (isSourceFailure(answer)) return answer;
    for (const id of missing) versions.set(`${source}:${id}`, null);
    for (const version of answer) versions.set(`${source}:${version.id}`, version);
    return undefined;
  };

  const complete = async (
    source: SourceName,
    all: readonly SourceVersion[],
  ): Promise<readonly SourceVersion[]> => {
    const ids = all.flatMap(({ dependencies }) =>
      dependencies.flatMap(({ project, version }) => (project === null && version ? [version] : [])),
    );
    await prepareVersions(source, ids);
    return all.map((version) => ({
      ...version,
      dependencies: version.dependencies.map((dependency) => ({
        ...dependency,
        project: dependency.project ?? versions.get(`${source}:${dependency.version}`)?.project ?? null,
      })),
    }));
  };

  return {
    /** Asks for many at once where many are needed. */
    prepareProjects,
    /** Fills in the project of each dependency, even where it names only a version. */
    complete,

    async project(source: SourceName, id: string): Promise<ModProject | null | SourceFailure> {
      await prepareProjects(source, [id]);
      return projects.get(`${source}:${id}`) ?? failed.get(source) ?? null;
    },

    async versions(
      source: SourceName,
      project: string,
    ): Promise<readonly SourceVersion[] | null | SourceFailure> {
      const key = `${source}:${project}`;
      const asked =
        versionsOf.get(key) ??
        (async () =>
          failed.get(source) ??
          noteFailure(source, await sources[source].versions(project, target, signal)))();
      versionsOf.set(key, asked);
      return await asked;
    },

    /** Null: it does not exist, or fits no server. */
    async version(source: SourceName, id: string): Promise<SourceVersion | null | SourceFailure> {
      const failure = await prepareVersions(source, [id]);
      return failure ?? versions.get(`${source}:${id}`) ?? null;
    },

    /** The installed mods whose source still has their version, by key. */
    async installed(mods: readonly InstalledMod[]): Promise<ReadonlyMap<string, SourceVersion>> {
      const found = new Map<string, SourceVersion>();
      for (const source of sourceNames) {
        const own = mods.filter((mod) => mod.source === source && mod.version !== null);
        await prepareVersions(
          source,
          own.flatMap(({ version }) => version ?? []),
        );
        const known = own.flatMap(({ version }) => versions.get(`${source}:${version}`) ?? []);
        const whole = new Map((await complete(source, known)).map((version) => [version.id, version]));
        for (const { key, version } of own) {
          const one = whole.get(version ?? '');
          if (one) found.set(key, one);
        }
      }
      return found;
    },

    /** The changelogs of these versions, as far as there are any. */
    async changelogs(
      source: SourceName,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, string | null>> {
      const told = new Map<string, string | null>();
      if (ids.length === 0 || failed.has(source)) return told;
      // An update does not wait for its changelog: a failure here is not a fault of the plan.
      const answer = await sources[source].versionsById(ids, signal);
      if (!isSourceFailure(answer)) for (const { id, changelog } of answer) told.set(id, changelog);
      return told;
    },

    /** The sources that failed. */
    failures: (): readonly ModSourceState[] => [...failed.values()].map((failure) => failure.failed),
  };
};
