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
  /** Aborted before the feature is disposed: whatever waits ends. */
  readonly signal: AbortSignal;
}

/**
 * Something that the bot does on its Discord server. It begins when the connection is ready there, sees losses that
 * discord.js mends by resuming as mere silence, and is disposed, within moments, when the session or the bot's place ends.
 */
export type BotFeature = (context: BotContext) => AsyncDisposable;

export interface GuildFeaturesOptions {
  readonly client: DiscordClient;
  /** Empty: none is chosen, and nothing begins. */
  readonly guildId: string;
  readonly features: readonly BotFeature[];
  readonly api: ApiClient;
  readonly log: Log;
}

/** Runs the features for as long as the client is signed in and on the Discord server. */
export const runGuildFeatures = (options: GuildFeaturesOptions): AsyncDisposable => {
  const { client, guildId, features, api, log } = options;
  let running: AsyncDisposableStack | null = null;
  let isDisposed = false;
  let changing = Promise.resolve();

  const isThere = () => client.isReady() && client.guilds.cache.get(guildId)?.available === true;
  /** Discord may be in trouble with a server that the bot is still on: then its features only wait. */
  const isGone = () => !client.guilds.cache.has(guildId);

  const start = async () => {
    await using starting = new AsyncDisposableStack();
    const stopping = new AbortController();
    try {
      for (const feature of features)
        starting.use(
          feature({ client: client as SignedInClient, guildId, api, log, signal: stopping.signal }),
        );
    } catch (error) {
      // Those that have begun end by it.
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
      .catch((error: unknown) => log.error({ err: error }, 'a feature of the bot has failed'));
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
