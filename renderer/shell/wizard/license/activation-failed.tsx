import { Text } from '@mantine/core';
import type { Language } from '#contracts/kernel/language.ts';
import { problemCodes, problems } from '#contracts/kernel/problems.ts';
import type { ActivationFailure } from '#contracts/license/license-answers.ts';
import { problemTexts } from '../../../kit/language/problem-texts.ts';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { troubleOf } from '../../../license/remedy.ts';
import { FailureAlert } from '../../../operations/computer/desktop-actions/failure-alert.tsx';
import { wizardWords } from '../../../operations/computer/desktop-actions/wizard.words.ts';

type Words = (typeof wizardWords)[Language];

const problemOf = (failure: ActivationFailure) => {
  const trouble = troubleOf(failure);
  return problemCodes.find((code) => code === trouble);
};

const textsOf = (failure: ActivationFailure, words: Words, language: Language) => {
  const { failures } = words;
  switch (failure.outcome) {
    case 'invalid-key':
      return { title: failures.invalidKey, texts: [failures.invalidKeyText] };
    case 'rate-limited':
      return { title: failures.rateLimited, texts: [failures.rateLimitedText] };
    case 'unreachable':
      return { title: failures.unreachable, texts: [failures.unreachableText] };
    case 'wrong-environment':
      return { title: failures.wrongEnvironment, texts: [failures.wrongEnvironmentText] };
    case 'not-saved':
      return { title: failures.notSaved, texts: [failures.notSavedText] };
    default: {
      const known = problemOf(failure);
      if (!known) return { title: words.failed, texts: [] };
      const { title, meaning, remedy } = problemTexts(known, language);
      return { title, texts: [meaning, known === 'HWID_MISMATCH' ? words.bringHelps : remedy] };
    }
  }
};

/** Details that repeat the text are left out. */
const isUsual = (failure: ActivationFailure): boolean => {
  const known = problemOf(failure);
  return known !== undefined && failure.detail === `${problems[known].meaning} ${problems[known].remedy}`;
};

/** Why an activation failed, and what helps. */
export const ActivationFailed = ({ failure }: { readonly failure: ActivationFailure }) => {
  const language = useLanguage();
  const { title, texts } = textsOf(failure, useWords(wizardWords), language);
  return (
    <FailureAlert title={title} detail={isUsual(failure) ? null : failure.detail}>
      {texts.map((text) => (
        <Text key={text}>{text}</Text>
      ))}
    </FailureAlert>
  );
};
