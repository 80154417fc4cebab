import type { BotObstacle } from '#contracts/bot.ts';
import { backOffDelay } from '#runtime/back-off.ts';

/** What a failed or lost connection to Discord means. */
export type SignInVerdict =
  /** Only a person can help: asking again would lead to the same answer, or to a ban. */
  | { readonly kind: 'refused'; readonly obstacle: BotObstacle; readonly detail: string }
  /** Discord wants us to wait. */
  | { readonly kind: 'throttled'; readonly detail: string; readonly retryMs: number }
  | { readonly kind: 'unreachable'; readonly detail: string };

type Refusal = Pick<Extract<SignInVerdict, { kind: 'refused' }>, 'obstacle' | 'detail'>;

const tokenRefused: Refusal = {
  obstacle: 'token-refused',
  detail:
    'Discord refuses the token: make a new one in the Discord developer portal, and enter it in the panel under Discord.',
};
const refused = (detail: string): Refusal => ({ obstacle: 'refused', detail });

/** Close codes of Discord's gateway after which a connection with the same settings is refused again. */
const refusals: Readonly<Record<number, Refusal>> = {
  4004: tokenRefused,
  4010: refused('Discord refuses the shard of this bot.'),
  4011: refused('This bot is in too many guilds for one connection.'),
  4012: refused('Discord no longer speaks the version that this bot speaks: update Castellan.'),
  4013: refused('Discord does not know the intents that this bot asks for: update Castellan.'),
  4014: {
    obstacle: 'intents-off',
    detail:
      'The bot lacks privileged intents: switch on SERVER MEMBERS INTENT and MESSAGE CONTENT INTENT for the application in the Discord developer portal, then let the bot try again in the panel under Discord.',
  },
};

/** Discord asks for about a minute. */
const throttledMs = 60_000;

/** @param closeCode of the gateway's connection, where there was one */
export const signInVerdict = (error: unknown, closeCode: number | null): SignInVerdict => {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  const refusal = code === 'TokenInvalid' ? tokenRefused : refusals[closeCode ?? 0];
  if (refusal) return { kind: 'refused', ...refusal };
  if (/not enough sessions/i.test(message))
    return {
      kind: 'throttled',
      detail: 'Discord allows no more sign-ins for now.',
      retryMs: throttledMs,
    };
  return { kind: 'unreachable', detail: 'Discord cannot be reached.' };
};

/** How long to wait before the next attempt to reach Discord. */
export const reconnectDelayMs = (attempt: number, random: number): number =>
  backOffDelay({ firstMs: 1000, mostMs: 60_000, jitter: 0.25 }, attempt + 1, random);
