import type { Kysely } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/kernel/http.ts';
import { type ProblemCode, problems } from '#contracts/kernel/problems.ts';
import type { ModSourceState } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { type ModsList, modForms } from '#contracts/servers/agent-mods.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { isSourceFailure, type ModSources, type ModTarget, serves } from '../sources/mod-source.ts';

type Search = EndpointInput<typeof modsHttp.search>['query'];
type Versions = EndpointInput<typeof modsHttp.versions>['params'];

const codes = {
  limited: 'MOD_SOURCE_LIMITED',
  away: 'MOD_SOURCE_AWAY',
  'no-key': 'MOD_SOURCE_NO_KEY',
  'key-refused': 'MOD_SOURCE_KEY_REFUSED',
} as const satisfies Partial<Record<ModSourceState['state'], ProblemCode>>;

const refusalOf = ({ state, againAt, why }: ModSourceState): Refusal => {
  const code = codes[state === 'ok' ? 'away' : state];
  const retryAfterMs = againAt === null ? null : Math.max(0, Date.parse(againAt) - Date.now());
  return { ...refuse(code, why ?? problems[code].remedy), ...(retryAfterMs !== null && { retryAfterMs }) };
};

/** A person is waiting for it. */
const patienceMs = 20_000;

/** What the sources offer for a server. */
export const bindModSearchRoutes = (
  routes: ApiRoutes,
  {
    db,
    sources,
    listOf,
  }: {
    readonly db: Kysely<Tables>;
    readonly sources: ModSources;
    /** As the agent last reported; null: none has. */
    readonly listOf: (serverId: string) => Promise<ModsList | null>;
  },
): void => {
  /** Without an agent's report, whatever would fit any loader and version. */
  const subjectOf = async (
    serverId: string,
    actor: Actor,
  ): Promise<{ readonly target: ModTarget; readonly list: ModsList | null } | Refusal> => {
    if (!may(actor, 'mods.read', serverId))
      return refuse('FORBIDDEN', 'This needs the permission mods.read for this server.');
    const server = await db
      .selectFrom('game_servers')
      .select('game')
      .where('id', '=', serverId)
      .executeTakeFirst();
    if (!server) return refuse('NOT_FOUND');
    const list = await listOf(serverId);
    const { loader = null, gameVersion = null, forms = modForms } = list ?? {};
    return { target: { game: server.game, loader, gameVersion, forms }, list };
  };

  const search = async (
    serverId: string,
    { source, text, offset }: Search,
    actor: Actor,
  ): Promise<EndpointResponse<typeof modsHttp.search> | Refusal> => {
    const subject = await subjectOf(serverId, actor);
    if ('refused' in subject) return subject;
    const { target, list } = subject;
    const client = sources[source];
    if (!serves(source, target.game)) return { rows: [], total: 0, sources: [] };
    const found = await client.search(target, { text, offset }, AbortSignal.timeout(patienceMs));
    if (isSourceFailure(found)) return { rows: [], total: 0, sources: [found.failed] };
    const installed = new Set(list?.installed.map(({ key }) => key));
    return {
      rows: found.rows.map((row) => ({ ...row, isInstalled: installed.has(`${source}:${row.id}`) })),
      total: found.total,
      sources: [{ source, state: 'ok', againAt: null }],
    };
  };

  const versions = async (
    { serverId, source, project }: Versions,
    actor: Actor,
  ): Promise<EndpointResponse<typeof modsHttp.versions> | Refusal> => {
    const subject = await subjectOf(serverId, actor);
    if ('refused' in subject) return subject;
    // A person's own file has no other versions.
    if (source === 'address' || source === 'upload') return refuse('NOT_FOUND');
    const { target } = subject;
    const client = sources[source];
    if (!serves(source, target.game)) return refuse('NOT_FOUND');
    const signal = AbortSignal.timeout(patienceMs);
    const projects = await client.projects([project], signal);
    if (isSourceFailure(projects)) return refusalOf(projects.failed);
    const [named] = projects;
    if (!named) return refuse('NOT_FOUND');
    const found = await client.versions(named.id, target, signal);
    if (found === null) return refuse('NOT_FOUND');
    return isSourceFailure(found) ? refusalOf(found.failed) : { project: named, versions: [...found] };
  };

  routes.on(modsHttp.search, ({ params, query }, { actor }) => search(params.serverId, query, actor));
  routes.on(modsHttp.versions, ({ params }, { actor }) => versions(params, actor));
};
