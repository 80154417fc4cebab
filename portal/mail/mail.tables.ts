import type { Generated, Selectable } from 'kysely';

export const mailStates = ['due', 'sent', 'given_up'] as const;
export type MailState = (typeof mailStates)[number];

/** Mails to send, and their results. */
interface MailOutboxTable {
  id: string;
  /** Fixed with the row, so that a recipient can recognize the same mail. */
  message_id: string;
  /** The template that made it, such as `license_issued`. */
  kind: string;
  recipient: string;
  /** Never contains a code or a key: it is kept after the sending. */
  subject: string;
  /** JSON of text and html, sealed under the master key; null once it was sent or has become worthless. */
  body_sealed: string | null;
  state: Generated<MailState>;
  /** How often a sender claimed it. */
  attempts: Generated<number>;
  /** While a sender works on it: when another one may take it over. */
  next_attempt_at: Date;
  /** When its content becomes outdated; null: never. */
  expires_at: Date | null;
  /** Why the last attempt failed, without addresses or our texts. */
  last_fault: string | null;
  created_at: Date;
  settled_at: Date | null;
}

export interface MailTables {
  mail_outbox: MailOutboxTable;
}

export type MailRow = Selectable<MailOutboxTable>;
