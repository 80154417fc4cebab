import type { MailSender } from './mail-address.ts';

export interface OutgoingMail {
  readonly id: string;
  readonly messageId: string;
  readonly from: MailSender;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
}

export type Handover =
  | { readonly outcome: 'accepted' }
  | {
      readonly outcome: 'failed';
      /** The address itself is refused; a retry would be refused again. */
      readonly permanent: boolean;
      /** For the vendor and the log: neither addresses nor a server's own words. */
      readonly fault: string;
    };

/** Delivers mails. A failure is an answer, not an exception. */
export interface MailTransport {
  /** Aborted: the connection is cut, and the mail counts as failed. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<Handover>;
}
