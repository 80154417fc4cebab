import { Client, Events, GatewayIntentBits } from 'discord.js';
import type { BotStatus } from '#contracts/bot.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import { type SignInVerdict, signInVerdict } from './sign-in-verdict.ts';

export interface ConnectionOptions {
  readonly token: Secret;
  readonly discordApiUrl: string | undefined;
  readonly onStatus: (status: BotStatus) => void;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface ConnectionEnd {
  readonly verdict: SignInVerdict;
  /** Whether it was signed in before it ended. */
  readonly wasReady: boolean;
}

/** GUILD_MEMBERS and MESSAGE_CONTENT are privileged: the owner of the application has to switch them on. */
const intents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.MessageContent,
];

/**
 * One signed-in connection, from sign-in to the end that discord.js does not mend by itself: it resumes lost
 * connections on its own, and waits when it is throttled.
 */
export const connectOnce = async ({
  token,
  discordApiUrl,
  onStatus,
  log,
  signal,
}: ConnectionOptions): Promise<ConnectionEnd> => {
  const end = Promise.withResolvers<unknown>();
  let closeCode: number | null = null;
  let standing: BotStatus = { state: 'connecting', detail: 'signing in to Discord' };
  let throttle: NodeJS.Timeout | undefined;
  const stand = (status: BotStatus) => {
    clearTimeout(throttle);
    standing = status;
    onStatus(status);
  };

  const client = new Client({
    intents,
    rest: {
      ...(discordApiUrl ? { api: discordApiUrl } : {}),
      // Asked whenever a request has to wait; it is not rejected, only said.
      rejectOnRateLimit: ({ retryAfter }) => {
        onStatus({ state: 'throttled', detail: `Discord lets us wait ${Math.ceil(retryAfter / 1000)} s.` });
        clearTimeout(throttle);
        throttle = setTimeout(() => onStatus(standing), retryAfter);
        return false;
      },
    },
  });
  client.on(Events.Error, (error) => log.warn({ err: error }, 'Discord client error'));
  client.on(Events.ShardError, (error) => log.debug({ err: error }, 'Discord connection error'));
  client.on(Events.ShardReconnecting, () =>
    stand({ state: 'connecting', detail: 'reconnecting to Discord' }),
  );
  const signedIn = () =>
    stand({ state: 'connected', detail: `signed in as ${client.user?.tag ?? 'unknown'}` });
  client.on(Events.ClientReady, signedIn);
  client.on(Events.ShardResume, signedIn);
  client.on(Events.ShardReady, () => client.isReady() && signedIn());
  client.on(Events.ShardDisconnect, ({ code }) => {
    closeCode = code;
    end.resolve(null);
  });
  client.on(Events.Invalidated, () => end.resolve(null));
  // The session's signal outlives every attempt; a listener left on it would keep this client for good.
  const ended = new AbortController();
  signal.addEventListener('abort', () => end.resolve(null), { once: true, signal: ended.signal });

  client.login(token.reveal()).catch((error: unknown) => end.resolve(error));
  const error = await end.promise;
  const wasReady = client.isReady();
  clearTimeout(throttle);
  ended.abort();
  await client.destroy();
  return { verdict: signInVerdict(error ?? {}, closeCode), wasReady };
};
