import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { InWords } from '#contracts/kernel/words.ts';
import { games } from '#contracts/servers/games.ts';
import {
  type Delivery,
  type DeliveryDetails,
  type DeskDecisionName,
  deliveriesHttp,
} from '#contracts/store/deliveries.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { type Fact, Facts } from '../../kit/design/facts.tsx';
import { FoundPage } from '../../kit/design/found-page.tsx';
import { notifyDone, notifyTrouble } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { MemberLink } from '../member-link.tsx';
import { DecideDialog } from '../store-parts/decide-dialog.tsx';
import { DecisionButtons } from '../store-parts/decision-buttons.tsx';
import { DeliveryAttempts } from '../store-parts/delivery-attempts.tsx';
import { DeliveryLabel } from '../store-parts/delivery-label.tsx';
import { LineText } from '../store-parts/line-text.tsx';
import { storePartsWords } from '../store-parts.words.ts';
import { useLiveDeliveries } from '../use-live-deliveries.ts';
import { usePoints } from '../use-points.ts';
import { deliveriesWords } from './deliveries.words.ts';
import { mayChange } from './may-change.ts';
import { SurvivorNumber } from './survivor-number.tsx';

const stale = [deliveriesHttp.read, deliveriesHttp.list];

/** Retries a delivery immediately, or cancels and refunds it. */
const DeliveryActs = ({ delivery }: { readonly delivery: Delivery }) => {
  const words = useWords(deliveriesWords);
  const can = useCan();
  const { points } = usePoints();
  const [isAsking, setIsAsking] = useState(false);
  const retry = useChange(deliveriesHttp.retry, stale);
  const cancel = useChange(deliveriesHttp.cancel, stale);
  const of = { params: { id: delivery.id }, body: {} };
  if (!can('orders.write') || !mayChange(delivery)) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBan size={16} aria-hidden />}
        onClick={() => setIsAsking(true)}
      >
        {words.cancel}
      </Button>
      <Button
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={retry.isPending}
        onClick={() =>
          retry.mutate(of, { onSuccess: () => notifyDone(words.hasRetried), onError: notifyTrouble })
        }
      >
        {words.retry}
      </Button>
      {isAsking && (
        <ConfirmAction
          title={words.cancelOne}
          act={words.cancelOne}
          onAction={() => cancel.mutateAsync(of)}
          doneText={words.hasCancelled}
          onClose={() => setIsAsking(false)}
        >
          {delivery.points === 0 ? words.cancelFree : words.cancelText(points(delivery.points))}
        </ConfirmAction>
      )}
    </>
  );
};

export const DeliveryPage = ({ id }: { readonly id: string }) => {
  const words = useWords(deliveriesWords);
  const everyMs = useLiveDeliveries();
  return (
    <FoundPage
      endpoint={deliveriesHttp.read}
      id={id}
      everyMs={everyMs}
      words={words}
      back={{ to: '/deliveries', label: words.back }}
    >
      {(delivery) => <DeliveryView delivery={delivery} />}
    </FoundPage>
  );
};

const DeliveryView = ({ delivery }: { readonly delivery: DeliveryDetails }) => {
  const words = useWords(deliveriesWords);
  const parts = useWords(storePartsWords);
  const [decision, setDecision] = useState<DeskDecisionName | null>(null);
  const { memberId, memberName, productName, deskReason, history } = delivery;
  return (
    <Frame
      title={productName}
      part={words.nameOf(productName, memberName || parts.memberNumber(memberId))}
      description={<PanelLink to="/deliveries">{words.title}</PanelLink>}
      actions={<DeliveryActs delivery={delivery} />}
    >
      {deskReason !== null && (
        <Alert
          color="var(--tone-warn)"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={words.atDesk}
          role="status"
        >
          <Stack gap="xs">
            <Text>
              {parts.deskReasons[deskReason]}. {parts.deskReasonTexts[deskReason]}
            </Text>
            <DecisionButtons delivery={delivery} onDecide={setDecision} />
            <PanelLink to="/desk">{words.toDesk}</PanelLink>
          </Stack>
        </Alert>
      )}
      <Summary delivery={delivery} />
      <Card title={words.attempts}>
        <Text size="sm" c="dimmed">
          {words.attemptsText}
        </Text>
        <DeliveryAttempts history={history} line={delivery.line} />
      </Card>
      {decision && (
        <DecideDialog deliveries={[delivery]} decision={decision} onClose={() => setDecision(null)} />
      )}
    </Frame>
  );
};

/** What the state means and what happens next; null if it was delivered. */
const whyText = (
  { state, waitsFor, reason }: Pick<DeliveryDetails, 'state' | 'waitsFor' | 'reason'>,
  words: InWords<(typeof deliveriesWords)['en']>,
): string | null => {
  if (state === 'waiting' && reason?.code === 'no-server') return words.noServerText;
  if (waitsFor !== null) return words.waitTexts[waitsFor];
  return state === 'delivered' || state === 'waiting' ? null : words.stateTexts[state];
};

const Summary = ({ delivery }: { readonly delivery: DeliveryDetails }) => {
  const words = useWords(deliveriesWords);
  const parts = useWords(storePartsWords);
  const can = useCan();
  const { points } = usePoints();
  const { nameOf } = useServerNames();
  const { state, certainty, waitsFor, detail, serverId, nextTryAt, expiresAt, endedAt, refundedAt } =
    delivery;
  const why = whyText(delivery, words);
  const moment = (label: string, at: string | null): Fact[] =>
    at === null ? [] : [{ label, value: <TimeAgo at={at} /> }];
  // The notice above already explains an unknown outcome.
  const said = state === 'unknown' ? null : detail;
  const isOpen = endedAt === null && state !== 'unknown';
  return (
    <Card title={words.summary}>
      <Facts
        facts={[
          { label: words.state, value: <DeliveryLabel delivery={delivery} /> },
          ...(why === null && said === null
            ? []
            : [
                {
                  label: words.whyNow,
                  value: (
                    <>
                      {why} {said !== null && <Said reason={delivery.reason} detail={said} />}
                    </>
                  ),
                },
              ]),
          ...(certainty === null ? [] : [{ label: words.certainty, value: parts.certaintyTexts[certainty] }]),
          { label: words.gives, value: <LineText line={delivery.line} /> },
          {
            label: words.member,
            value: <MemberLink id={delivery.memberId} name={delivery.memberName} />,
          },
          { label: words.game, value: games[delivery.game].name },
          ...(serverId === null ? [] : [{ label: words.server, value: <bdi>{nameOf(serverId)}</bdi> }]),
          { label: words.paid, value: delivery.points === 0 ? words.nothingPaid : points(delivery.points) },
          ...moment(words.refundedAt, refundedAt),
          ...moment(words.created, delivery.createdAt),
          ...(isOpen ? moment(words.nextTry, nextTryAt) : []),
          ...(isOpen ? moment(words.expires, expiresAt) : []),
          ...moment(words.ended, endedAt),
          {
            label: words.order,
            value: (
              <PanelLink to={`/orders/${encodeURIComponent(delivery.orderId)}`}>{words.openOrder}</PanelLink>
            ),
          },
        ]}
      />
      {waitsFor === 'survivor-number' && can('orders.write') && can('members.read') && (
        <SurvivorNumber delivery={delivery} />
      )}
    </Card>
  );
};
