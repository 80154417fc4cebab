import { licensesHttp } from '#contracts/license/licenses.ts';
import { publicAddressHttp } from '#contracts/operations/public-address.ts';
import { discordApiUrl } from '../discord/ask-discord.ts';
import type { Secret } from '../secret.ts';
import type { StackConfig } from '../stack-config.ts';
import { type Outside, outside } from './outside.ts';
import { shownProxy } from './proxy-address.ts';
import type { TestedAddress } from './test-address.ts';

/** The one that Discord's REST API names. */
const gatewayUrl = 'wss://gateway.discord.gg';

/** The address of each source of mods, without its API's version. */
export const modSourceUrls = {
  modrinth: 'https://api.modrinth.com',
  curseforge: 'https://api.curseforge.com',
  steam: 'https://api.steampowered.com',
} as const;

/** What an installation uses beyond its license. */
export interface AddressesInUse {
  readonly discord: boolean;
  readonly modSources: readonly ('modrinth' | 'curseforge' | 'steam')[];
  /** Null: none is set. */
  readonly publicAddress: string | null;
  /** The folder of the newest release, with a slash at its end; null: this build has no updates. */
  readonly updates: string | null;
}

/** Requests that need no secret; each is documented by its service as open to anyone. */
const modPaths = {
  modrinth: '/',
  curseforge: '/v1/games',
  // https://partner.steamgames.com/doc/webapi/ISteamWebAPIUtil
  steam: '/ISteamWebAPIUtil/GetServerInfo/v1/',
} as const;

/** What settings say of addresses; undefined: nothing. */
interface AddressSettings {
  readonly licenseServerUrl: string | undefined;
  readonly licenseProxy?: Secret | undefined;
  readonly discordApiUrl?: string | undefined;
  readonly discordGatewayUrl?: string | undefined;
  readonly modSourceUrls: Partial<StackConfig['modSourceUrls']>;
}

/** The addresses that an installation uses, in the order in which people read them. */
export const testedAddresses = (
  config: AddressSettings,
  inUse: AddressesInUse,
  way: Outside = outside(),
): readonly TestedAddress[] => {
  const proxy = way.proxy();
  const { discordApiUrl: discord = discordApiUrl, discordGatewayUrl: gateway = gatewayUrl } = config;
  const at = (base: string, path: string) => new URL(base.replace(/\/+$/, '') + path);
  return [
    ...(proxy ? [{ kind: 'proxy', url: new URL(`http://${shownProxy(proxy)}`) } as const] : []),
    ...(config.licenseServerUrl === undefined
      ? []
      : [
          {
            kind: 'license-portal',
            url: at(config.licenseServerUrl, licensesHttp.jwks.path),
            own: config.licenseProxy,
          } as const,
        ]),
    ...(inUse.discord
      ? ([
          // https://docs.discord.com/developers/events/gateway#get-gateway: needs no token.
          { kind: 'discord', url: at(discord, '/v10/gateway') },
          { kind: 'discord-gateway', url: at(gateway, '/?v=10&encoding=json') },
        ] as const)
      : []),
    ...inUse.modSources.map((kind) => ({
      kind,
      url: at(config.modSourceUrls[kind] ?? modSourceUrls[kind], modPaths[kind]),
    })),
    ...(inUse.updates === null ? [] : [{ kind: 'updates', url: new URL(inUse.updates) } as const]),
    ...(inUse.publicAddress === null
      ? []
      : [
          {
            kind: 'public-address',
            url: at(inUse.publicAddress, publicAddressHttp.seen.path.replace(':nonce', 'connection-test-x')),
          } as const,
        ]),
  ];
};
