import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { SealedColumn } from '#runtime/sealed/sealed-column.ts';
import type { SecretBox } from '#runtime/secret-box.ts';
import { newId } from '../database/new-id.ts';
import type { MailRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { type MailSender, mailAddressSchema } from './mail-address.ts';

export const mailStates = ['due', 'sent', 'given_up'] as const satisfies readonly MailRow['state'][];
export type MailState = MailRow['state'];

/** The output of a template. Codes and keys are in `text` and `html` only, never in the subject. */
export interface MailContent {
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mail extends MailContent {
  readonly to: string;
  /** From then on it is worthless (an expired code) and no longer sent. */
  readonly expiresAt?: Date | undefined;
}

/** A mail as the vendor sees it, without its content. Times are ISO 8601 in UTC. */
export interface MailView {
  readonly id: string;
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  readonly state: MailState;
  readonly attempts: number;
  readonly lastFault: string | null;
  readonly createdAt: string;
  /** Null if it is no longer due. */
  readonly nextAttemptAt: string | null;
  readonly settledAt: string | null;
  /** It was given up, and its text still exists. */
  readonly canRetry: boolean;
}

export type Retried = 'retried' | 'not-found' | 'not-given-up' | 'text-gone';

export interface Outbox {
  /** In the transaction of the mail's cause: both happen or neither. @throws if `to` is not a single address */
  enqueue(trx: Transaction<PortalTables>, mail: Mail): Promise<void>;
  /** Newest first; `before` is the id of the last one on the previous page. */
  list(wanted: { state?: MailState; before?: string; limit: number }): Promise<readonly MailView[]>;
  /** Makes a mail that was given up due immediately, with all its attempts again. */
  retry(id: string): Promise<Retried>;
}

const maxSubjectLength = 200;

export const mailBodyColumn: SealedColumn = {
  table: 'mail_outbox',
  key: ['id'],
  column: 'body_sealed',
  placeOf: (id) => `mail_outbox:${id}:body`,
};

export const createOutbox = ({
  db,
  box,
  clock,
  from,
}: {
  readonly db: Kysely<PortalTables>;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly from: MailSender;
}): Outbox => ({
  async enqueue(trx, { kind, to, subject, text, html, expiresAt }) {
    const id = newId();
    const now = clock.now();
    await trx
      .insertInto('mail_outbox')
      .values({
        id,
        message_id: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
        kind,
        recipient: recipientOf(to),
        subject: oneLine(subject),
        body_sealed: box.seal(JSON.stringify({ text, html }), mailBodyColumn.placeOf(id)),
        next_attempt_at: now,
        expires_at: expiresAt ?? null,
        created_at: now,
      })
      .execute();
  },

  async list({ state, before, limit }) {
    let query = db.selectFrom('mail_outbox').selectAll();
    if (state) query = query.where('state', '=', state);
    if (before)
      query = query.where(
        sql<boolean>`(created_at, id) < (select created_at, id from mail_outbox where id = ${before})`,
      );
    const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
    return rows.map(viewMail);
  },

  retry: (id) =>
    db.transaction().execute(async (trx) => {
      const mail = await trx
        .selectFrom('mail_outbox')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!mail) return 'not-found';
      if (mail.state !== 'given_up') return 'not-given-up';
      if (mail.body_sealed === null) return 'text-gone';
      await trx
        .updateTable('mail_outbox')
        .set({ state: 'due', attempts: 0, next_attempt_at: clock.now(), settled_at: null })
        .where('id', '=', id)
        .execute();
      return 'retried';
    }),
});

/** An invalid address is not repeated: it may be anything. */
const recipientOf = (to: string): string => {
  const address = mailAddressSchema.safeParse(to);
  if (!address.success) throw new TypeError('a mail needs one valid e-mail address');
  return address.data;
};

/** A line break would begin another header. */
const oneLine = (subject: string): string =>
  subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, maxSubjectLength);

const viewMail = (row: MailRow): MailView => ({
  id: row.id,
  kind: row.kind,
  recipient: row.recipient,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  lastFault: row.last_fault,
  createdAt: row.created_at.toISOString(),
  nextAttemptAt: row.state === 'due' ? row.next_attempt_at.toISOString() : null,
  settledAt: row.settled_at?.toISOString() ?? null,
  canRetry: row.state === 'given_up' && row.body_sealed !== null,
});
