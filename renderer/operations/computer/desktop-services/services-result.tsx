import { Text } from '@mantine/core';
import type { ServiceStep, ServicesResult } from '#contracts/desktop/desktop-services.ts';
import { windowsAnswerText } from '#contracts/kernel/windows-codes/windows-answer.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { FailureAlert } from '../desktop-actions/failure-alert.tsx';
import { servicesWords } from './services.words.ts';

type Words = InWords<(typeof servicesWords)['en']>;

/** The current step in words. */
export const stepInWords = (words: Words, { kind, component }: ServiceStep): string => {
  const phrase = words.steps[kind];
  return typeof phrase === 'string' ? phrase : phrase(component ? words.parts[component] : words.steps.all);
};

/** The step in words, to be followed by the error. */
const atStep = (words: Words, step: ServiceStep): string => stepInWords(words, step).replace(/ …$/, ':');

/** Who owns the service names. */
export const TakenNames = ({
  names,
}: {
  readonly names: readonly { readonly service: string; readonly home: string | null }[];
}) => {
  const words = useWords(servicesWords);
  return (
    <FailureAlert title={words.taken}>
      <Text>{words.takenText}</Text>
      {names.map(({ service, home }) => (
        <Text key={service}>
          {home === null ? words.takenByOther(service) : words.takenBy(service, home)}
        </Text>
      ))}
    </FailureAlert>
  );
};

/** Why a change had no effect, and what helps. */
export const ServicesTrouble = ({ result }: { readonly result: ServicesResult }) => {
  const words = useWords(servicesWords);
  const language = useLanguage();
  /** Of Windows's numbers the table says more than the kinds of faults. */
  const why = ({
    fault,
    answer,
  }: Pick<Extract<ServicesResult, { outcome: 'failed' }>, 'fault' | 'answer'>) =>
    fault === 'other' && answer !== undefined ? windowsAnswerText(answer, language) : words.faults[fault];
  switch (result.outcome) {
    case 'done':
      return null;
    case 'taken':
      return <TakenNames names={result.names} />;
    case 'refused':
    case 'impossible':
    case 'busy':
      return (
        <FailureAlert title={words[result.outcome]}>
          <Text>{words[`${result.outcome}Text`]}</Text>
        </FailureAlert>
      );
    case 'failed':
      return (
        <FailureAlert title={words.failed} detail={result.detail}>
          <Text>{why(result)}</Text>
        </FailureAlert>
      );
    case 'undone':
      return (
        <FailureAlert title={result.left.length > 0 ? words.left : words.undone} detail={result.detail}>
          <Text>
            {atStep(words, result.step)} {why(result)}
          </Text>
          <Text>{result.left.length > 0 ? words.leftText : words.undoneText}</Text>
          {result.left.map(({ step, detail }) => (
            <Text key={`${step.kind} ${step.component}`} size="sm">
              {atStep(words, step)} <bdi lang="en">{detail}</bdi>
            </Text>
          ))}
        </FailureAlert>
      );
  }
};
