import MailComposer from 'nodemailer/lib/mail-composer';
import type { OutgoingMail } from './transport.ts';

/** The mail in its wire format. Addresses are given as objects, so that none is parsed as a list. */
export const composeMail = (mail: OutgoingMail): Promise<Buffer> =>
  new MailComposer({
    messageId: mail.messageId,
    from: { name: mail.from.name, address: mail.from.address },
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.date,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
