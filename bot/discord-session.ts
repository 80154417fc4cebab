import { setTimeout as delay } from 'node:timers/promises';
import type { BotStatus, BotTraffic } from '#contracts/bot.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import type { ClientFigures, ConnectionOptions, ConnectionStatus } from './discord-connection.ts';
import { reconnectDelayMs } from './sign-in-verdict.ts';

/** What a session is made with. */
export interface SessionSettings {
  /** Undefined: there is none, or it cannot be read. */
  readonly token: Secret | undefined;
  /** A token is saved, and cannot be decrypted. */
  readonly isTokenUnreadable: boolean;
  /** Empty: none is chosen. */
  readonly guildId: string;
}

export interface DiscordSessionOptions
  extends SessionSettings,
    Pick<ConnectionOptions, 'api' | 'discordUrls'> {
  readonly onStatus: (status: BotStatus) => void;
  readonly log: Log;
}

export interface DiscordSession extends AsyncDisposable {
  /** Between a heartbeat to Discord and its answer; null until there was one. */
  latencyMs(): number | null;
  /** Null while it is not signed in, nor tries to. */
  traffic(): BotTraffic | null;
  /** It has given up: only another session can get further. */
  readonly hasEnded: boolean;
}

/** Discord's tokens are printable ASCII; anything else could not even be sent. */
const tokenPattern = /^[\x21-\x7e]+$/;

/** Keeps the bot signed in to Discord, or says why it is not. Without a token there is nothing to load or to do. */
export const keepDiscordSession = ({
  token,
  isTokenUnreadable,
  guildId,
  discordUrls,
  onStatus: tell,
  api,
  log,
}: DiscordSessionOptions): DiscordSession => {
  const stopping = new AbortController();
  let told = '';
  let figures: ClientFigures | null = null;
  let hasEnded = false;
  // While Discord is away discord.js says twice a second that it reconnects.
  const onStatus = (status: ConnectionStatus) => {
    const text = JSON.stringify(status);
    if (text !== told && !stopping.signal.aborted)
      tell({ obstacle: null, guildName: null, clientId: '', ...status });
    told = text;
  };
  const wait = (obstacle: NonNullable<BotStatus['obstacle']>, detail: string) =>
    onStatus({ state: 'waiting', obstacle, detail });

  const keep = async (): Promise<void> => {
    if (isTokenUnreadable)
      return wait('token-unreadable', 'The saved token cannot be decrypted: enter it again in the panel.');
    if (!token) return wait('no-token', 'no token: enter one in the panel under Discord');
    if (!tokenPattern.test(token.reveal()))
      return wait(
        'token-refused',
        'The token holds characters that no token has: enter it again in the panel.',
      );
    const { connectOnce } = await import('./discord-connection.ts');
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      onStatus({ state: 'connecting', detail: 'signing in to Discord' });
      const { verdict, wasReady } = await connectOnce({
        token,
        guildId,
        discordUrls,
        onStatus,
        onClient(given) {
          figures = given;
        },
        api,
        log,
        signal: stopping.signal,
      });
      figures = null;
      if (stopping.signal.aborted) return;
      log.warn({ kind: verdict.kind, detail: verdict.detail }, 'not signed in to Discord');
      if (verdict.kind === 'refused') return wait(verdict.obstacle, verdict.detail);
      if (wasReady) attempt = 0;
      const waitMs =
        verdict.kind === 'throttled' ? verdict.retryMs : reconnectDelayMs(attempt, Math.random());
      onStatus({
        state: verdict.kind === 'throttled' ? 'throttled' : 'connecting',
        detail: `${verdict.detail} Next attempt in ${Math.round(waitMs / 1000)} s.`,
      });
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = keep().finally(() => {
    hasEnded = true;
  });

  return {
    latencyMs() {
      const ms = figures?.ping() ?? -1;
      return ms < 0 ? null : Math.round(ms);
    },
    traffic: () => figures?.traffic() ?? null,
    get hasEnded() {
      return hasEnded;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended;
    },
  };
};
