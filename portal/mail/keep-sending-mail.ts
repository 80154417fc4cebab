import type { Kysely } from 'kysely';
import type { MailRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { claimDueMails, type SendingOptions, sendClaimedMail } from './mail-sender.ts';

const dayMs = 86_400_000;
const keptSentDays = 30;
/** Long enough for a vendor to see which mails were given up, and to send them again. */
const keptGivenUpDays = 90;

const forgetOldMails = async (db: Kysely<PortalTables>, now: Date): Promise<void> => {
  const limits = [
    ['sent', keptSentDays],
    ['given_up', keptGivenUpDays],
  ] as const;
  for (const [state, days] of limits) {
    await db
      .deleteFrom('mail_outbox')
      .where('state', '=', state)
      .where('settled_at', '<', new Date(now.getTime() - days * dayMs))
      .execute();
  }
};

/** Mails at the same time, each on its own connection, so that one slow server does not delay a sign-in code. */
const maxInHand = 4;
/** Someone waits for a sign-in code. */
const pollMs = 1000;
/** While the database is unreachable, asking every second is pointless. */
const troubledPollMs = 10_000;
const forgetEveryMs = 3_600_000;
/** How long mails in progress may still take after a stop; interrupted ones are soon due again. */
const drainMs = 3000;

/** Each portal process does this; only one process works on a mail at a time. */
export const keepSendingMail = (options: SendingOptions): AsyncDisposable => {
  const cut = new AbortController();
  const inHand = new Set<Promise<void>>();
  let stopping = false;
  /** Ends the current pause. */
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
        options.log.warn({ err: error, mail: mail.id }, 'could not store the outcome of a mail'),
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
        options.log.warn({ err: error }, 'could not take mails from the outbox');
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
