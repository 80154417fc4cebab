import { type Client, Events, GatewayIntentBits } from 'discord.js';
import type { BotObstacle, BotTraffic } from '#contracts/discord/bot.ts';
import type { BotState } from '#contracts/discord/bot-states.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { discordApiUrl } from '#runtime/discord/ask-discord.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import type { ApiClient } from './api-client.ts';
import { botFeatures } from './bot-features.ts';
import { DiscordClient, type DiscordUrls } from './discord-client.ts';
import { runGuildFeatures } from './guild-features.ts';
import { type SignInVerdict, signInVerdict } from './sign-in-verdict.ts';

/** What a connection reports about itself. */
export interface ConnectionStatus {
  readonly state: BotState;
  readonly detail: string;
  readonly obstacle?: BotObstacle;
  readonly guildName?: string | null;
  readonly clientId?: string;
}

/** What a client measures. */
export interface ClientFigures {
  /** From a heartbeat to its answer, in ms; negative before the first one. */
  ping(): number;
  traffic(): BotTraffic;
}

export interface ConnectionEnd {
  readonly verdict: SignInVerdict;
  /** Whether the bot was signed in before the end. */
  readonly wasReady: boolean;
}

/** GUILD_MEMBERS and MESSAGE_CONTENT are privileged: the owner of the application has to switch them on. */
const intents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.MessageContent,
];

/** Discord's own close codes begin here; below are those of the network and of clients. */
const firstOwnCode = 4000;
/** discord.js tries again at once whenever Discord closes the connection; this often within this time, only a pause helps. */
const mostCloses = 4;
const flappingMs = 60_000;

/** Features fill the rate limits of their channels by design; only longer waits are reported. */
const worthTellingMs = 10_000;

const standingOf = (client: Client<true>, guildId: string): ConnectionStatus => {
  const clientId = client.application.id;
  const as = healthReasons['bot-signed-in'](client.user.tag);
  if (guildId === '')
    return { state: 'connected', detail: `${as} ${healthReasons['bot-no-guild']}`, clientId };
  const guild = client.guilds.cache.get(guildId);
  if (!guild)
    return {
      state: 'waiting',
      obstacle: 'guild-unknown',
      detail: `${as} ${healthReasons['bot-not-on-guild'](guildId)}`,
      clientId,
    };
  // While Discord has trouble with that server from the start, it sends only the id.
  const guildName = guild.name ?? null;
  if (!guild.available) {
    const detail = `${as} ${healthReasons['bot-guild-unavailable'](guildName ?? guildId)}`;
    return { state: 'waiting', obstacle: 'guild-unavailable', detail, guildName, clientId };
  }
  const where = healthReasons['bot-on-guild'](guildName ?? guildId);
  return { state: 'connected', detail: `${as} ${where}`, guildName, clientId };
};

/**
 * One connection from sign-in to an end that discord.js does not recover from: it resumes lost connections itself, and
 * waits when it is throttled.
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
}: {
  readonly token: Secret;
  /** The Discord server that the bot works on; empty: none is chosen. */
  readonly guildId: string;
  readonly discordUrls: DiscordUrls;
  readonly onStatus: (status: ConnectionStatus) => void;
  /** Called once. */
  readonly onClient?: (figures: ClientFigures) => void;
  /** Needed for the bot's features; without it, the bot only signs in. */
  readonly api?: ApiClient | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}): Promise<ConnectionEnd> => {
  const end = Promise.withResolvers<unknown>();
  let closeCode: number | null = null;
  let standing: ConnectionStatus = { state: 'connecting', detail: healthReasons['bot-signing-in'] };
  let throttle: NodeJS.Timeout | undefined;
  // The session's signal outlives every attempt; a listener left on it would keep this client in memory forever.
  const ended = new AbortController();
  const stand = (status: ConnectionStatus) => {
    // A client that leaves while it signs in reports that it reconnects.
    if (ended.signal.aborted) return;
    clearTimeout(throttle);
    standing = status;
    onStatus(status);
  };

  const client = new DiscordClient({
    intents,
    urls: discordUrls,
    rest: {
      // Called whenever a request has to wait; used here only to report that.
      rejectOnRateLimit: ({ retryAfter, route }) => {
        // After the end of the connection, no request waits.
        if (ended.signal.aborted) return true;
        // A channel with many messages has to wait now and then, which is no status of the bot.
        if (retryAfter < worthTellingMs && !route.startsWith('/gateway')) return false;
        onStatus({
          state: 'throttled',
          detail: healthReasons['bot-throttled'](Math.ceil(retryAfter / 1000)),
        });
        clearTimeout(throttle);
        throttle = setTimeout(() => onStatus(standing), retryAfter);
        return false;
      },
    },
  });
  client.on(Events.Error, (error) => log.warn({ err: error }, 'the Discord client failed'));
  let gatewayError: Error | null = null;
  client.on(Events.ShardError, (error) => {
    log.debug({ err: error }, 'the Discord connection failed');
    gatewayError = error;
  });
  client.on(Events.ShardReconnecting, () =>
    stand({ state: 'connecting', detail: healthReasons['bot-reconnecting'] }),
  );
  const signedIn = () => client.isReady() && stand(standingOf(client, guildId));
  for (const event of [Events.ClientReady, Events.ShardResume, Events.ShardReady] as const)
    client.on(event, signedIn);
  // The bot was added or removed, or the Discord server has a new name.
  for (const event of [Events.GuildCreate, Events.GuildDelete, Events.GuildUpdate] as const)
    client.on(event, signedIn);
  for (const event of [Events.GuildAvailable, Events.GuildUnavailable] as const) client.on(event, signedIn);
  onClient?.({ ping: () => client.ws.ping, traffic: () => client.traffic.read() });
  // A sign-in finds out whether the token is the cause: Discord has also answered this way during outages of its own.
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
  const closed: number[] = [];
  let isFlapping = false;
  client.onGatewayClosed = (code) => {
    if (code < firstOwnCode) return;
    const nowMs = performance.now();
    closed.push(nowMs);
    if (closed.filter((atMs) => nowMs - atMs < flappingMs).length < mostCloses) return;
    isFlapping = true;
    closeCode = code;
    end.resolve(null);
  };
  client.on(Events.Invalidated, () => end.resolve(null));
  signal.addEventListener('abort', () => end.resolve(null), { once: true, signal: ended.signal });

  const features = api && runGuildFeatures({ client, guildId, features: botFeatures, api, log });
  client.login(token.reveal()).catch((error: unknown) => end.resolve(error));
  const error = await end.promise;
  // A connection that ended by such a doubt is not retried immediately, since the doubt may repeat forever.
  const wasReady = client.isReady() && !isTokenDoubted && !isFlapping;
  clearTimeout(throttle);
  ended.abort();
  await features?.[Symbol.asyncDispose]();
  await client.destroy();
  const url = new URL(discordUrls.api ?? discordApiUrl);
  return { verdict: await signInVerdict(error ?? gatewayError ?? {}, closeCode, url), wasReady };
};
