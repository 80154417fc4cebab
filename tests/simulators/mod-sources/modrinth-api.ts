import { jsonOf, ok, type SourceAnswer, type SourceRequest, textsOf } from './answers.ts';
import type { Catalogue, Project, Version } from './catalogue.ts';

const notFound: SourceAnswer = { status: 404, body: '' };
const refused = (description: string): SourceAnswer => ({
  status: 400,
  body: { error: 'invalid_input', description },
});

/**
 * Modrinth's API v2, according to its OpenAPI document: https://docs.modrinth.com/api/ (modrinth/code, apps/docs/public/openapi.yaml).
 * Plugins have the type `mod` there, but are still found by `project_type:plugin`.
 */
export const answerAsModrinth = (
  catalogue: Catalogue,
  fileUrl: (path: string) => string,
  request: SourceRequest,
): SourceAnswer => {
  const projects = catalogue.of('modrinth');
  // "you must provide a uniquely-identifying User-Agent header"
  if (!/^(?!node|undici)\S+/.test(request.headers['user-agent'] ?? ''))
    return { status: 403, body: { error: 'unauthorized', description: 'No User-Agent' } };

  const find = (id: string | undefined): Project | undefined =>
    projects.find((project) => project.id === id || project.slug === id);
  const versions = projects.flatMap((project) => project.versions.map((version) => ({ project, version })));
  const shown = ({ project, version }: { project: Project; version: Version }): object =>
    versionOf(project, version, fileUrl);

  const path = request.path.split('/').slice(2).map(decodeURIComponent);
  const [room, id, part] = path;
  if (request.method === 'GET')
    switch (room) {
      case undefined:
        return ok({ name: 'modrinth-labrinth', about: 'Welcome traveler!' });
      case 'search':
        return search(projects, request.query, fileUrl);
      case 'project': {
        const project = find(id);
        if (!project) return notFound;
        if (part === undefined) return ok(projectOf(project, fileUrl));
        if (part === 'members') return ok(membersOf(project));
        if (part === 'version') return ok(versionsOf(project, request.query, fileUrl));
        return notFound;
      }
      case 'projects':
        return ok(
          textsOf(jsonOf(request.query.get('ids') ?? ''))
            .map(find)
            .filter((project) => project !== undefined)
            .map((project) => projectOf(project, fileUrl)),
        );
      case 'teams':
        return ok(
          textsOf(jsonOf(request.query.get('ids') ?? '')).flatMap((team) =>
            projects.filter((project) => teamOf(project) === team).map(membersOf),
          ),
        );
      case 'version': {
        const found = versions.find(({ version }) => version.id === id);
        return found ? ok(shown(found)) : notFound;
      }
      case 'versions': {
        const ids = textsOf(jsonOf(request.query.get('ids') ?? ''));
        return ok(versions.filter(({ version }) => ids.includes(version.id)).map(shown));
      }
    }
  if (request.method === 'POST' && room === 'version_files') {
    const body = jsonOf(request.body);
    if (typeof body !== 'object' || body === null || !('hashes' in body) || !('algorithm' in body))
      return refused('hashes and algorithm are needed');
    const { hashes, algorithm } = body;
    if (algorithm !== 'sha1' && algorithm !== 'sha512') return refused('unknown algorithm');
    const found = versions.filter(({ version }) => textsOf(hashes).includes(version.file[algorithm]));
    return ok(Object.fromEntries(found.map((one) => [one.version.file[algorithm], shown(one)])));
  }
  return notFound;
};

const teamOf = (project: Project): string => `T${project.id.slice(1)}`;

const iconOf = (project: Project, fileUrl: (path: string) => string): string =>
  fileUrl(`/icons/${project.id}.png`);

const loadersOf = (project: Project): string[] => [
  ...new Set(project.versions.flatMap(({ loaders }) => loaders)),
];
const gameVersionsOf = (project: Project): string[] => [
  ...new Set(project.versions.flatMap(({ gameVersions }) => gameVersions)),
];

const projectOf = (project: Project, fileUrl: (path: string) => string): object => ({
  id: project.id,
  slug: project.slug,
  title: project.name,
  description: project.summary,
  body: project.summary,
  project_type: project.type === 'plugin' ? 'mod' : project.type,
  categories: ['utility'],
  additional_categories: [],
  client_side: project.clientSide,
  server_side: project.serverSide,
  status: 'approved',
  team: teamOf(project),
  organization: null,
  license: { id: project.license, name: '', url: null },
  downloads: 1234,
  followers: 12,
  icon_url: iconOf(project, fileUrl),
  published: '2025-01-01T00:00:00.000000Z',
  updated: project.versions.at(-1)?.publishedAt ?? '2025-01-01T00:00:00.000000Z',
  versions: project.versions.map(({ id }) => id),
  game_versions: gameVersionsOf(project),
  loaders: loadersOf(project),
  gallery: [],
  donation_urls: [],
});

const membersOf = (project: Project): object[] => [
  {
    team_id: teamOf(project),
    user: { id: 'U0000000', username: `${project.author}_helper`, name: null, role: 'developer' },
    role: 'Member',
    permissions: null,
    accepted: true,
    ordering: 1,
  },
  {
    team_id: teamOf(project),
    user: { id: 'U0000001', username: project.author, name: null, role: 'developer' },
    role: 'Owner',
    permissions: null,
    accepted: true,
    ordering: 0,
  },
];

const versionOf = (project: Project, version: Version, fileUrl: (path: string) => string): object => ({
  id: version.id,
  project_id: project.id,
  author_id: 'U0000001',
  featured: false,
  name: `${project.name} ${version.number}`,
  version_number: version.number,
  changelog: version.changelog ?? '',
  changelog_url: null,
  date_published: version.publishedAt,
  downloads: 100,
  version_type: version.channel,
  status: 'listed',
  requested_status: null,
  files: [
    {
      hashes: { sha1: '0'.repeat(40), sha512: '0'.repeat(128) },
      url: fileUrl(`${version.file.path}.sources`),
      filename: `${version.file.name}.sources.jar`,
      primary: false,
      size: 1,
      file_type: null,
    },
    {
      hashes: { sha1: version.file.sha1, sha512: version.file.sha512 },
      url: fileUrl(version.file.path),
      filename: version.file.name,
      primary: true,
      size: version.file.content.length,
      file_type: null,
    },
  ],
  dependencies: version.dependencies.map(({ kind, project: id, version: versionId }) => ({
    version_id: versionId ?? null,
    project_id: id ?? null,
    file_name: null,
    dependency_type: kind,
  })),
  game_versions: version.gameVersions,
  loaders: version.loaders,
});

const versionsOf = (
  project: Project,
  query: URLSearchParams,
  fileUrl: (path: string) => string,
): object[] => {
  const loaders = jsonOf(query.get('loaders') ?? '');
  const gameVersions = jsonOf(query.get('game_versions') ?? '');
  const meets = (wanted: unknown, has: readonly string[]): boolean =>
    !Array.isArray(wanted) || textsOf(wanted).some((one) => has.includes(one));
  return project.versions
    .filter((version) => meets(loaders, version.loaders) && meets(gameVersions, version.gameVersions))
    .toReversed()
    .map((version) => versionOf(project, version, fileUrl));
};

const search = (
  projects: readonly Project[],
  query: URLSearchParams,
  fileUrl: (path: string) => string,
): SourceAnswer => {
  const facets = jsonOf(query.get('facets') ?? '[]');
  if (!Array.isArray(facets)) return refused('facets are no JSON');
  const text = (query.get('query') ?? '').toLowerCase();
  const found = projects.filter(
    (project) =>
      `${project.name} ${project.slug} ${project.summary}`.toLowerCase().includes(text) &&
      facets.every((group) => textsOf(group).some((facet) => meetsFacet(project, facet))),
  );
  const limit = Math.min(100, Number(query.get('limit') ?? 10));
  const offset = Number(query.get('offset') ?? 0);
  return ok({
    hits: found.slice(offset, offset + limit).map((project) => ({
      project_id: project.id,
      project_type: project.type === 'plugin' ? 'mod' : project.type,
      slug: project.slug,
      author: project.author,
      title: project.name,
      description: project.summary,
      categories: ['utility', ...loadersOf(project)],
      display_categories: ['utility'],
      versions: gameVersionsOf(project),
      downloads: 1234,
      follows: 12,
      icon_url: iconOf(project, fileUrl),
      date_created: '2025-01-01T00:00:00.000000Z',
      date_modified: project.versions.at(-1)?.publishedAt ?? '2025-01-01T00:00:00.000000Z',
      latest_version: project.versions.at(-1)?.id ?? '',
      license: project.license,
      client_side: project.clientSide,
      server_side: project.serverSide,
      gallery: [],
      featured_gallery: null,
      color: null,
    })),
    offset,
    limit,
    total_hits: found.length,
  });
};

const meetsFacet = (project: Project, facet: string): boolean => {
  const [, name, operator, value = ''] = /^(\w+)(:|=|!=)(.*)$/.exec(facet) ?? [];
  const has: Readonly<Record<string, readonly string[]>> = {
    project_type: [project.type],
    categories: ['utility', ...loadersOf(project)],
    versions: gameVersionsOf(project),
    client_side: [project.clientSide],
    server_side: [project.serverSide],
  };
  const isMet = has[name ?? '']?.includes(value) ?? false;
  return operator === '!=' ? !isMet : isMet;
};
