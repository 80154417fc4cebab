import { type Client, Events, GatewayIntentBits } from 'discord.js';
import type { BotObstacle, BotTraffic } from '#contracts/bot.ts';
import type { BotState } from '#contracts/bot-states.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import type { ApiClient } from './api-client.ts';
import { botFeatures } from './bot-features.ts';
import { DiscordClient, type DiscordUrls } from './discord-client.ts';
import { runGuildFeatures } from './guild-features.ts';
import { type SignInVerdict, signInVerdict } from './sign-in-verdict.ts';

/** What a connection says of itself. */
export interface ConnectionStatus {
  readonly state: BotState;
  readonly detail: string;
  readonly obstacle?: BotObstacle;
  readonly guildName?: string | null;
  readonly clientId?: string;
}

/** What a client measures. */
export interface ClientFigures {
  /** Between a heartbeat and its answer, in ms; negative before the first one. */
  ping(): number;
  traffic(): BotTraffic;
}

export interface ConnectionOptions {
  readonly token: Secret;
  /** Of the Discord server that it works on; empty: none is chosen. */
  readonly guildId: string;
  readonly discordUrls: DiscordUrls;
  readonly onStatus: (status: ConnectionStatus) => void;
  /** Told once. */
  readonly onClient?: (figures: ClientFigures) => void;
  /** For what the bot does on its Discord server; without it, the bot only signs in. */
  readonly api?: ApiClient | undefined;
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

/** Features fill the buckets of their channels by design; what lasts longer is told. */
const worthTellingMs = 10_000;

const standingOf = (client: Client<true>, guildId: string): ConnectionStatus => {
  const clientId = client.application.id;
  const as = `signed in as ${client.user.tag}`;
  if (guildId === '') return { state: 'connected', detail: `${as}; no Discord server is chosen`, clientId };
  const guild = client.guilds.cache.get(guildId);
  if (!guild)
    return {
      state: 'waiting',
      obstacle: 'guild-unknown',
      detail: `${as}, and not on the Discord server ${guildId}: invite the bot by the link in the panel under Discord, or correct the server's id.`,
      clientId,
    };
  // Discord has told its id alone while it has trouble with that server.
  const guildName = guild.available ? guild.name : null;
  return { state: 'connected', detail: `${as} on ${guildName ?? guildId}`, guildName, clientId };
};

/**
 * One signed-in connection, from sign-in to the end that discord.js does not mend by itself: it resumes lost
 * connections on its own, and waits when it is throttled.
 */
export const connectOnce = async ({
  token,
  guildId,
  discordUrls,
  onStatus,
  onClient,
  api,
  log,
  signal,
}: ConnectionOptions): Promise<ConnectionEnd> => {
  const end = Promise.withResolvers<unknown>();
  let closeCode: number | null = null;
  let standing: ConnectionStatus = { state: 'connecting', detail: 'signing in to Discord' };
  let throttle: NodeJS.Timeout | undefined;
  // The session's signal outlives every attempt; a listener left on it would keep this client for good.
  const ended = new AbortController();
  const stand = (status: ConnectionStatus) => {
    // A client that leaves while it signs in says that it reconnects.
    if (ended.signal.aborted) return;
    clearTimeout(throttle);
    standing = status;
    onStatus(status);
  };

  const client = new DiscordClient({
    intents,
    urls: discordUrls,
    rest: {
      // Asked whenever a request has to wait, which is only said.
      rejectOnRateLimit: ({ retryAfter, route }) => {
        // What would wait beyond the end of the connection waits for nothing.
        if (ended.signal.aborted) return true;
        // A channel that gets many messages has to wait now and then, which is no state of the bot.
        if (retryAfter < worthTellingMs && !route.startsWith('/gateway')) return false;
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
  const signedIn = () => client.isReady() && stand(standingOf(client, guildId));
  for (const event of [Events.ClientReady, Events.ShardResume, Events.ShardReady] as const)
    client.on(event, signedIn);
  // The bot was let in, was removed, or the Discord server has another name.
  for (const event of [Events.GuildCreate, Events.GuildDelete, Events.GuildUpdate] as const)
    client.on(event, signedIn);
  client.on(Events.GuildAvailable, signedIn);
  onClient?.({ ping: () => client.ws.ping, traffic: () => client.traffic.read() });
  // A sign-in finds out whether it is the token: Discord has answered so while it was in trouble, too.
  let isTokenDoubted = false;
  client.onTokenRefused = () => {
    if (!client.isReady()) return;
    isTokenDoubted = true;
    end.resolve(null);
  };
  client.on(Events.ShardDisconnect, ({ code }) => {
    closeCode = code;
    end.resolve(null);
  });
  client.on(Events.Invalidated, () => end.resolve(null));
  signal.addEventListener('abort', () => end.resolve(null), { once: true, signal: ended.signal });

  const features = api && runGuildFeatures({ client, guildId, features: botFeatures, api, log });
  client.login(token.reveal()).catch((error: unknown) => end.resolve(error));
  const error = await end.promise;
  // What ends by a doubt is not begun again at once: it may come back for ever.
  const wasReady = client.isReady() && !isTokenDoubted;
  clearTimeout(throttle);
  ended.abort();
  await features?.[Symbol.asyncDispose]();
  await client.destroy();
  return { verdict: signInVerdict(error ?? {}, closeCode), wasReady };
};
