import type { KeptMessage, StatusBoard, StatusOutcome } from '#contracts/discord-status.ts';
import type { Language } from '#contracts/language.ts';
import { backOffDelay } from '#runtime/back-off.ts';

const retry = { firstMs: 1000, mostMs: 60_000 } as const;
const repost = { firstMs: 30_000, mostMs: 3_600_000 } as const;
/** A message that stood for longer was not deleted by a habit. */
const calmMs = 2 * 3_600_000;
/** How long a channel is left alone that refuses what its permissions allow. */
const refusedMs = 60_000;

/** A status message as the bot has it in mind; all of it is found out again after a start. */
export interface HeldMessage {
  /** As the API has told, and what was done since. */
  order: KeptMessage;
  language: Language;
  /** For what is said while the API is away. */
  lastBoard: StatusBoard | null;
  /** Discord was asked, in this connection, that it is there and shows what was confirmed. */
  isChecked: boolean;
  /** A post of this bot was not answered. */
  isInDoubt: boolean;
  /** Of the post that made it, until the API has its id: it is found by it alone. */
  mark: string | null;
  /** Deletions by others, one soon after the other. */
  deletions: number;
  /** It says that the API is away. */
  saysAway: boolean;
  isBusy: boolean;
  writtenMs: number;
  failures: number;
  notBeforeMs: number;
}

export const newHeld = (order: KeptMessage, language: Language): HeldMessage => ({
  order,
  language,
  lastBoard: order.board,
  isChecked: false,
  isInDoubt: false,
  mark: null,
  deletions: 0,
  saysAway: false,
  isBusy: false,
  writtenMs: Number.NEGATIVE_INFINITY,
  failures: 0,
  notBeforeMs: 0,
});

export const waitAfterDoubt = (held: Pick<HeldMessage, 'failures' | 'notBeforeMs'>): void => {
  held.failures += 1;
  held.notBeforeMs = performance.now() + backOffDelay(retry, held.failures);
};
export const waitAfterRefusal = (held: Pick<HeldMessage, 'notBeforeMs'>): void => {
  held.notBeforeMs = performance.now() + refusedMs;
};

/** Posted again at once; where someone, or another bot, deletes each one, later and later. */
const paceAfterDeletion = (held: HeldMessage): void => {
  const nowMs = performance.now();
  held.deletions = nowMs - held.writtenMs < calmMs ? held.deletions + 1 : 1;
  if (held.deletions > 1) held.notBeforeMs = nowMs + backOffDelay(repost, held.deletions - 1);
};

/** What has happened in Discord, in mind at once; the API is told later. */
export const takeOutcome = (held: HeldMessage, outcome: StatusOutcome): void => {
  if (outcome.outcome === 'refused') {
    waitAfterRefusal(held);
    return;
  }
  held.failures = 0;
  if (outcome.outcome === 'posted' || outcome.outcome === 'edited') {
    const { messageId, shown } = outcome;
    held.order = { ...held.order, messageId, post: null, shown };
    held.isChecked = shown !== null;
    held.isInDoubt = false;
    held.saysAway = false;
    held.writtenMs = performance.now();
    if (outcome.outcome === 'posted') held.mark = outcome.post;
    return;
  }
  if (outcome.outcome === 'gone') paceAfterDeletion(held);
  held.order = { ...held.order, messageId: null, post: null, shown: null };
  held.isChecked = false;
  held.isInDoubt = false;
  held.mark = null;
};
