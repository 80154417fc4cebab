import { Text, Title } from '@mantine/core';
import type { DeliveryDetails, DeskDecisionName } from '#contracts/store/deliveries.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { type Fact, Facts } from '../../kit/design/facts.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { RecordDrawer } from '../../kit/records/record-drawer.tsx';
import { Value } from '../../kit/records/value.tsx';
import { OutcomeLabel } from '../../servers/outcome-label.tsx';
import { replyVerdicts } from '../../servers/outcome-view.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { MemberLink } from '../member-link.tsx';
import { type Attempt, evidenceFacts } from '../store-parts/attempt-evidence.tsx';
import { attemptEvidenceWords } from '../store-parts/attempt-evidence.words.ts';
import { CodeText } from '../store-parts/code-text.tsx';
import { DecisionButtons } from '../store-parts/decision-buttons.tsx';
import { DeliveryAttempts } from '../store-parts/delivery-attempts.tsx';
import { DeliveryLabel } from '../store-parts/delivery-label.tsx';
import { LineText } from '../store-parts/line-text.tsx';
import { storePartsWords } from '../store-parts.words.ts';
import { usePoints } from '../use-points.ts';
import { deskWords } from './desk.words.ts';
import classes from './evidence-board.module.css';

/** The command, the reply, and other known facts, side by side. */
const EvidenceBoard = ({ attempt, line }: { readonly attempt: Attempt; readonly line: DeliveryLine }) => {
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
            <OutcomeLabel
              outcome={outcome}
              isGameError={false}
              verdict={replyVerdicts.find((name) => name === verdict)}
            />
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

/** The evidence about one delivery, and the possible decisions. */
export const EvidenceDrawer = (props: {
  readonly delivery: DeliveryDetails;
  readonly onDecide: (decision: DeskDecisionName) => void;
  readonly onClose: () => void;
}) => {
  const { delivery, onDecide, onClose } = props;
  const words = useWords(deskWords);
  const parts = useWords(storePartsWords);
  const { points } = usePoints();
  const { productName, deskReason, history, detail, reason } = delivery;
  const newestFirst = history.toSorted((a, b) => b.number - a.number);
  const [newest, ...older] = newestFirst;
  return (
    <RecordDrawer title={<bdi>{productName}</bdi>} onClose={onClose}>
      {deskReason && (
        <div>
          <Text fw={600}>{parts.deskReasons[deskReason]}</Text>
          <Text>
            {parts.deskReasonTexts[deskReason]}{' '}
            {deskReason !== 'unknown' && detail !== null && <Said reason={reason} detail={detail} />}
          </Text>
        </div>
      )}
      <Facts
        facts={[
          { label: words.gives, value: <LineText line={delivery.line} /> },
          { label: words.member, value: <MemberLink id={delivery.memberId} name={delivery.memberName} /> },
          { label: words.points, value: points(delivery.points) },
          { label: words.state, value: <DeliveryLabel delivery={delivery} /> },
        ]}
      />
      <Title order={3}>{words.evidence}</Title>
      {newest ? (
        <EvidenceBoard attempt={newest} line={delivery.line} />
      ) : (
        <Text c="dimmed">{words.noAttempt}</Text>
      )}
      {older.length > 0 && (
        <details>
          <summary>{words.older(older.length)}</summary>
          <DeliveryAttempts history={older} line={delivery.line} />
        </details>
      )}
      <DecisionButtons delivery={delivery} onDecide={onDecide} />
      <PanelLink to={`/deliveries/${delivery.id}`}>{words.open}</PanelLink>
    </RecordDrawer>
  );
};
