import type { ServerPlayers } from '#contracts/people/players.ts';

export interface Place {
  readonly serverId: string;
  /** ISO 8601. */
  readonly joinedAt: string;
}

/**
 * Where a player is.
 * - `on`: on these servers, since then
 * - `unknown`: last seen on a server whose players are currently unknown
 * - `away`: on none of the servers that the reader may see
 */
export type Whereabouts =
  | { readonly state: 'on'; readonly places: readonly Place[] }
  | { readonly state: 'unknown'; readonly serverId: string; readonly asOf: string | null }
  | { readonly state: 'away' };

/** All players by server, after an update about some servers; `isAll` if the update covers every server. */
export const mergePlayers = (
  known: readonly ServerPlayers[],
  told: readonly ServerPlayers[],
  isAll: boolean,
): readonly ServerPlayers[] => {
  if (isAll) return told;
  const news = new Map(told.map((server) => [server.serverId, server]));
  const rest = known.filter(({ serverId }) => !news.has(serverId));
  return [...rest, ...told];
};

/** Every player's places, by the player's id. */
export const placesOf = (servers: readonly ServerPlayers[]): ReadonlyMap<string, readonly Place[]> => {
  const places = new Map<string, Place[]>();
  for (const { players } of servers)
    for (const { playerId, serverId, joinedAt } of players ?? [])
      places.set(playerId, [...(places.get(playerId) ?? []), { serverId, joinedAt }]);
  return places;
};

/** @param servers null: nothing has arrived live yet, and only what was read about the player is known */
export const whereIs = (
  { id, onlineOn }: { readonly id: string; readonly onlineOn: string | null },
  servers: readonly ServerPlayers[] | null,
  places: ReadonlyMap<string, readonly Place[]>,
): Whereabouts => {
  const here = places.get(id);
  if (here) return { state: 'on', places: here };
  if (onlineOn === null) return { state: 'away' };
  const last = servers?.find(({ serverId }) => serverId === onlineOn);
  // The server's players are known, and this one is not among them.
  if (last?.players) return { state: 'away' };
  return { state: 'unknown', serverId: onlineOn, asOf: last?.asOf ?? null };
};

/** Where a person with these players is: a known place takes precedence over an unknown one, and that over being offline. */
export const whereaboutsOf = (players: readonly Whereabouts[]): Whereabouts => {
  const places = players.flatMap((where) => (where.state === 'on' ? where.places : []));
  if (places.length > 0) return { state: 'on', places };
  return players.find(({ state }) => state === 'unknown') ?? { state: 'away' };
};
