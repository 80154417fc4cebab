import { product } from '#contracts/kernel/product.ts';
import { mailAddress } from '#contracts/portal/mail-address.ts';

export const mailAddressSchema = mailAddress();

/** `Name <address>` or an address; the name is for people and has no line breaks. */
export interface MailSender {
  readonly name: string;
  readonly address: string;
}

export const defaultMailSender: MailSender = { name: product.name, address: 'portal@localhost.localdomain' };

export const parseMailSender = (text: string): MailSender | null => {
  const [, name = '', bracketed] = /^\s*"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>\s*$/u.exec(text) ?? [];
  const address = mailAddressSchema.safeParse(bracketed ?? text.trim());
  return address.success ? { name: name.trim(), address: address.data } : null;
};
