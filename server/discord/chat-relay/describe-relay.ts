import type { Selectable } from 'kysely';
import type {
  ChatChannel,
  ChatRelay,
  ChatRelayDraft,
  ChatRelayObstacle,
} from '#contracts/discord/discord-chat.ts';
import type { GameServerStatus } from '#contracts/servers/game-servers.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import type { Tables } from '../../kernel/database/tables.ts';

export type RelayRow = Selectable<Tables['discord_chat_relays']>;

/** What a relay has to know about a game server. */
export interface RelayServer {
  readonly name: string;
  /** Something reports what is said there. */
  readonly isHeard: boolean;
  readonly isOnline: boolean;
}

/** What is known about game servers. */
export interface RelayedServers {
  readonly directory: {
    get(id: string): { readonly name: string; readonly game: GameId; readonly host: string | null } | null;
  };
  readonly tasks: {
    machineOf(serverId: string): {
      readonly machine: { readonly facts: { readonly readsLog?: boolean | undefined } } | null;
    };
  };
  readonly agents: { isPresent(serverId: string): boolean };
  statusOf(serverId: string): Pick<GameServerStatus, 'state'>;
}

/** @returns null: it is not in use */
export const relayServerOf = (
  { directory, tasks, agents, statusOf }: RelayedServers,
  id: string,
): RelayServer | null => {
  const found = directory.get(id);
  if (!found) return null;
  const showsLog = games[found.game].hasLiveConsole && found.host !== null;
  // Earlier agents do not say whether they read the game's log.
  const readsLog = tasks.machineOf(id).machine?.facts.readsLog ?? true;
  return {
    name: found.name,
    isHeard: showsLog || (readsLog && agents.isPresent(id)),
    isOnline: statusOf(id).state === 'online',
  };
};

export const draftOf = (row: RelayRow): ChatRelayDraft => ({
  isEnabled: row.is_enabled,
  serverId: row.server_id,
  channelId: row.channel_id,
  toDiscord: row.to_discord,
  toGame: row.to_game,
  fromServers: row.from_servers,
});
/**
 * @param server null: it is not in use. @param channels as the bot last reported them; null: it is away
 * @param isUnavailable Discord has trouble with the Discord server
 */
export const describeRelay = (
  row: RelayRow,
  server: RelayServer | null,
  channels: ReadonlyMap<string, ChatChannel> | null,
  isUnavailable: boolean,
): ChatRelay => {
  const channel = channels?.get(row.channel_id);
  const ofDiscord = (): readonly ChatRelayObstacle[] => {
    if (!channels) return ['bot-away'];
    return isUnavailable ? ['guild-unavailable'] : channelObstacles(row, channel);
  };
  const obstacles: ChatRelayObstacle[] = [
    ...(server ? [] : (['server-archived'] as const)),
    ...ofDiscord(),
    ...(server && row.to_discord && !server.isHeard ? (['chat-not-heard'] as const) : []),
    ...(server && row.to_game && !server.isOnline ? (['game-not-online'] as const) : []),
  ];
  return {
    id: row.id,
    version: row.version,
    ...draftOf(row),
    obstacles,
    missing: neededMissing(row, channel),
    toDiscordAt: row.to_discord_at?.toISOString() ?? null,
    toGameAt: row.to_game_at?.toISOString() ?? null,
    toDiscordLeftOut: Number(row.to_discord_left_out),
    toGameLeftOut: Number(row.to_game_left_out),
  };
};

/** To hear people the bot has to see the channel, and nothing else. */
const neededMissing = ({ to_discord }: RelayRow, channel: ChatChannel | undefined) =>
  (channel?.missing ?? []).filter((name) => to_discord || name === 'viewChannels');

const channelObstacles = (row: RelayRow, channel: ChatChannel | undefined): ChatRelayObstacle[] => {
  // The bot has not reported yet; it does within a moment.
  if (!channel || !row.is_enabled) return [];
  if (channel.state === 'unknown') return ['channel-unknown'];
  if (neededMissing(row, channel).length > 0) return ['permissions-missing'];
  return channel.state === 'open' || !row.to_discord ? [] : [channel.state];
};
