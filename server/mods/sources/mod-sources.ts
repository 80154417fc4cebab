import * as z from 'zod';
import type { ModProject } from '#contracts/mods/mods.ts';
import { gameIds } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { type DelayClock, systemClock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import { modSourceUrls } from '#runtime/outside/tested-addresses.ts';
import type { Secret } from '#runtime/secret.ts';
import { createCurseforge } from './curseforge.ts';
import {
  isSourceFailure,
  type ModSourceClient,
  type ModSources,
  type SourceFailure,
  type SourceVersion,
} from './mod-source.ts';
import { createModrinth } from './modrinth.ts';
import { createSourceHttp, type SourceHttp } from './source-http.ts';
import { rowsOf } from './source-json.ts';
import { createWebPlaces, lineOf, linesOf, timeAt, type WebPlaces } from './source-text.ts';
import { newestFirst } from './target-fit.ts';

// Shapes: https://partner.steamgames.com/doc/webapi/ISteamRemoteStorage#GetPublishedFileDetails, which needs no key.
// Search (IPublishedFileService/QueryFiles) and dependencies (GetDetails) need a Web API key: ids and addresses replace the
// search.

/** Per request; more are rejected. */
const mostIds = 100;
const workshops: ReadonlySet<number> = new Set(
  gameIds.flatMap((id) => gameOf(id).mods.sourceNumbers.steam ?? []),
);

const numeric = z.coerce.number().int().nonnegative();
const details = z.object({
  publishedfileid: z.coerce.string().regex(/^\d{1,20}$/),
  /** EResult: 1 exists; 9 is gone, hidden, or visible to friends only. */
  result: z.int(),
  consumer_app_id: z.int().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  preview_url: z.string().nullish(),
  file_size: numeric.nullish().catch(null),
  time_updated: numeric.nullish().catch(null),
  subscriptions: numeric.nullish().catch(null),
  banned: z.union([z.boolean(), z.int()]).nullish(),
});
const answerOf = z.object({ response: z.object({ publishedfiledetails: rowsOf(details, mostIds) }) });

/** The game downloads items by their ids, always the newest: an item has one version, named by its update time. */
const createSteam = (http: SourceHttp, places: WebPlaces): ModSourceClient => {
  const ask = async (
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<z.output<typeof details>[] | SourceFailure> => {
    const wanted = [...new Set(ids)].filter((id) => /^\d{1,20}$/.test(id));
    const found: z.output<typeof details>[] = [];
    for (let from = 0; from < wanted.length; from += mostIds) {
      const part = wanted.slice(from, from + mostIds);
      const body = new URLSearchParams({
        itemcount: String(part.length),
        ...Object.fromEntries(part.map((id, index) => [`publishedfileids[${index}]`, id])),
      });
      const path = '/ISteamRemoteStorage/GetPublishedFileDetails/v1/';
      const answer = await http.ask(path, { schema: answerOf, body, signal });
      if (answer === null) continue;
      if (isSourceFailure(answer)) return answer;
      found.push(...answer.response.publishedfiledetails);
    }
    return found.filter(
      ({ result, consumer_app_id, banned }) => result === 1 && workshops.has(consumer_app_id ?? 0) && !banned,
    );
  };

  const toProject = (one: z.output<typeof details>): ModProject => ({
    source: 'steam',
    id: one.publishedfileid,
    name: lineOf(one.title ?? '', 200, one.publishedfileid),
    summary: linesOf(one.description, 2000) ?? '',
    iconUrl: places.ownUrlOf(one.preview_url),
    // It names only the author's account.
    author: null,
    license: null,
    page: pageOf(one.publishedfileid),
    downloads: one.subscriptions ?? null,
    updatedAt: timeOf(one),
    side: 'both',
    form: 'id',
  });

  const toVersion = (one: z.output<typeof details>): SourceVersion => {
    const publishedAt = timeOf(one) ?? '1970-01-01T00:00:00.000Z';
    return {
      id: `${one.publishedfileid}-${one.time_updated ?? 0}`,
      project: one.publishedfileid,
      name: publishedAt.slice(0, 16).replace('T', ' '),
      channel: 'release',
      publishedAt,
      gameVersions: [],
      loaders: [],
      bytes: one.file_size ?? null,
      changelog: null,
      isByHand: false,
      page: pageOf(one.publishedfileid),
      form: 'id',
      file: null,
      dependencies: [],
    };
  };

  return {
    source: 'steam',

    async search(_target, { text, offset }, signal) {
      const ids = idsIn(text);
      if (ids.length === 0 || offset > 0) return { rows: [], total: ids.length };
      const found = await ask(ids, signal);
      return isSourceFailure(found) ? found : { rows: found.map(toProject), total: found.length };
    },

    async projects(ids, signal) {
      const found = await ask(ids, signal);
      return isSourceFailure(found) ? found : found.map(toProject);
    },

    async versions(project, target, signal) {
      const found = await ask([project], signal);
      if (isSourceFailure(found)) return found;
      const [one] = found;
      if (one?.consumer_app_id !== gameOf(target.game).mods.sourceNumbers.steam) return null;
      return target.forms.includes('id') ? [toVersion(one)] : [];
    },

    async versionsById(ids, signal) {
      const found = await ask(
        ids.map((id) => id.replace(/-\d+$/, '')),
        signal,
      );
      if (isSourceFailure(found)) return found;
      return found
        .map(toVersion)
        .filter(({ id }) => ids.includes(id))
        .sort(newestFirst);
    },

    // Its mods are not files in the server's folder.
    identify: async () => new Map(),
  };
};

/** Ids, and addresses of Workshop items, such as https://steamcommunity.com/sharedfiles/filedetails/?id=731604991 */
const idsIn = (text: string): string[] => {
  const words = text.slice(0, 2000).split(/[\s,;]+/);
  return words
    .map((word) => /^\d{6,20}$/.exec(word)?.[0] ?? /[?&]id=(\d{6,20})(?:\D|$)/.exec(word)?.[1])
    .filter((id) => id !== undefined)
    .slice(0, mostIds);
};

const pageOf = (id: string): string => `https://steamcommunity.com/sharedfiles/filedetails/?id=${id}`;

const timeOf = ({ time_updated }: z.output<typeof details>): string | null =>
  timeAt(1000 * (time_updated ?? Number.NaN));

type ModSourceName = ModSourceClient['source'];

/** Hosts of pictures and files, including subdomains: only they may serve pictures or receive a key. */
const ownHosts: Readonly<Record<ModSourceName, readonly string[]>> = {
  modrinth: ['modrinth.com'],
  curseforge: ['forgecdn.net'],
  steam: ['steamusercontent.com', 'steamuserimages-a.akamaihd.net', 'steamstatic.com'],
};

/** CurseForge's gateway answers a missing and a wrong key alike; too many requests it reports in words. */
const curseforgeRefusal = (body: string): 'limited' | 'key-refused' =>
  /too much traffic|rate limit|too many/i.test(body) ? 'limited' : 'key-refused';

export const createModSources = ({
  urls,
  curseforgeKey,
  log,
  clock = systemClock,
}: {
  /** Defaults to the real ones. */
  readonly urls: Readonly<Record<ModSourceName, string | undefined>>;
  /** Called each time, so that a key changed in the settings is used immediately. */
  readonly curseforgeKey: () => Promise<Secret | null>;
  readonly log: Pick<Log, 'warn'>;
  readonly clock?: DelayClock;
}): ModSources => {
  const baseOf = (source: ModSourceName): string =>
    (urls[source] ?? modSourceUrls[source]).replace(/\/+$/, '');
  const placesOf = (source: ModSourceName) => createWebPlaces(baseOf(source), ownHosts[source]);
  const httpOf = (source: ModSourceName) => ({ source, baseUrl: baseOf(source), clock, log });

  return {
    modrinth: createModrinth(createSourceHttp(httpOf('modrinth')), placesOf('modrinth')),
    curseforge: createCurseforge(
      createSourceHttp({
        ...httpOf('curseforge'),
        refusalOf: curseforgeRefusal,
        headers: async () => {
          const key = await curseforgeKey();
          return key ? { 'x-api-key': key.reveal() } : 'no-key';
        },
      }),
      placesOf('curseforge'),
    ),
    steam: createSteam(createSourceHttp(httpOf('steam')), placesOf('steam')),
  };
};
