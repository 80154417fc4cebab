import { Events } from 'discord.js';
import type { Log } from '#runtime/log.ts';
import type { ApiClient } from './api-client.ts';
import type { DiscordClient, SignedInClient } from './discord-client.ts';

export interface BotContext {
  /** Signed in, with the chosen Discord server in its cache. */
  readonly client: SignedInClient;
  readonly guildId: string;
  readonly api: ApiClient;
  readonly log: Log;
  /** Aborted before the feature is disposed, and ends every wait. */
  readonly signal: AbortSignal;
  /** @returns how long to wait where people wait `usualMs` */
  readonly interval: (usualMs: number) => number;
}

/**
 * Something that the bot does on its Discord server. It begins once the connection is ready there, notices losses that
 * discord.js repairs by resuming only as silence, and is disposed within moments when the session ends or the bot
 * leaves the server.
 */
export type BotFeature = (context: BotContext) => AsyncDisposable;

/** Runs the features while the client is signed in and on the Discord server. */
export const runGuildFeatures = (options: {
  readonly client: DiscordClient;
  /** Empty: none is chosen, and nothing begins. */
  readonly guildId: string;
  readonly features: readonly BotFeature[];
  readonly api: ApiClient;
  readonly log: Log;
  /** Tests wait less; by default, the usual time. */
  readonly interval?: BotContext['interval'];
}): AsyncDisposable => {
  const { client, guildId, features, api, log, interval = (usualMs) => usualMs } = options;
  let running: AsyncDisposableStack | null = null;
  let isDisposed = false;
  let changing = Promise.resolve();

  const isThere = () => client.isReady() && client.guilds.cache.get(guildId)?.available === true;
  /** During trouble on Discord's side, the bot is still on the server: its features only wait. */
  const isGone = () => !client.guilds.cache.has(guildId);

  const start = async () => {
    await using starting = new AsyncDisposableStack();
    const stopping = new AbortController();
    try {
      for (const feature of features)
        starting.use(
          feature({ client: client as SignedInClient, guildId, api, log, signal: stopping.signal, interval }),
        );
    } catch (error) {
      // This also ends features that have begun.
      stopping.abort();
      throw error;
    }
    starting.defer(() => stopping.abort());
    running = starting.move();
  };
  const stop = async () => {
    await running?.disposeAsync();
    running = null;
  };
  const follow = () => {
    changing = changing
      .then(async () => {
        if (running && (isDisposed || isGone())) await stop();
        else if (!running && !isDisposed && isThere()) await start();
      })
      .catch((error: unknown) => log.error({ err: error }, 'a bot feature failed'));
  };
  const events = [Events.ClientReady, Events.GuildCreate, Events.GuildDelete, Events.GuildAvailable] as const;
  for (const event of events) client.on(event, follow);

  return {
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      for (const event of events) client.off(event, follow);
      follow();
      await changing;
    },
  };
};
