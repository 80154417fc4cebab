import { Text } from '@mantine/core';
import type { TransferRefusal } from '#contracts/desktop/desktop-transfer.ts';
import { problemCodes } from '#contracts/kernel/problems.ts';
import { problemTexts } from '../../../kit/language/problem-texts.ts';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { FailureAlert } from '../../../operations/computer/desktop-actions/failure-alert.tsx';
import { wizardWords } from '../../../operations/computer/desktop-actions/wizard.words.ts';

const useTexts = ({ code, nextFreeAt }: TransferRefusal): { title: string; texts: readonly string[] } => {
  const words = useWords(wizardWords);
  const format = useFormat();
  const language = useLanguage();
  const { refusals, failures } = words;
  if (code === null) return { title: refusals.away, texts: [failures.unreachableText] };
  if (nextFreeAt !== null)
    return { title: refusals.tooSoon, texts: [refusals.tooSoonText(format.date(nextFreeAt))] };
  if (code === 'WRONG_CREDENTIALS') return { title: refusals.code, texts: [refusals.codeText] };
  if (code === 'RATE_LIMITED') return { title: failures.rateLimited, texts: [failures.rateLimitedText] };
  const known = problemCodes.find((candidate) => candidate === code);
  if (!known) return { title: words.failed, texts: [] };
  const { title, meaning, remedy } = problemTexts(known, language);
  // These refer to the panel's own sign-in.
  return { title, texts: code === 'UNAUTHENTICATED' ? [] : [meaning, remedy] };
};

/** Why the portal refused, and what helps. */
export const TransferRefused = ({ refusal }: { readonly refusal: TransferRefusal }) => {
  const { title, texts } = useTexts(refusal);
  return (
    <FailureAlert title={title} detail={refusal.nextFreeAt === null ? refusal.detail : null}>
      {texts.map((text) => (
        <Text key={text}>{text}</Text>
      ))}
    </FailureAlert>
  );
};
