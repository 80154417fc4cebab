import type { Language } from '#contracts/kernel/language.ts';
import { portalFormat } from '../language/portal-format.ts';
import { freeTransferDays, type TransferRefusal } from '../transfers/transfer-rules.ts';
import { transferWords } from './transfer.words.ts';

/** Why a license cannot be transferred now, and what helps. */
export const wordsOfRefusal = (refusal: TransferRefusal, language: Language): string => {
  const { refusals, tooSoon } = transferWords[language];
  return refusal.reason === 'too-soon'
    ? tooSoon(freeTransferDays, portalFormat[language].moment(refusal.nextFreeAt))
    : refusals[refusal.reason];
};
