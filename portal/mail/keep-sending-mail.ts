import { forgetOldMails } from './forget-old-mails.ts';
import type { MailRow } from './mail.tables.ts';
import { claimDueMails, type SendingOptions, sendClaimedMail } from './mail-sender.ts';

/** Mails at the same time, each on a connection of its own: one slow answer does not hold up a sign-in code. */
const maxInHand = 4;
/** A sign-in code is waited for. */
const pollMs = 1000;
/** While the database is away there is no use in asking every second. */
const troubledPollMs = 10_000;
const forgetEveryMs = 3_600_000;
/** How long mails in hand may still take once we stop; those cut off are due again shortly. */
const drainMs = 3000;

/** Each portal process does this; a mail is in the hands of one at a time. */
export const keepSendingMail = (options: SendingOptions): AsyncDisposable => {
  const cut = new AbortController();
  const inHand = new Set<Promise<void>>();
  let stopping = false;
  /** Ends the present pause. */
  let wake: (() => void) | null = null;

  const pause = async (ms: number): Promise<void> => {
    if (stopping) return;
    const { promise: over, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, ms);
    await over;
    clearTimeout(timer);
  };

  const take = (mail: MailRow): void => {
    const sending = sendClaimedMail(options, mail, cut.signal)
      .catch((error: unknown) =>
        options.log.warn({ err: error, mail: mail.id }, 'what became of a mail could not be noted down'),
      )
      .finally(() => {
        inHand.delete(sending);
        wake?.();
      });
    inHand.add(sending);
  };

  const work = async (): Promise<void> => {
    let forgottenAt = Number.NEGATIVE_INFINITY;
    while (!stopping) {
      const free = maxInHand - inHand.size;
      try {
        if (performance.now() - forgottenAt > forgetEveryMs) {
          await forgetOldMails(options.db, options.clock.now());
          forgottenAt = performance.now();
        }
        const mails = free > 0 ? await claimDueMails(options, free) : [];
        for (const mail of mails) take(mail);
        if (free === 0 || mails.length < free) await pause(pollMs);
      } catch (error) {
        options.log.warn({ err: error }, 'mails could not be taken from the outbox');
        await pause(troubledPollMs);
      }
    }
    await Promise.all(inHand);
  };

  const working = work();
  return {
    async [Symbol.asyncDispose]() {
      stopping = true;
      wake?.();
      const timer = setTimeout(() => cut.abort(), drainMs);
      await working;
      clearTimeout(timer);
    },
  };
};
