import { backOffDelay } from '#runtime/back-off.ts';

/** What a failed or lost connection to Discord means. */
export type SignInVerdict =
  /** Only another environment can help: asking again would lead to the same answer, or to a ban. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** Discord wants us to wait. */
  | { readonly kind: 'throttled'; readonly detail: string; readonly retryMs: number }
  | { readonly kind: 'unreachable'; readonly detail: string };

/** Close codes of Discord's gateway after which a connection with the same settings is refused again. */
const refusals: Readonly<Record<number, string>> = {
  4004: 'Discord refuses the token: set a valid DISCORD_BOT_TOKEN, then restart the bot.',
  4010: 'Discord refuses the shard of this bot.',
  4011: 'This bot is in too many guilds for one connection.',
  4012: 'Discord no longer speaks the version that this bot speaks: update Castellan.',
  4013: 'Discord does not know the intents that this bot asks for: update Castellan.',
  4014: 'The bot lacks privileged intents: switch on SERVER MEMBERS INTENT and MESSAGE CONTENT INTENT for the application in Discord, then restart the bot.',
};

/** Discord asks for about a minute. */
const throttledMs = 60_000;

/** @param closeCode of the gateway's connection, where there was one */
export const signInVerdict = (error: unknown, closeCode: number | null): SignInVerdict => {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  const refusal = refusals[code === 'TokenInvalid' ? 4004 : (closeCode ?? 0)];
  if (refusal) return { kind: 'refused', detail: refusal };
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
