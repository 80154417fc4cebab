import { jsonOf, ok, type SourceAnswer, type SourceRequest, textsOf } from './answers.ts';
import type { Catalogue, Project, Version } from './catalogue.ts';

/** ModLoaderType of https://docs.curseforge.com/rest-api/#schemas */
const loaderNames = new Map([
  ['1', 'Forge'],
  ['4', 'Fabric'],
  ['5', 'Quilt'],
  ['6', 'NeoForge'],
]);
const releaseTypes = { release: 1, beta: 2, alpha: 3 };
const relationTypes = { embedded: 1, optional: 2, required: 3, incompatible: 5 };
const classes = { mod: 6, plugin: 5, modpack: 4471 };
const gameIds = { minecraft: 432, 'ark-asa': 83374, 'ark-se': 0, 'seven-days-to-die': 7, palworld: 0 };
const mostOfAPage = 50;
const mostReached = 10_000;

const notFound: SourceAnswer = { status: 404, body: '' };
const badRequest: SourceAnswer = { status: 400, body: '' };

/** CurseForge's API v1: https://docs.curseforge.com/rest-api/ */
export const answerAsCurseforge = (
  catalogue: Catalogue,
  fileUrl: (path: string) => string,
  key: string,
  request: SourceRequest,
): SourceAnswer => {
  // Its gateway gives the same answer for a missing key and a wrong one.
  if (request.headers['x-api-key'] !== key)
    return { status: 403, body: { error: 'Forbidden', message: 'Forbidden' } };

  const projects = catalogue.of('curseforge');
  const files = projects.flatMap((project) => project.versions.map((version) => ({ project, version })));
  const shown = ({ project, version }: { project: Project; version: Version }): object =>
    fileOf(project, version, fileUrl);
  const path = request.path.split('/').slice(2).map(decodeURIComponent);
  const body = jsonOf(request.body);
  const listOf = (name: string): string[] =>
    typeof body === 'object' && body !== null ? textsOf(new Map(Object.entries(body)).get(name)) : [];

  if (request.method === 'POST')
    switch (path.join('/').replace(/\d+/, 'N')) {
      case 'mods': {
        const ids = listOf('modIds');
        return ok({ data: projects.filter(({ id }) => ids.includes(id)).map((one) => modOf(one, fileUrl)) });
      }
      case 'mods/files': {
        const ids = listOf('fileIds');
        return ok({ data: files.filter(({ version }) => ids.includes(version.id)).map(shown) });
      }
      case 'fingerprints/N':
        return fingerprints(files, Number(path[1]), listOf('fingerprints').map(Number), shown);
      default:
        return notFound;
    }

  const [room, id, part, fileId, last] = path;
  if (request.method !== 'GET' || room !== 'mods') return notFound;
  if (id === 'search') return search(projects, request.query, fileUrl);
  const project = projects.find((one) => one.id === id);
  if (!project) return notFound;
  if (part === undefined) return ok({ data: modOf(project, fileUrl) });
  if (part !== 'files') return notFound;
  if (fileId === undefined) {
    const query = request.query;
    const found = project.versions
      .filter((version) => meetsQuery(version, query))
      .toReversed()
      .map((version) => fileOf(project, version, fileUrl));
    return paged(found, query);
  }
  const version = project.versions.find((one) => one.id === fileId);
  if (!version) return notFound;
  if (last === 'changelog') return ok({ data: version.changelog ?? '' });
  if (last === 'download-url') {
    return project.allowModDistribution
      ? ok({ data: fileUrl(version.file.path) })
      : { status: 403, body: { error: 'Forbidden', message: 'Forbidden' } };
  }
  return ok({ data: fileOf(project, version, fileUrl) });
};

const paged = (rows: readonly object[], query: URLSearchParams): SourceAnswer => {
  const index = Number(query.get('index') ?? 0);
  const pageSize = Math.min(mostOfAPage, Number(query.get('pageSize') ?? mostOfAPage));
  if (!Number.isInteger(index) || index + pageSize > mostReached) return badRequest;
  const data = rows.slice(index, index + pageSize);
  return ok({ data, pagination: { index, pageSize, resultCount: data.length, totalCount: rows.length } });
};

const meetsQuery = (version: Version, query: URLSearchParams): boolean => {
  const gameVersion = query.get('gameVersion');
  const loader = loaderNames.get(query.get('modLoaderType') ?? '');
  return (
    (!gameVersion || version.gameVersions.includes(gameVersion)) &&
    (!loader || !gameVersion || version.gameVersions.includes(loader))
  );
};

const search = (
  projects: readonly Project[],
  query: URLSearchParams,
  fileUrl: (path: string) => string,
): SourceAnswer => {
  const text = (query.get('searchFilter') ?? '').toLowerCase();
  const classId = query.get('classId');
  const found = projects.filter(
    (project) =>
      String(gameIds[project.game]) === query.get('gameId') &&
      (!classId || String(classes[project.type]) === classId) &&
      `${project.name} ${project.slug}`.toLowerCase().includes(text) &&
      (project.versions.length === 0 || project.versions.some((version) => meetsQuery(version, query))),
  );
  return query.get('gameId')
    ? paged(
        found.map((project) => modOf(project, fileUrl)),
        query,
      )
    : badRequest;
};

const pageOf = (project: Project): string =>
  project.game === 'ark-asa'
    ? `https://www.curseforge.com/ark-survival-ascended/mods/${project.slug}`
    : `https://www.curseforge.com/minecraft/mc-mods/${project.slug}`;

const modOf = (project: Project, fileUrl: (path: string) => string): object => ({
  id: Number(project.id),
  gameId: gameIds[project.game],
  name: project.name,
  slug: project.slug,
  links: { websiteUrl: pageOf(project), wikiUrl: '', issuesUrl: null, sourceUrl: null },
  summary: project.summary,
  status: 4,
  downloadCount: 1234,
  isFeatured: false,
  primaryCategoryId: 1,
  categories: [],
  classId: project.game === 'minecraft' ? classes[project.type] : 5089,
  authors: [{ id: 1, name: project.author, url: 'https://www.curseforge.com/members/someone' }],
  logo: {
    id: 1,
    modId: Number(project.id),
    title: 'logo.png',
    description: '',
    thumbnailUrl: fileUrl(`/icons/${project.id}.png`),
    url: fileUrl(`/icons/${project.id}.png`),
  },
  screenshots: [],
  mainFileId: Number(project.versions.at(-1)?.id ?? 0),
  latestFiles: project.versions.slice(-3).map((version) => fileOf(project, version, fileUrl)),
  latestFilesIndexes: [],
  latestEarlyAccessFilesIndexes: [],
  dateCreated: '2025-01-01T00:00:00Z',
  dateModified: project.versions.at(-1)?.publishedAt ?? '2025-01-01T00:00:00Z',
  dateReleased: project.versions.at(-1)?.publishedAt ?? '2025-01-01T00:00:00Z',
  allowModDistribution: project.allowModDistribution,
  gamePopularityRank: 1,
  isAvailable: true,
  thumbsUpCount: 0,
});

const fileOf = (project: Project, version: Version, fileUrl: (path: string) => string): object => ({
  id: Number(version.id),
  gameId: gameIds[project.game],
  modId: Number(project.id),
  isAvailable: true,
  displayName: `${project.name} ${version.number}`,
  fileName: version.file.name,
  releaseType: releaseTypes[version.channel],
  fileStatus: 4,
  hashes: [
    { value: version.file.sha1, algo: 1 },
    { value: version.file.md5, algo: 2 },
  ],
  fileDate: version.publishedAt,
  fileLength: version.file.content.length,
  downloadCount: 100,
  downloadUrl: project.allowModDistribution ? fileUrl(version.file.path) : null,
  gameVersions: version.gameVersions,
  sortableGameVersions: [],
  dependencies: version.dependencies.map(({ kind, project: id }) => ({
    modId: Number(id),
    relationType: relationTypes[kind],
  })),
  alternateFileId: 0,
  isServerPack: version.isServerPack,
  ...(version.serverPack === null ? {} : { serverPackFileId: Number(version.serverPack) }),
  fileFingerprint: version.file.fingerprint,
  modules: [{ name: 'META-INF', fingerprint: 1 }],
});

const fingerprints = (
  files: readonly { readonly project: Project; readonly version: Version }[],
  gameId: number,
  wanted: readonly number[],
  shown: (found: { project: Project; version: Version }) => object,
): SourceAnswer => {
  const found = files.filter(
    ({ project, version }) => gameIds[project.game] === gameId && wanted.includes(version.file.fingerprint),
  );
  const known = found.map(({ version }) => version.file.fingerprint);
  return ok({
    data: {
      isCacheBuilt: true,
      exactMatches: found.map((one) => ({ id: Number(one.project.id), file: shown(one), latestFiles: [] })),
      exactFingerprints: known,
      partialMatches: [],
      partialMatchFingerprints: {},
      additionalProperties: [],
      installedFingerprints: wanted,
      unmatchedFingerprints: wanted.filter((one) => !known.includes(one)),
    },
  });
};
