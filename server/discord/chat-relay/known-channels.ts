import type { ChatChannel } from '#contracts/discord/discord-chat.ts';

/** The channels of relays, as the bot last reported them. */
export interface KnownChannels {
  report(channels: readonly ChatChannel[]): void;
  /** Null: the bot is away. */
  read(): ReadonlyMap<string, ChatChannel> | null;
}

/** The bot asks for chat every second, and every ten seconds while the API has trouble. */
const awayAfterMs = 25_000;

export const createKnownChannels = (): KnownChannels => {
  let channels: ReadonlyMap<string, ChatChannel> = new Map();
  let heardMs = Number.NEGATIVE_INFINITY;
  return {
    report(told) {
      channels = new Map(told.map((channel) => [channel.id, channel]));
      heardMs = performance.now();
    },
    read: () => (performance.now() - heardMs < awayAfterMs ? channels : null),
  };
};
