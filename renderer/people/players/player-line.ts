import type { Player, ServerPlayers } from '#contracts/people/players.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { Whereabouts } from '../../servers/online-players.ts';

/** A player as the list shows them; less is known of those that are only known to be online now. */
export interface PlayerLine {
  readonly id: string;
  readonly name: string;
  readonly platformId: string | null;
  readonly game: GameId | null;
  readonly lastSeenAt: string | null;
  readonly playedSeconds: number | null;
  readonly where: Whereabouts;
}

export const lineOf = (player: Player, where: Whereabouts): PlayerLine => ({ ...player, where });

/** Players who are online now, the latest to join first. */
export const onlineLines = (
  servers: readonly ServerPlayers[],
  known: readonly Pick<GameServer, 'id' | 'game'>[],
  {
    text,
    serverId,
  }: {
    /** A part of the name, or the whole platform id with or without its platform; empty: everyone. */
    readonly text: string;
    /** Undefined: on any server. */
    readonly serverId: string | undefined;
  },
): readonly PlayerLine[] => {
  const games = new Map(known.map(({ id, game }) => [id, game]));
  const wanted = text.toLocaleLowerCase();
  const isMeant = (name: string, platformId: string | null) => {
    const id = platformId?.toLowerCase();
    return name.toLocaleLowerCase().includes(wanted) || id === wanted || id?.split(':')[1] === wanted;
  };
  return servers
    .filter((server) => serverId === undefined || server.serverId === serverId)
    .flatMap(({ players }) => players ?? [])
    .filter(({ name, platformId }) => isMeant(name, platformId))
    .sort((a, b) => Date.parse(b.joinedAt) - Date.parse(a.joinedAt))
    .map(({ playerId, name, platformId, serverId: on, joinedAt }) => ({
      id: playerId,
      name,
      platformId,
      game: games.get(on) ?? null,
      lastSeenAt: null,
      playedSeconds: null,
      where: { state: 'on', places: [{ serverId: on, joinedAt }] },
    }));
};
