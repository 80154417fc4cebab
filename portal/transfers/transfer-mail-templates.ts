import { product } from '#contracts/product.ts';
import { renderMail } from '../mail/mail-template.ts';
import type { MailContent } from '../mail/outbox.ts';
import { momentInWords } from './moment-in-words.ts';
import { freeTransferDays } from './transfer-rules.ts';

export interface TransferOfMachines {
  readonly fromHwid: string | null;
  readonly toHwid: string;
  readonly at: Date;
}

const ifNotYou =
  'If it was not you, sign in to the customer area at once, sign out everywhere under Sessions, and tell your vendor.';

/** @param accountUrl of the customer area; null when it is not known */
export const transferRequestedMail = (
  maskedKey: string,
  { toHwid, at }: TransferOfMachines,
  accountUrl: string | null,
): MailContent =>
  renderMail({
    kind: 'transfer_requested',
    subject: `Transfer of your ${product.name} license requested`,
    parts: [
      `On ${momentInWords(at)} a transfer of the license ${maskedKey} was requested, to the machine with this HWID:`,
      { copy: toHwid },
      'Now activate the license on that machine. Until then the old machine keeps working, and the transfer can be corrected or cancelled in the customer area without any cost.',
      ifNotYou,
      { link: accountUrl },
    ],
  });

/** @param accountUrl as above */
export const transferCompletedMail = (
  maskedKey: string,
  { toHwid, at }: TransferOfMachines,
  accountUrl: string | null,
): MailContent =>
  renderMail({
    kind: 'transfer_completed',
    subject: `Your ${product.name} license has moved to another machine`,
    parts: [
      `On ${momentInWords(at)} the license ${maskedKey} was activated on the machine with this HWID:`,
      { copy: toHwid },
      `The old machine is refused from its next check on. One transfer is free every ${freeTransferDays} days.`,
      ifNotYou,
      { link: accountUrl },
    ],
  });
