import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import type { NamedReceiver } from '../../kernel/database/stored-values.ts';

/** The intended receiver, in terms of players and members. */
type WantedReceiver =
  | { readonly kind: 'member'; readonly id: string }
  | { readonly kind: 'platform'; readonly id: string }
  | { readonly kind: 'name'; readonly game: GameId; readonly key: string }
  | { readonly kind: 'unknown' };

const steam = /^7656\d{13}$/;
const uuid = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;
const eos = /^[0-9a-f]{32}$/i;
/** As older plug-ins and people write a Steam account (developer.valvesoftware.com/wiki/SteamID), and the address of its page. */
const formerSteam = /^STEAM_[0-5]:(?<parity>[01]):(?<half>\d{1,10})$/i;
const thirdSteam = /^\[?U:1:(?<account>\d{1,10})\]?$/i;
const steamPage = /^https?:\/\/(?:www\.)?steamcommunity\.com\/profiles\/(?<id>\d{17})\/?$/i;
const firstSteamAccount = 76561197960265728n;
const prefixed = /^(steam|eos|minecraft|xbl|psn|egs)[:_-](.{1,64})$/i;

const steamIdOf = (account: bigint): string | null =>
  account > 0n && account < 2n ** 32n ? `steam:${firstSteamAccount + account}` : null;

const readFormerSteam = (text: string): string | null => {
  const { parity, half = '' } = formerSteam.exec(text)?.groups ?? {};
  if (parity !== undefined) return steamIdOf(BigInt(half) * 2n + BigInt(parity));
  const { account } = thirdSteam.exec(text)?.groups ?? {};
  if (account !== undefined) return steamIdOf(BigInt(account));
  const { id = '' } = steamPage.exec(text)?.groups ?? {};
  return steam.test(id) ? `steam:${id}` : null;
};

/** The platform id in the players' format; null if the text is not one. */
export const parsePlatformId = (text: string, game: GameId): string | null => {
  const { store } = gameOf(game);
  const own = store.readOwnId(text);
  if (own !== null) return own;
  const former = readFormerSteam(text);
  if (former !== null) return former;
  const [, platform = '', rest = ''] = prefixed.exec(text) ?? [];
  const of = platform.toLowerCase();
  if (of === 'steam') return steam.test(rest) ? `steam:${rest}` : null;
  if (of === 'eos') return eos.test(rest) ? `eos:${rest.toLowerCase()}` : null;
  if (of === 'minecraft') return uuid.test(rest) ? hyphenated(rest) : null;
  if (of !== '') return /^[\w.-]+$/.test(rest) ? `${of}:${rest}` : null;
  if (steam.test(text)) return `steam:${text}`;
  if (eos.test(text) && store.bareIdPlatform !== 'minecraft')
    return store.bareIdPlatform === null ? null : `eos:${text.toLowerCase()}`;
  return uuid.test(text) ? hyphenated(text) : null;
};

const hyphenated = (text: string): string =>
  `minecraft:${text.replace(uuid, '$1-$2-$3-$4-$5').toLowerCase()}`;

/** @param shopGame the shop's game, for receivers without one */
export const wantedReceiver = (
  { kind, text, game: named }: NamedReceiver,
  shopGame: GameId,
): WantedReceiver => {
  const game = named ?? shopGame;
  const member = kind === 'member' ? /^([1-9]\d{0,17})$/ : /^member[:_-]([1-9]\d{0,17})$/i;
  const id = kind === 'name' ? undefined : member.exec(text)?.[1];
  if (id !== undefined) return { kind: 'member', id };
  if (kind === 'member') return { kind: 'unknown' };
  const platform = kind === 'name' ? null : parsePlatformId(text, game);
  if (platform !== null) return { kind: 'platform', id: platform };
  if (kind === 'id') return { kind: 'unknown' };
  const key = nameKey(text.replace(kind === 'text' ? /^name[:_-]/i : '', ''));
  return key === '' ? { kind: 'unknown' } : { kind: 'name', game, key };
};
