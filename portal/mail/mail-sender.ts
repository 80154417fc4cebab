import { type Kysely, sql } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import type { MailRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { decideRetry, maxAttempts } from './decide-retry.ts';
import type { MailSender } from './mail-address.ts';
import { mailBodyColumn } from './outbox.ts';
import type { Handover, MailTransport } from './transport.ts';

export interface SendingOptions {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly from: MailSender;
  readonly transport: MailTransport;
  readonly log: Log;
}

/** Longer than a transport may take; after that the sender is dead, and another one takes over its mails. */
const leaseMs = 5 * 60_000;
/** No try is further ahead. */
const longestWaitMs = 86_400_000;

/**
 * Claims due mails, at most `count`. Rows are claimed by a lease, not by a transaction that stays open while a slow
 * server answers. A sender that dies between sending a mail and recording it causes a second one, with the same
 * Message-ID.
 */
export const claimDueMails = ({ db, clock }: SendingOptions, count: number): Promise<MailRow[]> => {
  const now = clock.now();
  return db
    .with(
      (name) => name('taken').materialized(),
      (query) =>
        query
          .selectFrom('mail_outbox')
          .select('id as taken_id')
          .where('state', '=', 'due')
          .where((row) =>
            row.or([
              row('next_attempt_at', '<=', now),
              // Stored by a clock that was ahead: it would not be sent before that time.
              row('next_attempt_at', '>', new Date(now.getTime() + longestWaitMs)),
            ]),
          )
          .orderBy('next_attempt_at')
          .limit(count)
          .forUpdate()
          .skipLocked(),
    )
    .updateTable('mail_outbox')
    .from('taken')
    .whereRef('id', '=', 'taken_id')
    .set({ attempts: sql`attempts + 1`, next_attempt_at: new Date(now.getTime() + leaseMs) })
    .returningAll('mail_outbox')
    .execute();
};

/** Sends a claimed mail, and records the result. */
export const sendClaimedMail = async (
  options: SendingOptions,
  mail: MailRow,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, log } = options;
  const { id, kind, attempts } = mail;
  if (mail.expires_at && mail.expires_at <= clock.now()) {
    await giveUp(options, mail, 'out of date before it could be sent', { keepText: false });
    return log.warn({ mail: id, kind }, 'a mail expired before it was sent');
  }
  // Claimed this often without a result: every sender died of it.
  if (attempts > maxAttempts) return giveUp(options, mail, 'its senders did not survive it');
  const handover = await handOver(options, mail, signal);
  if (handover.outcome === 'accepted') {
    await markSent(options, mail);
    return log.info({ mail: id, kind, attempts }, 'mail sent');
  }
  const { fault } = handover;
  const decision = decideRetry(attempts, handover);
  if ('giveUp' in decision) {
    await giveUp(options, mail, fault);
    return log.error({ mail: id, kind, attempts, fault }, 'gave up on a mail');
  }
  const at = new Date(clock.now().getTime() + decision.retryInMs);
  await putOff(options, mail, fault, at);
  log.warn({ mail: id, kind, attempts, fault, nextAttemptAt: at }, 'could not send a mail; will retry');
};

const handOver = (
  { box, from, transport, clock }: SendingOptions,
  mail: MailRow,
  signal: AbortSignal,
): Promise<Handover> | Handover => {
  let body: { text: string; html: string };
  try {
    body = JSON.parse(box.open(mail.body_sealed ?? '', mailBodyColumn.placeOf(mail.id)).toString());
  } catch {
    // Another process may have the key: the master key is being changed.
    return { outcome: 'failed', permanent: false, fault: 'its text cannot be opened with the master key' };
  }
  const { id, message_id: messageId, recipient: to, subject } = mail;
  return transport.send({ id, messageId, from, to, subject, ...body, date: clock.now() }, signal);
};

/** Recorded by the process that sent it, even if another one has taken it over since. */
const markSent = async ({ db, clock }: SendingOptions, { id }: MailRow): Promise<void> => {
  await db
    .updateTable('mail_outbox')
    .set({ state: 'sent', body_sealed: null, last_fault: null, settled_at: clock.now() })
    .where('id', '=', id)
    .where('state', '<>', 'sent')
    .execute();
};

const giveUp = async (
  { db, clock }: SendingOptions,
  { id, attempts }: MailRow,
  fault: string,
  { keepText = true } = {},
): Promise<void> => {
  await db
    .updateTable('mail_outbox')
    .set({
      state: 'given_up',
      last_fault: fault,
      settled_at: clock.now(),
      ...(keepText ? {} : { body_sealed: null }),
    })
    .where('id', '=', id)
    .where('state', '=', 'due')
    .where('attempts', '=', attempts)
    .execute();
};

const putOff = async (
  { db }: SendingOptions,
  { id, attempts }: MailRow,
  fault: string,
  at: Date,
): Promise<void> => {
  await db
    .updateTable('mail_outbox')
    .set({ last_fault: fault, next_attempt_at: at })
    .where('id', '=', id)
    .where('state', '=', 'due')
    .where('attempts', '=', attempts)
    .execute();
};
