import type { KeptMessage, StatusBoard, StatusOutcome } from '#contracts/discord/discord-status.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { backOffDelay } from '#runtime/back-off.ts';

const longestRetryMs = 60_000;
const repost = { firstMs: 30_000, mostMs: 3_600_000 } as const;
/** After this long, a deletion does not count as one of a series. */
const calmMs = 2 * 3_600_000;
/** How long to leave a channel alone after it refused what its permissions allow. */
const refusedMs = 60_000;

/** What the bot remembers of a status message; after a start, all of it is determined again. */
export interface HeldMessage {
  /** As the API last sent it, with what has been done since. */
  order: KeptMessage;
  language: Language;
  /** Used for the notice while the API is unreachable. */
  lastBoard: StatusBoard | null;
  /** Checked with Discord, in this connection: the message exists and shows what was confirmed. */
  isChecked: boolean;
  /** A post by this bot got no answer. */
  isInDoubt: boolean;
  /** The mark of the post that created it, until the API has its id: only the mark finds it. */
  mark: string | null;
  /** Deletions by others in quick succession. */
  deletions: number;
  /** It says that the API is unreachable. */
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

export const waitAfterDoubt = (
  held: Pick<HeldMessage, 'failures' | 'notBeforeMs'>,
  firstMs: number,
): void => {
  held.failures += 1;
  held.notBeforeMs = performance.now() + backOffDelay({ firstMs, mostMs: longestRetryMs }, held.failures);
};
export const waitAfterRefusal = (held: Pick<HeldMessage, 'notBeforeMs'>): void => {
  held.notBeforeMs = performance.now() + refusedMs;
};

/** A deleted message is posted again immediately; if a person or another bot deletes each one, at growing intervals. */
const paceAfterDeletion = (held: HeldMessage): void => {
  const nowMs = performance.now();
  held.deletions = nowMs - held.writtenMs < calmMs ? held.deletions + 1 : 1;
  if (held.deletions > 1) held.notBeforeMs = nowMs + backOffDelay(repost, held.deletions - 1);
};

/** Remembers what happened in Discord immediately; the API is told later. */
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
