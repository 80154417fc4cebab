import { createHash } from 'node:crypto';
import type { GameId } from '#contracts/servers/games.ts';
import { fingerprintOf } from './fingerprint.ts';

export const sourceNames = ['modrinth', 'curseforge', 'steam'] as const;
export type SourceName = (typeof sourceNames)[number];

export interface StockedDependency {
  readonly kind: 'required' | 'optional' | 'incompatible' | 'embedded';
  readonly project?: string;
  /** Modrinth only. */
  readonly version?: string;
}

/** A version of a project, or a file of CurseForge, as a test wants it. */
export interface StockedVersion {
  /** CurseForge's are numbers; Steam has none. */
  readonly id: string;
  readonly number?: string;
  /** As the source writes them: `fabric`, `paper`; CurseForge's `Fabric`, `NeoForge`, `Client`, `Server` are in `gameVersions`. */
  readonly loaders?: readonly string[];
  readonly gameVersions?: readonly string[];
  readonly channel?: 'release' | 'beta' | 'alpha';
  readonly publishedAt?: string;
  readonly changelog?: string;
  readonly fileName?: string;
  readonly content?: Buffer;
  readonly dependencies?: readonly StockedDependency[];
  /** CurseForge: the id of another file of the project for servers. */
  readonly serverPack?: string;
  readonly isServerPack?: boolean;
}

export interface StockedProject {
  readonly source: SourceName;
  /** Modrinth's have eight letters and digits; the others are numbers. */
  readonly id: string;
  readonly game?: GameId;
  readonly slug?: string;
  readonly name?: string;
  readonly summary?: string;
  readonly author?: string;
  readonly license?: string;
  readonly type?: 'mod' | 'plugin' | 'modpack';
  /** Modrinth only. */
  readonly clientSide?: 'required' | 'optional' | 'unsupported' | 'unknown';
  readonly serverSide?: 'required' | 'optional' | 'unsupported' | 'unknown';
  /** CurseForge: false if the author does not let programs download the files. */
  readonly allowModDistribution?: boolean;
  readonly versions?: readonly StockedVersion[];
}

/** A file that can be downloaded. */
export interface StockedFile {
  readonly source: SourceName | 'address';
  readonly name: string;
  readonly content: Buffer;
  readonly sha1: string;
  readonly sha512: string;
  readonly md5: string;
  readonly fingerprint: number;
  /** Relative to the origin of the files. */
  readonly path: string;
}

export type Version = Required<Omit<StockedVersion, 'changelog' | 'serverPack' | 'content' | 'fileName'>> & {
  readonly changelog: string | null;
  readonly serverPack: string | null;
  readonly file: StockedFile;
};
export type Project = Required<Omit<StockedProject, 'versions'>> & { readonly versions: readonly Version[] };

const hash = (algorithm: string, content: Buffer): string =>
  createHash(algorithm).update(content).digest('hex');

const toFile = (
  source: StockedFile['source'],
  folder: string,
  name: string,
  content: Buffer,
): StockedFile => ({
  source,
  name,
  content,
  sha1: hash('sha1', content),
  sha512: hash('sha512', content),
  md5: hash('md5', content),
  fingerprint: fingerprintOf(content),
  path: `/files/${source}/${folder}/${encodeURIComponent(name)}`,
});

/** The sources' content; tests fill it and may change it at any time. */
export const createCatalogue = () => {
  const projects = new Map<string, Project>();
  const files = new Map<string, StockedFile>();
  const keyOf = (source: SourceName, id: string): string => `${source}:${id}`;

  const keepFile = (file: StockedFile): StockedFile => {
    files.set(file.path, file);
    return file;
  };

  const toVersion = (project: StockedProject, stocked: StockedVersion, position: number): Version => {
    const { changelog, serverPack, content, fileName, ...version } = stocked;
    const number = stocked.number ?? `1.0.${position}`;
    const name = fileName ?? `${project.slug ?? project.id}-${number}.jar`;
    const bytes = content ?? Buffer.from(`${project.source} ${project.id} ${stocked.id}`);
    return {
      loaders: ['fabric'],
      gameVersions: ['1.21.1'],
      channel: 'release',
      publishedAt: new Date(Date.UTC(2026, 0, 1 + position)).toISOString(),
      dependencies: [],
      isServerPack: false,
      ...version,
      number,
      changelog: changelog ?? null,
      serverPack: serverPack ?? null,
      file: keepFile(toFile(project.source, stocked.id, name, bytes)),
    };
  };

  return {
    /** Adds a project with its versions, the oldest first, or replaces the one with the same id. */
    put(stocked: StockedProject): Project {
      const slug = stocked.slug ?? stocked.id.toLowerCase();
      const project: Project = {
        game: 'minecraft',
        name: slug,
        summary: `What ${slug} does`,
        author: 'someone',
        license: 'MIT',
        type: 'mod',
        clientSide: 'optional',
        serverSide: 'required',
        allowModDistribution: true,
        ...stocked,
        slug,
        versions: (stocked.versions ?? []).map((version, index) => toVersion(stocked, version, index)),
      };
      projects.set(keyOf(stocked.source, stocked.id), project);
      return project;
    },
    remove: (source: SourceName, id: string): boolean => projects.delete(keyOf(source, id)),
    /** Adds a file that belongs to no source, such as a 7 Days to Die mod on its author's page. */
    putFile: (name: string, content: Buffer): StockedFile =>
      keepFile(toFile('address', hash('sha1', content).slice(0, 8), name, content)),
    of: (source: SourceName): readonly Project[] =>
      [...projects.values()].filter((project) => project.source === source),
    fileAt: (path: string): StockedFile | undefined => files.get(path),
  };
};
export type Catalogue = ReturnType<typeof createCatalogue>;
