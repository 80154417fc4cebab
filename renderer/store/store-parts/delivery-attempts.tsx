import { Group, Stack, Text } from '@mantine/core';
import type { DeliveryDetails } from '#contracts/store/deliveries.ts';
import { Facts } from '../../kit/design/facts.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { OutcomeLabel } from '../../servers/outcome-label.tsx';
import { replyVerdicts } from '../../servers/outcome-view.ts';
import { outcomesWords } from '../../servers/outcomes.words.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { storePartsWords } from '../store-parts.words.ts';
import { AttemptEvidence } from './attempt-evidence.tsx';
import { CodeText } from './code-text.tsx';

/** The attempts of a delivery, newest first: what was sent, what came back, how and when. */
export const DeliveryAttempts = ({ history, line }: Pick<DeliveryDetails, 'history' | 'line'>) => {
  const words = useWords(storePartsWords);
  const { verdicts } = useWords(outcomesWords);
  const { nameOf } = useServerNames();
  if (history.length === 0) return <Text c="dimmed">{words.noAttempt}</Text>;
  return (
    <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
      {history
        .toSorted((a, b) => b.number - a.number)
        .map((attempt) => {
          const verdict = replyVerdicts.find((name) => name === attempt.verdict);
          return (
            <li key={attempt.number}>
              <Group gap="xs">
                <Text fw={600}>{words.attempt(attempt.number)}</Text>
                <Text size="sm" c="dimmed" component="span">
                  <TimeAgo at={attempt.beganAt} /> · <bdi>{nameOf(attempt.serverId)}</bdi> ·{' '}
                  {words.ways[attempt.way]}
                </Text>
              </Group>
              <Facts
                facts={[
                  { label: words.sent, value: <CodeText text={attempt.command} /> },
                  {
                    label: words.outcome,
                    value: <OutcomeLabel outcome={attempt.outcome} isGameError={false} verdict={verdict} />,
                  },
                  {
                    label: words.answer,
                    value: attempt.reply ? <CodeText text={attempt.reply} /> : words.noAnswer,
                  },
                  ...(verdict
                    ? [
                        {
                          label: words.meaning,
                          value: (
                            <>
                              {verdicts[verdict]}
                              {attempt.detail !== null && (
                                <Text size="sm" c="dimmed">
                                  <Said reason={attempt.reason} detail={attempt.detail} />
                                </Text>
                              )}
                            </>
                          ),
                        },
                      ]
                    : []),
                ]}
              />
              <AttemptEvidence attempt={attempt} line={line} />
            </li>
          );
        })}
    </Stack>
  );
};
