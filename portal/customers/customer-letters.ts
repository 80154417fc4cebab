import { revealCodeMinutes, signInCodeMinutes } from '#contracts/customers.ts';
import { product } from '#contracts/product.ts';
import { renderMail } from '../mail/mail-template.ts';
import type { MailContent } from '../mail/outbox.ts';

/** @param accountUrl of the customer area; null when it is not known */
export const signInCodeLetter = (code: string, accountUrl: string | null): MailContent =>
  renderMail({
    kind: 'sign_in_code',
    subject: `Your ${product.name} sign-in code`,
    parts: [
      'Somebody, probably you, wants to sign in to the customer area.',
      { link: accountUrl },
      'This is the code:',
      { copy: code },
      `It is good for ${signInCodeMinutes} minutes, once, and only where it was asked for. Nobody of ours will ever ask you for it.`,
      'If it was not you, there is nothing to do: without this code nobody gets in.',
    ],
  });

/** @param accountUrl as above */
export const sharedCodeLetter = (code: string, accountUrl: string | null): MailContent =>
  renderMail({
    kind: 'sign_in_code',
    subject: `Your ${product.name} sign-in code`,
    parts: [
      'Very many codes were requested for this address within an hour, so we no longer send one for each request.',
      'This code works wherever you request one for this address:',
      { copy: code },
      { link: accountUrl },
      `It is good for ${signInCodeMinutes} minutes and once. We never ask you for it.`,
      'If you did not request it, you need do nothing: requests alone do not let anybody in.',
    ],
  });

/** @param accountUrl as above */
export const revealCodeLetter = (code: string, maskedKey: string, accountUrl: string | null): MailContent =>
  renderMail({
    kind: 'reveal_code',
    subject: `Your code to see a ${product.name} license key`,
    parts: [
      `Somebody who is signed in to your customer area wants to see the license key ${maskedKey}. This is the code:`,
      { copy: code },
      `It is good for ${revealCodeMinutes} minutes and once.`,
      'If it was not you, do not give the code to anybody, and sign out everywhere: in the customer area, under Sessions.',
      { link: accountUrl },
    ],
  });
