import { Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { type Delivery, type DeliveryState, deliveriesHttp } from '#contracts/store/deliveries.ts';
import { useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useServerNames } from '../../servers/use-server-names.ts';
import { DeliveryAttempts } from '../store-parts/delivery-attempts.tsx';
import { DeliveryLabel } from '../store-parts/delivery-label.tsx';
import { LineText } from '../store-parts/line-text.tsx';
import { useLiveDeliveries } from '../use-live-deliveries.ts';
import classes from './orders.module.css';
import { ordersWords } from './orders.words.ts';

/** Deliveries that need a person first, then open ones, then ended ones. */
const stateOrder = {
  unknown: 0,
  failed: 1,
  sending: 2,
  waiting: 3,
  pending: 4,
  delivered: 5,
  cancelled: 6,
} as const satisfies Record<DeliveryState, number>;

export const OrderDeliveries = ({ deliveries }: { readonly deliveries: readonly Delivery[] }) => {
  const words = useWords(ordersWords);
  const byState = deliveries.toSorted(
    (a, b) =>
      Number(b.deskReason !== null) - Number(a.deskReason !== null) ||
      stateOrder[a.state] - stateOrder[b.state] ||
      a.line.position - b.line.position,
  );
  return (
    <Card title={words.deliveries}>
      {deliveries.length === 0 && <Text c="dimmed">{words.noDeliveries}</Text>}
      <ul className={classes.deliveries}>
        {byState.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryRow delivery={delivery} />
          </li>
        ))}
      </ul>
    </Card>
  );
};

const DeliveryRow = ({ delivery }: { readonly delivery: Delivery }) => {
  const words = useWords(ordersWords);
  const { nameOf } = useServerNames();
  const [isOpen, setIsOpen] = useState(false);
  const attemptsId = useId();
  const { id, line, productName, serverId, detail, reason, attempts, state, nextTryAt, expiresAt } = delivery;
  const isOpenState = state === 'pending' || state === 'waiting';
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <span>
          <bdi>{productName}</bdi> · <LineText line={line} />
        </span>
        <DeliveryLabel delivery={delivery} />
      </Group>
      {detail !== null && (
        <Text size="sm">
          <Said reason={reason} detail={detail} />
        </Text>
      )}
      <Text size="sm" c="dimmed" component="div">
        {serverId !== null && <bdi>{nameOf(serverId)}</bdi>}
        {isOpenState && nextTryAt !== null && attempts > 0 && (
          <>
            {' '}
            · {words.nextAttempt}: <TimeAgo at={nextTryAt} />
          </>
        )}
        {isOpenState && expiresAt !== null && (
          <>
            {' '}
            · {words.expires}: <TimeAgo at={expiresAt} />
          </>
        )}
      </Text>
      <Group gap="xs">
        {attempts > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Chevron size={14} aria-hidden />}
            aria-expanded={isOpen}
            aria-controls={attemptsId}
            onClick={() => setIsOpen(!isOpen)}
          >
            {words.attempts} ({words.attemptCount(attempts)})
          </Button>
        )}
        <PanelLink to={`/deliveries/${id}`} size="sm">
          {words.toDelivery}
        </PanelLink>
      </Group>
      <Collapse expanded={isOpen} id={attemptsId}>
        {isOpen && <Attempts deliveryId={id} />}
      </Collapse>
    </Stack>
  );
};

const Attempts = ({ deliveryId }: { readonly deliveryId: string }) => {
  const everyMs = useLiveDeliveries();
  const read = useRead(deliveriesHttp.read, { params: { id: deliveryId } }, { everyMs });
  return (
    <AsyncContent read={read}>
      {({ history, line }) => <DeliveryAttempts history={history} line={line} />}
    </AsyncContent>
  );
};
