import { isolated, sayEvent } from '#contracts/event-sentence.ts';
import type { EventRow } from '#contracts/events.ts';
import { formatFor } from '#contracts/format.ts';
import type { Language } from '#contracts/language.ts';
import { problemTitle } from './problem-title.ts';

/** What has happened, in a sentence; an event of a version that this panel does not know is shown as it stands. */
export const eventSentence = (
  { kind, payload }: Pick<EventRow, 'kind' | 'payload'>,
  language: Language,
  serverName: string | null,
): string => {
  const { duration, exact } = formatFor(language);
  const said = sayEvent({ kind, payload }, language, {
    duration,
    time: exact,
    problemTitle: (code) => problemTitle(language, code),
    serverName,
    text: isolated,
  });
  return said ?? `${kind} ${JSON.stringify(payload)}`;
};
