import * as z from 'zod';
import type { ModProject } from '#contracts/mods/mods.ts';
import { largestModFile, sha1, sha512 } from '#contracts/servers/agent-mods.ts';
import {
  isSourceFailure,
  type ModSourceClient,
  type ModTarget,
  type SourceFailure,
  type SourceVersion,
  searchPageSize,
} from './mod-source.ts';
import type { SourceHttp } from './source-http.ts';
import { entriesOf, rowsOf } from './source-json.ts';
import { fileNameOf, lineOf, linesOf, sourceTime, type WebPlaces } from './source-text.ts';
import { acceptedLoaders, fitsTarget, newestFirst } from './target-fit.ts';

// Shapes: https://docs.modrinth.com/api/ (the OpenAPI document is modrinth/code, apps/docs/public/openapi.yaml).

/** Ids per request: with 100 the address stays under 2 KiB. */
const mostIds = 100;
/** An old project has a thousand; people choose among the newest. */
const mostVersions = 200;
/** Per project, the most that a source may report. */
const mostTold = 20_000;
/** Per row: dependencies, files, versions of the game. */
const mostWords = 5000;

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const side = z.string().nullish();
/**
 * Authors use one field for this since 2025 (https://modrinth.com/news/article/new-environments), which v2 still converts
 * into the two sides above (modrinth/code, apps/labrinth/src/routes/v2_reroute.rs); it is read where present.
 * `client_only_server_optional` may be on a server.
 */
const environment = z.union([z.string(), rowsOf(z.string(), mostWords)]).nullish();
const clientEnvironments = ['client_only', 'singleplayer_only'];
const serverEnvironments = ['server_only', 'dedicated_server_only'];

const projectFields = {
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  project_type: z.string(),
  client_side: side,
  server_side: side,
  environment,
  icon_url: z.string().nullish(),
  downloads: z.int().nonnegative().nullish(),
};
const hit = z.object({
  ...projectFields,
  project_id: id,
  author: z.string().nullish(),
  license: z.string().nullish(),
  date_modified: z.string().nullish(),
});
const project = z.object({
  ...projectFields,
  id,
  team: z.string().nullish(),
  license: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
  updated: z.string().nullish(),
});
const member = z.object({
  team_id: z.string(),
  user: z.object({ username: z.string(), name: z.string().nullish() }),
  role: z.string(),
});
const version = z.object({
  id,
  project_id: id,
  name: z.string(),
  version_number: z.string(),
  changelog: z.string().nullish(),
  dependencies: rowsOf(
    z.object({
      version_id: id.nullish(),
      project_id: id.nullish(),
      dependency_type: z.string(),
    }),
    mostWords,
  ),
  game_versions: rowsOf(z.string(), mostWords),
  loaders: rowsOf(z.string(), mostWords),
  version_type: z.string(),
  date_published: sourceTime,
  environment,
  files: rowsOf(
    z.object({
      hashes: z.object({ sha1: sha1.nullish(), sha512: sha512.nullish() }),
      url: z.string(),
      filename: z.string(),
      primary: z.boolean(),
      size: z.int().nonnegative().max(largestModFile).nullish(),
    }),
    mostWords,
  ),
});

export const createModrinth = (http: SourceHttp, places: WebPlaces): ModSourceClient => {
  /** The owner of each team; empty where the source does not answer, since that is no reason to hide a project. */
  const ownersOf = async (
    teams: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> => {
    const answer = await http.ask(`/v2/teams?${idsOf(teams)}`, {
      schema: rowsOf(rowsOf(member, mostWords), mostIds),
      signal,
    });
    const owners = new Map<string, string>();
    if (answer === null || isSourceFailure(answer)) return owners;
    for (const { team_id, user, role } of answer.flat())
      if (role === 'Owner' || !owners.has(team_id)) owners.set(team_id, user.name || user.username);
    return owners;
  };

  const toProject = (one: z.output<typeof project> | z.output<typeof hit>): ModProject => ({
    source: 'modrinth',
    id: 'id' in one ? one.id : one.project_id,
    name: lineOf(one.title, 200),
    summary: linesOf(one.description, 2000) ?? '',
    iconUrl: places.ownUrlOf(one.icon_url),
    author: null,
    license: null,
    page: `https://modrinth.com/${one.project_type === 'modpack' ? 'modpack' : 'mod'}/${encodeURIComponent(lineOf(one.slug, 100))}`,
    downloads: one.downloads ?? null,
    updatedAt: sourceTime.safeParse('id' in one ? one.updated : one.date_modified).data ?? null,
    side: sideOf(one),
    form: one.project_type === 'modpack' ? 'pack' : 'file',
  });

  const toVersion = (one: z.output<typeof version>): SourceVersion | null => {
    const file = one.files.find(({ primary }) => primary) ?? one.files[0];
    const url = places.urlOf(file?.url);
    if (!file || !url || isClientOnly(one.environment)) return null;
    const isPack = file.filename.endsWith('.mrpack');
    const { sha1: sha1Hash, sha512: sha512Hash } = file.hashes;
    return {
      id: one.id,
      project: one.project_id,
      name: lineOf(one.version_number, 100),
      channel: one.version_type === 'beta' || one.version_type === 'alpha' ? one.version_type : 'release',
      publishedAt: one.date_published,
      gameVersions: one.game_versions.slice(0, 500).map((text) => lineOf(text, 50)),
      loaders: one.loaders.slice(0, 50).map((text) => lineOf(text, 50)),
      bytes: file.size ?? null,
      changelog: linesOf(one.changelog, 20_000),
      isByHand: false,
      page: null,
      form: isPack ? 'pack' : 'file',
      file: {
        name: fileNameOf(file.filename, `${one.id}.${isPack ? 'mrpack' : 'jar'}`),
        bytes: file.size ?? null,
        hashes: {
          ...(sha512Hash ? { sha512: sha512Hash } : {}),
          ...(sha1Hash ? { sha1: sha1Hash } : {}),
        },
        from: { kind: 'address', url, key: null },
      },
      dependencies: one.dependencies.slice(0, 200).flatMap((dependency) => {
        const kind = kindOf(dependency.dependency_type);
        const { project_id, version_id } = dependency;
        // A dependency that names only a file belongs to no source and cannot be found.
        return kind && (project_id || version_id)
          ? [{ kind, project: project_id ?? null, version: version_id ?? null }]
          : [];
      }),
    };
  };

  /** In parts, since an address has a maximum length. */
  const askInParts = async <Row extends z.ZodType>(
    ids: readonly string[],
    signal: AbortSignal,
    ask: (part: readonly string[]) => readonly [string, z.ZodType<z.output<Row>[]>],
  ): Promise<z.output<Row>[] | SourceFailure> => {
    const rows: z.output<Row>[] = [];
    for (const part of partsOf(ids.filter((one) => id.safeParse(one).success))) {
      const [path, schema] = ask(part);
      const answer = await http.ask(path, { schema, signal });
      if (answer !== null && isSourceFailure(answer)) return answer;
      rows.push(...(answer ?? []));
    }
    return rows;
  };

  return {
    source: 'modrinth',

    async search(target, { text, offset }, signal) {
      const query = new URLSearchParams({
        query: text.slice(0, 200),
        facets: JSON.stringify(facetsOf(target)),
        offset: String(offset),
        limit: String(searchPageSize),
      });
      const answer = await http.ask(`/v2/search?${query}`, {
        schema: z.object({ hits: rowsOf(hit, 200), total_hits: z.int().nonnegative() }),
        signal,
      });
      if (answer === null) return { rows: [], total: 0 };
      if (isSourceFailure(answer)) return answer;
      const rows = answer.hits.map((one) => ({
        ...toProject(one),
        author: one.author ? lineOf(one.author, 200) : null,
        license: one.license ? lineOf(one.license, 200) : null,
      }));
      return { rows, total: answer.total_hits };
    },

    async projects(ids, signal) {
      const found = await askInParts<typeof project>(ids, signal, (part) => [
        `/v2/projects?${idsOf(part)}`,
        rowsOf(project, mostIds),
      ]);
      if (isSourceFailure(found)) return found;
      const teams = [...new Set(found.flatMap(({ team }) => team ?? []))];
      const owners = new Map<string, string>();
      for (const part of partsOf(teams))
        for (const [team, owner] of await ownersOf(part, signal)) owners.set(team, owner);
      return found.map((one) => {
        const owner = owners.get(one.team ?? '');
        const license = one.license?.name || one.license?.id;
        return {
          ...toProject(one),
          author: owner ? lineOf(owner, 200) : null,
          license: license ? lineOf(license, 200) : null,
        };
      });
    },

    async versions(projectId, target, signal) {
      if (!id.safeParse(projectId).success) return null;
      const loaders = acceptedLoaders(target);
      const query = new URLSearchParams({
        ...(loaders.length > 0 ? { loaders: JSON.stringify(loaders) } : {}),
        ...(target.gameVersion ? { game_versions: JSON.stringify([target.gameVersion]) } : {}),
      });
      const answer = await http.ask(`/v2/project/${projectId}/version?${query}`, {
        schema: rowsOf(version, mostTold),
        signal,
      });
      if (answer === null || isSourceFailure(answer)) return answer;
      return answer
        .map(toVersion)
        .filter((one) => one !== null)
        .filter((one) => fitsTarget(one, target))
        .sort(newestFirst)
        .slice(0, mostVersions);
    },

    async versionsById(ids, signal) {
      const found = await askInParts<typeof version>(ids, signal, (part) => [
        `/v2/versions?${idsOf(part)}`,
        rowsOf(version, mostIds),
      ]);
      return isSourceFailure(found) ? found : found.map(toVersion).filter((one) => one !== null);
    },

    async identify(_game, files, signal) {
      const known = new Map<string, SourceVersion>();
      for (const part of partsOf(files.filter((file) => file.sha512 !== null))) {
        const answer = await http.ask('/v2/version_files', {
          schema: entriesOf(version, mostIds),
          body: { hashes: part.map((file) => file.sha512), algorithm: 'sha512' },
          signal,
        });
        if (answer === null) continue;
        if (isSourceFailure(answer)) return answer;
        const byHash = new Map(answer);
        for (const file of part) {
          const found = byHash.get(file.sha512 ?? '');
          // A version can have several files: the installed one is the one whose hash matches.
          const own = found?.files.find(({ hashes }) => hashes.sha512 === file.sha512);
          const identified = found && own ? toVersion({ ...found, files: [own] }) : null;
          if (identified) known.set(file.path, identified);
        }
      }
      return known;
    },
  };
};

const idsOf = (ids: readonly string[]): string =>
  new URLSearchParams({ ids: JSON.stringify(ids) }).toString();

const partsOf = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / mostIds) }, (_, part) =>
    all.slice(part * mostIds, (part + 1) * mostIds),
  );

const kindOf = (text: string): SourceVersion['dependencies'][number]['kind'] | null =>
  text === 'required' || text === 'optional' || text === 'incompatible' || text === 'embedded' ? text : null;

const isClientOnly = (told: z.output<typeof environment>): boolean => {
  const all = [told ?? []].flat();
  return all.length > 0 && all.every((one) => clientEnvironments.includes(one));
};

/** https://docs.modrinth.com/api/operations/getproject/: required, optional, unsupported or unknown. */
const sideOf = (
  one: Pick<z.output<typeof project>, 'client_side' | 'server_side' | 'environment'>,
): ModProject['side'] => {
  const all = [one.environment ?? []].flat();
  if (one.server_side === 'unsupported' || isClientOnly(all)) return 'client';
  if (one.client_side === 'unsupported') return 'server';
  if (all.length > 0 && all.every((each) => serverEnvironments.includes(each))) return 'server';
  const isTold = [one.client_side, one.server_side].every(
    (each) => each === 'required' || each === 'optional',
  );
  return isTold ? 'both' : null;
};

const facetsOf = (target: ModTarget): string[][] => {
  const isPlugins = target.loader === 'paper' || target.loader === 'velocity';
  const types = [
    ...(target.forms.includes('file') ? ['mod', ...(isPlugins ? ['plugin'] : [])] : []),
    ...(target.forms.includes('pack') ? ['modpack'] : []),
  ];
  const loaders = acceptedLoaders(target);
  return [
    types.map((type) => `project_type:${type}`),
    loaders.map((loader) => `categories:${loader}`),
    target.gameVersion ? [`versions:${target.gameVersion}`] : [],
    ['server_side!=unsupported'],
  ].filter((group) => group.length > 0);
};
