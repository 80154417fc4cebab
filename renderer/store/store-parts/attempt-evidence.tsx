import { Text } from '@mantine/core';
import * as z from 'zod';
import type { InWords } from '#contracts/kernel/words.ts';
import type { DeliveryDetails } from '#contracts/store/deliveries.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { type Fact, Facts } from '../../kit/design/facts.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { Value } from '../../kit/records/value.tsx';
import { attemptEvidenceWords } from './attempt-evidence.words.ts';
import { CodeText } from './code-text.tsx';

export type Attempt = DeliveryDetails['history'][number];

/** The fields known to this version. All are optional; other fields are shown without words. */
const evidence = z.object({
  presentBefore: z.boolean().nullish().catch(undefined),
  presentAfter: z.boolean().nullish().catch(undefined),
  guard: z.object({}).optional().catch(undefined),
  mark: z.enum(['given', 'refused', 'withdrawn', 'absent', 'unreadable']).optional().catch(undefined),
  logLines: z.array(z.string()).optional().catch(undefined),
  counterCommand: z.object({ command: z.string(), reply: z.string().nullish() }).optional().catch(undefined),
});

/** The evidence besides the game's reply, one row each: presence, the game's record, lines of its log. */
export const evidenceFacts = (
  attempt: Pick<Attempt, 'evidence'>,
  line: DeliveryLine,
  words: InWords<(typeof attemptEvidenceWords)['en']>,
): readonly Fact[] => {
  const { presentBefore, presentAfter, guard, mark, logLines, counterCommand } = evidence.parse(
    attempt.evidence,
  );
  const there = (is: boolean | null | undefined) => {
    if (line.kind === 'command' && !line.needsPlayer) return words.notNeeded;
    if (is === undefined) return words.notChecked;
    if (is === null) return words.notKnown;
    return is ? words.yes : words.no;
  };
  const record = mark ? words.marks[mark] : guard ? words.notAsked : words.noRecord;
  return [
    { label: words.before, value: there(presentBefore) },
    { label: words.after, value: there(presentAfter) },
    { label: words.record, value: record },
    ...(logLines && logLines.length > 0
      ? [
          {
            label: words.log,
            value: (
              <>
                <CodeText text={logLines.join('\n')} />
                <Text size="sm" c="dimmed">
                  {words.logNote}
                </Text>
              </>
            ),
          },
        ]
      : []),
    ...(counterCommand
      ? [
          {
            label: words.counterCommand,
            value: (
              <CodeText text={[counterCommand.command, counterCommand.reply].filter(Boolean).join('\n')} />
            ),
          },
        ]
      : []),
  ];
};

/** The evidence, with the raw values collapsed. */
export const AttemptEvidence = ({
  attempt,
  line,
}: {
  readonly attempt: Pick<Attempt, 'evidence'>;
  readonly line: DeliveryLine;
}) => {
  const words = useWords(attemptEvidenceWords);
  return (
    <>
      <Facts facts={evidenceFacts(attempt, line, words)} />
      <details>
        <summary>{words.all}</summary>
        <Value value={attempt.evidence} />
      </details>
    </>
  );
};
