import type { Language } from '#contracts/kernel/language.ts';
import { revealCodeMinutes, signInCodeMinutes } from '#contracts/portal/customers.ts';
import { renderMail } from '../mail/mail-template.ts';
import type { MailContent } from '../mail/outbox.ts';
import { lettersWords } from './letters.words.ts';

interface Letter {
  readonly code: string;
  /** Null: the customer's language is unknown. */
  readonly language: Language | null;
  /** The address of the customer area; null if unknown. */
  readonly accountUrl: string | null;
}

export const signInCodeLetter = ({ code, language, accountUrl }: Letter): MailContent =>
  renderMail({
    kind: 'sign_in_code',
    language,
    write(spoken) {
      const { subject, why, use, notYou } = lettersWords[spoken].signIn;
      return { subject, parts: [why, { copy: code }, use(signInCodeMinutes), notYou, { link: accountUrl }] };
    },
  });

export const sharedCodeLetter = ({ code, language, accountUrl }: Letter): MailContent =>
  renderMail({
    kind: 'sign_in_code',
    language,
    write(spoken) {
      const { signIn, shared } = lettersWords[spoken];
      const parts = [shared.why, shared.code, { copy: code }, shared.use(signInCodeMinutes), shared.notYou];
      return { subject: signIn.subject, parts: [...parts, { link: accountUrl }] };
    },
  });

export const revealCodeLetter = (maskedKey: string, { code, language, accountUrl }: Letter): MailContent =>
  renderMail({
    kind: 'reveal_code',
    language,
    write(spoken) {
      const { subject, why, use, notYou } = lettersWords[spoken].reveal;
      const parts = [why(maskedKey), { copy: code }, use(revealCodeMinutes), notYou, { link: accountUrl }];
      return { subject, parts };
    },
  });
