import { Text } from '@mantine/core';
import type { DeliveryLine } from '#contracts/store.ts';
import type { Fact } from '../../design/facts.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { OutcomeLabel } from '../../game-servers/outcome-label.tsx';
import { useServerNames } from '../../game-servers/use-server-names.ts';
import { useWords } from '../../language/use-words.ts';
import { Value } from '../../records/value.tsx';
import { type Attempt, evidenceFacts } from '../../store-parts/attempt-evidence.tsx';
import { attemptEvidenceWords } from '../../store-parts/attempt-evidence.words.ts';
import { CodeText } from '../../store-parts/code-text.tsx';
import { Said } from '../../store-parts/said.tsx';
import { storePartsWords } from '../../store-parts/store-parts.words.ts';
import classes from './evidence-board.module.css';

export interface EvidenceBoardProps {
  readonly attempt: Attempt;
  readonly line: DeliveryLine;
}

/** The command, the reply, and other known facts, side by side. */
export const EvidenceBoard = ({ attempt, line }: EvidenceBoardProps) => {
  const parts = useWords(storePartsWords);
  const words = useWords(attemptEvidenceWords);
  const { nameOf } = useServerNames();
  const { command, reply, outcome, beganAt, serverId, way, verdict, detail, reason } = attempt;
  const facts: readonly Fact[] = [
    {
      label: parts.sent,
      value: (
        <>
          <CodeText text={command} />
          <Text size="sm" c="dimmed">
            <TimeAgo at={beganAt} /> · <bdi>{nameOf(serverId)}</bdi> · {parts.ways[way]}
          </Text>
        </>
      ),
    },
    {
      label: parts.answer,
      value: (
        <>
          {reply ? <CodeText text={reply} /> : parts.noAnswer}
          <div>
            <OutcomeLabel outcome={outcome} />
          </div>
          {verdict !== null && detail !== null && (
            <Text size="sm" c="dimmed">
              <Said reason={reason} detail={detail} />
            </Text>
          )}
        </>
      ),
    },
    ...evidenceFacts(attempt, line, words),
  ];
  return (
    <>
      <dl className={classes.board}>
        {facts.map(({ label, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a label may be more than text, and the items hold no state
          <div key={index} className={classes.item}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>{words.all}</summary>
        <Value value={attempt.evidence} />
      </details>
    </>
  );
};
