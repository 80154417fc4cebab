import type { BotObstacle } from '#contracts/discord/bot.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { explainOutside } from '#runtime/outside/outside-failure.ts';

/** What a failed or lost connection to Discord means. */
export type SignInVerdict =
  /** Only a person can help: trying again would give the same answer, or a ban. */
  | { readonly kind: 'refused'; readonly obstacle: BotObstacle; readonly detail: string }
  /** Discord wants the bot to wait. */
  | { readonly kind: 'throttled'; readonly detail: string; readonly retryMs: number }
  | { readonly kind: 'unreachable'; readonly detail: string };

type Refusal = Pick<Extract<SignInVerdict, { kind: 'refused' }>, 'obstacle' | 'detail'>;

const tokenRefused: Refusal = {
  obstacle: 'token-refused',
  detail: healthReasons['bot-token-refused'],
};
const refused = (detail: string): Refusal => ({ obstacle: 'refused', detail });

/** Close codes of Discord's gateway after which a connection with the same settings is refused again. */
const refusals: Readonly<Record<number, Refusal>> = {
  4004: tokenRefused,
  4010: refused(healthReasons['bot-shard-refused']),
  4011: refused(healthReasons['bot-too-many-guilds']),
  4012: refused(healthReasons['bot-version-refused']),
  4013: refused(healthReasons['bot-intents-unknown']),
  4014: { obstacle: 'intents-off', detail: healthReasons['bot-intents-off'] },
};

/** Discord asks for about a minute. */
const throttledMs = 60_000;

/** @param closeCode of the gateway's connection, if there was one @param url what was asked */
export const signInVerdict = async (
  error: unknown,
  closeCode: number | null,
  url: URL,
): Promise<SignInVerdict> => {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  const refusal = code === 'TokenInvalid' ? tokenRefused : refusals[closeCode ?? 0];
  if (refusal) return { kind: 'refused', ...refusal };
  if (/not enough sessions/i.test(message))
    return {
      kind: 'throttled',
      detail: healthReasons['bot-sign-ins-used-up'],
      retryMs: throttledMs,
    };
  if (closeCode !== null && closeCode >= 4000)
    return { kind: 'unreachable', detail: healthReasons['discord-closes'](closeCode) };
  const why = error instanceof Error ? ` ${(await explainOutside(error, url)).text}` : '';
  return { kind: 'unreachable', detail: healthReasons['discord-unreachable'] + why };
};

/** How long to wait before the next attempt to reach Discord. */
export const reconnectDelayMs = (attempt: number, random: number): number =>
  backOffDelay({ firstMs: 1000, mostMs: 60_000, jitter: 0.25 }, attempt + 1, random);
