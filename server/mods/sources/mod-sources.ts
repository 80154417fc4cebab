import { type DelayClock, systemClock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import { createCurseforge } from './curseforge.ts';
import type { ModSourceClient } from './mod-source.ts';
import { createModrinth } from './modrinth.ts';
import { createSourceHttp } from './source-http.ts';
import { createWebPlaces } from './source-text.ts';
import { createSteam } from './steam.ts';

export type ModSourceName = ModSourceClient['source'];

/** Where each source answers, without the version of its API. */
const usualUrls: Readonly<Record<ModSourceName, string>> = {
  modrinth: 'https://api.modrinth.com',
  curseforge: 'https://api.curseforge.com',
  steam: 'https://api.steampowered.com',
};

/** Of pictures and files, with what lies beneath: the only ones that a picture, or a key, may come from or go to. */
const ownHosts: Readonly<Record<ModSourceName, readonly string[]>> = {
  modrinth: ['modrinth.com'],
  curseforge: ['forgecdn.net'],
  steam: ['steamusercontent.com', 'steamuserimages-a.akamaihd.net', 'steamstatic.com'],
};

export interface ModSourcesOptions {
  /** The real ones unless given. */
  readonly urls: Readonly<Record<ModSourceName, string | undefined>>;
  /** Asked for each time, so that a new one of the settings is used at once. */
  readonly curseforgeKey: () => Promise<Secret | null>;
  readonly log: Pick<Log, 'warn'>;
  readonly clock?: DelayClock;
}

/** CurseForge's gateway says the same of a missing and a wrong key; that it is asked too often, it says in words. */
const curseforgeRefusal = (body: string): 'limited' | 'key-refused' =>
  /too much traffic|rate limit|too many/i.test(body) ? 'limited' : 'key-refused';

export const createModSources = ({
  urls,
  curseforgeKey,
  log,
  clock = systemClock,
}: ModSourcesOptions): Readonly<Record<ModSourceName, ModSourceClient>> => {
  const baseOf = (source: ModSourceName): string => (urls[source] ?? usualUrls[source]).replace(/\/+$/, '');
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
