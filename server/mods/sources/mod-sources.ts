import { type DelayClock, systemClock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import { modSourceUrls } from '#runtime/outside/tested-addresses.ts';
import type { Secret } from '#runtime/secret.ts';
import { createCurseforge } from './curseforge.ts';
import type { ModSourceClient } from './mod-source.ts';
import { createModrinth } from './modrinth.ts';
import { createSourceHttp } from './source-http.ts';
import { createWebPlaces } from './source-text.ts';
import { createSteam } from './steam.ts';

type ModSourceName = ModSourceClient['source'];

/** Hosts of pictures and files, including subdomains: only they may serve pictures or receive a key. */
const ownHosts: Readonly<Record<ModSourceName, readonly string[]>> = {
  modrinth: ['modrinth.com'],
  curseforge: ['forgecdn.net'],
  steam: ['steamusercontent.com', 'steamuserimages-a.akamaihd.net', 'steamstatic.com'],
};

interface ModSourcesOptions {
  /** Defaults to the real ones. */
  readonly urls: Readonly<Record<ModSourceName, string | undefined>>;
  /** Called each time, so that a key changed in the settings is used immediately. */
  readonly curseforgeKey: () => Promise<Secret | null>;
  readonly log: Pick<Log, 'warn'>;
  readonly clock?: DelayClock;
}

/** CurseForge's gateway answers a missing and a wrong key alike; too many requests it reports in words. */
const curseforgeRefusal = (body: string): 'limited' | 'key-refused' =>
  /too much traffic|rate limit|too many/i.test(body) ? 'limited' : 'key-refused';

export const createModSources = ({
  urls,
  curseforgeKey,
  log,
  clock = systemClock,
}: ModSourcesOptions): Readonly<Record<ModSourceName, ModSourceClient>> => {
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
