import * as z from 'zod';
import { secretField } from '#runtime/secret.ts';
import { parseMailSender } from './mail-address.ts';

const smtpUrlFault = (text: string): string | null => {
  if (!URL.canParse(text)) return 'must be an address such as smtps://user:password@mail.example.com:465';
  const { protocol, hostname, username, password, pathname, search } = new URL(text);
  if (!/^smtps?:$/.test(protocol)) return 'must begin with smtps:// or smtp://';
  if (hostname === '') return 'must name a host';
  if (!/^\/?$/.test(pathname) || search !== '') return 'must end after the host and port';
  if (username !== '' && password === '') return 'must have a password beside the user';
  try {
    decodeURIComponent(username + password);
    return null;
  } catch {
    return 'must write a percent sign of the user or password as %25';
  }
};

/** The mail server; the password stays a Secret. */
export const smtpUrlField = secretField(
  z.string().superRefine((text, context) => {
    const fault = smtpUrlFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  }),
);

export const mailFromField = z.string().transform((text, context) => {
  const sender = parseMailSender(text);
  if (sender) return sender;
  context.addIssue({ code: 'custom', message: 'must be an e-mail address, or Name <address>' });
  return z.NEVER;
});
