import { formatFor } from '#contracts/kernel/format.ts';
import { isolated } from '#contracts/kernel/isolated.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { type ProblemCode, problems } from '#contracts/kernel/problems.ts';
import { problemsPtBr } from '#contracts/kernel/problems-pt-br.ts';
import type { EventRow } from '#contracts/operations/event-row.ts';
import { sayEvent } from '#contracts/operations/event-sentence.ts';
import { wordedDetail } from '../kit/language/problem-words.ts';
import { presentTimeZone } from '../kit/language/time-zone.ts';

const problemTitle = (language: Language, code: ProblemCode): string =>
  (language === 'en' ? problems : problemsPtBr)[code].title;

/** What has happened, in a sentence; an event from a version that this panel does not know is shown unchanged. */
export const eventSentence = (
  { kind, payload }: Pick<EventRow, 'kind' | 'payload'>,
  language: Language,
  serverName: string | null,
): string => {
  const { duration, exact } = formatFor(language, presentTimeZone());
  const said = sayEvent({ kind, payload }, language, {
    duration,
    time: exact,
    problemTitle: (code) => problemTitle(language, code),
    serverName,
    text: isolated,
    detail: (said) => wordedDetail(said, language),
  });
  return said ?? `${kind} ${JSON.stringify(payload)}`;
};
