import type { ModProject } from '#contracts/mods/mods.ts';
import type { FoundMod, InstalledMod, ModFile, ModsList } from '#contracts/servers/agent-mods.ts';
import type { PlanMaterials, PlannedChange } from '../plan/plan.ts';
import type {
  ModSourceClient,
  SourceDependency,
  SourceFailure,
  SourceVersion,
} from '../sources/mod-source.ts';
import { fitsTarget, newestFirst } from '../sources/target-fit.ts';

export interface SampleVersion {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly dependencies?: readonly SourceDependency[];
  readonly loaders?: readonly string[];
  readonly channel?: SourceVersion['channel'];
  readonly fileName?: string;
  readonly hashes?: ModFile['hashes'];
  readonly bytes?: number;
  readonly isByHand?: boolean;
}

export interface SampleProject {
  readonly id: string;
  readonly name?: string;
  readonly side?: ModProject['side'];
  /** Oldest first. */
  readonly versions: readonly (string | SampleVersion)[];
}

/** A source whose projects are plain values, so that a plan depends on nothing else. */
export const sampleSource = (
  source: ModSourceClient['source'],
  projects: readonly SampleProject[],
  failure: SourceFailure | null = null,
): ModSourceClient => {
  const toProject = ({ id, name = id, side = 'both' }: SampleProject): ModProject => ({
    source,
    id,
    name,
    summary: '',
    iconUrl: null,
    author: null,
    license: null,
    page: null,
    downloads: null,
    updatedAt: null,
    side,
    form: 'file',
  });
  const versions = projects.flatMap(({ id: project, versions: own }) =>
    own.map((one, index) => toVersion(project, typeof one === 'string' ? { id: one } : one, index)),
  );
  return {
    source,
    search: async () => ({ rows: [], total: 0 }),
    projects: async (ids) => failure ?? projects.filter(({ id }) => ids.includes(id)).map(toProject),
    versions: async (project, target) =>
      failure ??
      (projects.some(({ id }) => id === project)
        ? versions.filter((one) => one.project === project && fitsTarget(one, target)).sort(newestFirst)
        : null),
    versionsById: async (ids) => failure ?? versions.filter(({ id }) => ids.includes(id)),
    identify: async (_game, files) =>
      failure ??
      new Map(
        files.flatMap(({ path, sha512 }) => {
          const known = versions.find(({ file }) => sha512 && file?.hashes.sha512 === sha512);
          return known ? [[path, known] as const] : [];
        }),
      ),
  };
};

const toVersion = (project: string, version: SampleVersion, index: number): SourceVersion => ({
  id: version.id,
  project,
  name: version.id,
  channel: version.channel ?? 'release',
  publishedAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  gameVersions: ['1.21.1'],
  loaders: [...(version.loaders ?? ['fabric'])],
  bytes: version.bytes ?? 10,
  changelog: `What is new in ${version.id}`,
  isByHand: version.isByHand ?? false,
  page: version.isByHand ? `https://source.example/${project}/${version.id}` : null,
  form: 'file',
  file: {
    name: version.fileName ?? `${project}-${version.id}.jar`,
    bytes: version.bytes ?? 10,
    hashes: version.hashes ?? {},
    from: { kind: 'address', url: `https://files.example/${version.id}.jar`, key: null },
  },
  dependencies: [
    ...(version.needs ?? []).map((id) => ({ kind: 'required' as const, project: id, version: null })),
    ...(version.dependencies ?? []),
  ],
});

export const emptyList: ModsList = {
  revision: 1,
  loader: 'fabric',
  loaderVersion: '0.16.9',
  gameVersion: '1.21.1',
  forms: ['file', 'pack'],
  installed: [],
  found: [],
  foundCount: 0,
  foundIds: [],
  obstacle: null,
  obstacleDetail: null,
  rehearsalObstacle: null,
  freeBytes: null,
  pending: null,
};

/** A managed mod, put there by an upload under this name. */
export const uploadedMod = (name: string): InstalledMod => ({
  key: `upload:${name}`,
  source: 'upload',
  project: null,
  version: null,
  name,
  versionName: null,
  form: 'file',
  folder: 'mods',
  file: null,
  byName: 'Ada',
  since: '2026-01-01T00:00:00Z',
  files: [],
  fileCount: 1,
  changedFiles: [],
  metadata: null,
});

export const foundFile = (path: string, sha512: string | null = null): FoundMod => ({
  path,
  bytes: 10,
  sha512,
  sha1: null,
  fingerprint: null,
  metadata: null,
  modifiedAt: '2026-01-01T00:00:00Z',
});

/** The server after the agent has carried out the plan. */
export const afterwards = (list: ModsList, planned: PlannedChange): ModsList => {
  const items = [...planned.put, ...planned.adopt.map(({ item }) => item)];
  const gone = new Set([...planned.remove, ...items.map(({ key }) => key)]);
  const installed = items.map((item): InstalledMod => {
    const path = `${item.folder}/${item.file?.name ?? item.key}`;
    return {
      ...item,
      since: '2026-01-01T00:00:00Z',
      files: [{ path, bytes: 10 }],
      fileCount: 1,
      changedFiles: [],
      metadata: null,
    };
  });
  const adopted = new Set(planned.adopt.map(({ path }) => path));
  return {
    ...list,
    revision: list.revision + 1,
    installed: [...list.installed.filter(({ key }) => !gone.has(key)), ...installed],
    found: list.found.filter(({ path }) => !adopted.has(path)),
  };
};

export const materialsOf = (
  projects: readonly SampleProject[],
  more: Partial<PlanMaterials> & { readonly curseforge?: readonly SampleProject[] } = {},
): PlanMaterials => ({
  sources: {
    modrinth: sampleSource('modrinth', projects),
    curseforge: sampleSource('curseforge', more.curseforge ?? []),
    steam: sampleSource('steam', []),
  },
  upload: async () => null,
  set: async () => null,
  before: async () => null,
  inspect: async () => ({ why: 'nothing lies there' }),
  ...more,
});
