import { setTimeout as delay } from 'node:timers/promises';
import type { BotStatus } from '#contracts/bot.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import { reconnectDelayMs } from './sign-in-verdict.ts';

export interface DiscordSessionOptions {
  readonly token: Secret | undefined;
  /** The real Discord when undefined. */
  readonly discordApiUrl: string | undefined;
  readonly onStatus: (status: BotStatus) => void;
  readonly log: Log;
}

/** Discord's tokens are printable ASCII; anything else could not even be sent. */
const tokenPattern = /^[\x21-\x7e]+$/;

/** Keeps the bot signed in to Discord, or says why it is not. Without a token there is nothing to load or to do. */
export const keepDiscordSession = ({
  token,
  discordApiUrl,
  onStatus: tell,
  log,
}: DiscordSessionOptions): AsyncDisposable => {
  const stopping = new AbortController();
  let told = '';
  // While Discord is away discord.js says twice a second that it reconnects.
  const onStatus = (status: BotStatus) => {
    const text = JSON.stringify(status);
    if (text !== told) tell(status);
    told = text;
  };
  const wait = (detail: string) => onStatus({ state: 'waiting', detail });

  const keep = async (): Promise<void> => {
    if (!token) return wait('no token: set DISCORD_BOT_TOKEN');
    if (!tokenPattern.test(token.reveal()))
      return wait('DISCORD_BOT_TOKEN holds characters that no token has.');
    const { connectOnce } = await import('./discord-connection.ts');
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      onStatus({ state: 'connecting', detail: 'signing in to Discord' });
      const { verdict, wasReady } = await connectOnce({
        token,
        discordApiUrl,
        onStatus,
        log,
        signal: stopping.signal,
      });
      if (stopping.signal.aborted) return;
      log.warn({ kind: verdict.kind, detail: verdict.detail }, 'not signed in to Discord');
      if (verdict.kind === 'refused') return wait(verdict.detail);
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
  const ended = keep();

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended;
    },
  };
};
