import { momentInWords } from '../transfers/moment-in-words.ts';
import { freeTransferDays, type TransferRefusal } from '../transfers/transfer-rules.ts';

/** Why a license cannot be transferred now, and what helps. */
export const wordsOfRefusal = (refusal: TransferRefusal): string => {
  switch (refusal.reason) {
    case 'suspended':
      return 'The license is suspended. Ask your vendor; it can be transferred once it is resumed.';
    case 'revoked':
      return 'The license is revoked and cannot be transferred.';
    case 'expired':
      return 'The license has expired. Renew it first, then transfer it.';
    case 'not-bound':
      return 'The license is not bound to any machine, so there is nothing to transfer: just activate it where you want it.';
    case 'same-machine':
      return 'The license is bound to this very machine already. Paste the HWID that the new machine displays.';
    case 'pending-changed':
      return 'The transfer was changed in the meantime. Look at how it stands now, and try again if that is not what you want.';
    case 'too-soon':
      return `One transfer is free every ${freeTransferDays} days. The next one is free on ${momentInWords(refusal.nextFreeAt)}; your vendor can grant one before.`;
  }
};
