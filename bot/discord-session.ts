import type { BotStatus, BotTraffic } from '#contracts/discord/bot.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import { sleep } from '#runtime/sleep.ts';
import { wakes as systemWakes, type WakeWatch } from '#runtime/wake-watch.ts';
import type { ClientFigures, ConnectionStatus, connectOnce } from './discord-connection.ts';
import { reconnectDelayMs } from './sign-in-verdict.ts';

/** What a session is made with. */
export interface SessionSettings {
  /** Undefined: there is none, or it cannot be read. */
  readonly token: Secret | undefined;
  /** A token is saved, but it cannot be decrypted. */
  readonly isTokenUnreadable: boolean;
  /** Empty: none is chosen. */
  readonly guildId: string;
}

export interface DiscordSession extends AsyncDisposable {
  /** From a heartbeat to Discord to its answer; null until the first one. */
  latencyMs(): number | null;
  /** Null while it is neither signed in nor signing in. */
  traffic(): BotTraffic | null;
  /** It has given up: only a new session can try again. */
  readonly hasEnded: boolean;
}

/**
 * After a shorter sleep, discord.js resumes where it was and is told what it has missed; after a longer one, Discord
 * has forgotten the session, and only a new one helps.
 */
const longestResumeMs = 120_000;

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
  wakes = systemWakes,
  log,
}: SessionSettings &
  Pick<Parameters<typeof connectOnce>[0], 'api' | 'discordUrls'> & {
    readonly onStatus: (status: BotStatus) => void;
    readonly wakes?: WakeWatch | undefined;
    readonly log: Log;
  }): DiscordSession => {
  const stopping = new AbortController();
  /** Aborted by a sleep that no connection outlives. */
  let untilWake = new AbortController();
  /** Aborted by any sleep: what the bot waited for may have happened during it. */
  let waiting = new AbortController();
  const listening = wakes.onWake((sleptMs) => {
    const [connected, waited] = [untilWake, waiting];
    waiting = new AbortController();
    waited.abort();
    if (sleptMs < longestResumeMs) return;
    untilWake = new AbortController();
    connected.abort();
  });
  let told = '';
  let figures: ClientFigures | null = null;
  let hasEnded = false;
  // While Discord is down, discord.js reports twice a second that it reconnects.
  const onStatus = (status: ConnectionStatus) => {
    const text = JSON.stringify(status);
    if (text !== told && !stopping.signal.aborted)
      tell({ obstacle: null, guildName: null, clientId: '', ...status });
    told = text;
  };
  const wait = (obstacle: NonNullable<BotStatus['obstacle']>, detail: string) =>
    onStatus({ state: 'waiting', obstacle, detail });

  const keep = async (): Promise<void> => {
    if (isTokenUnreadable) return wait('token-unreadable', healthReasons['bot-token-unreadable']);
    if (!token) return wait('no-token', healthReasons['bot-no-token']);
    if (!tokenPattern.test(token.reveal())) return wait('token-refused', healthReasons['bot-token-misspelt']);
    const { connectOnce } = await import('./discord-connection.ts');
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      onStatus({ state: 'connecting', detail: healthReasons['bot-signing-in'] });
      const { signal: woken } = untilWake;
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
        signal: AbortSignal.any([stopping.signal, woken]),
      });
      figures = null;
      if (stopping.signal.aborted) return;
      if (woken.aborted) {
        log.info('the machine slept; signing in to Discord again');
        attempt = -1;
        continue;
      }
      log.warn({ kind: verdict.kind, detail: verdict.detail }, 'not signed in to Discord');
      if (verdict.kind === 'refused') return wait(verdict.obstacle, verdict.detail);
      if (wasReady) attempt = 0;
      const waitMs =
        verdict.kind === 'throttled' ? verdict.retryMs : reconnectDelayMs(attempt, Math.random());
      onStatus({
        state: verdict.kind === 'throttled' ? 'throttled' : 'connecting',
        detail: `${verdict.detail} ${healthReasons['bot-next-attempt'](Math.round(waitMs / 1000))}`,
      });
      const signal = AbortSignal.any([stopping.signal, waiting.signal]);
      // A wait that Discord asks for is kept, however long the machine slept.
      const until = verdict.kind === 'throttled' ? stopping.signal : signal;
      await sleep(waitMs, until);
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
      listening[Symbol.dispose]();
      stopping.abort();
      await ended;
    },
  };
};
