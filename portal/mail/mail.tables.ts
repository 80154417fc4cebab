import type { Generated, Selectable } from 'kysely';

export const mailStates = ['due', 'sent', 'given_up'] as const;
export type MailState = (typeof mailStates)[number];

/** What is to be mailed, and what became of it. */
interface MailOutboxTable {
  id: string;
  /** Fixed with the row: whoever gets the same mail twice can tell. */
  message_id: string;
  /** Which template made it, such as `license_issued`. */
  kind: string;
  recipient: string;
  /** Never holds a code or a key: it outlives the sending. */
  subject: string;
  /** JSON of text and html, sealed under the master key; null once it was sent or is worth nothing any more. */
  body_sealed: string | null;
  state: Generated<MailState>;
  /** How often a sender took it up. */
  attempts: Generated<number>;
  /** While a sender has it in hand: when another one may take it over. */
  next_attempt_at: Date;
  /** What it says is no longer true then; null: it stays worth sending. */
  expires_at: Date | null;
  /** Why the last attempt failed, without addresses or text of ours. */
  last_fault: string | null;
  created_at: Date;
  settled_at: Date | null;
}

export interface MailTables {
  mail_outbox: MailOutboxTable;
}

export type MailRow = Selectable<MailOutboxTable>;
