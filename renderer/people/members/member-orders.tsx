import { Group, Text } from '@mantine/core';
import { ordersHttp } from '#contracts/store/orders.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { OrderLabel } from '../../store/order-label.tsx';
import { useLiveDeliveries } from '../../store/use-live-deliveries.ts';
import { usePoints } from '../../store/use-points.ts';
import classes from './members.module.css';
import { membersWords } from './members.words.ts';

const shown = 10;

export const MemberOrders = ({
  memberId,
  mayOrder,
}: {
  readonly memberId: string;
  readonly mayOrder: boolean;
}) => {
  const words = useWords(membersWords);
  const can = useCan();
  const { price } = usePoints();
  const enabled = can('orders.read');
  const everyMs = useLiveDeliveries();
  const read = useRead(ordersHttp.list, { query: { memberId, limit: shown } }, { enabled, everyMs });
  if (!enabled) return null;
  return (
    <Card
      title={words.orders}
      actions={
        mayOrder &&
        can('orders.write') &&
        can('store.read') && (
          <PanelLink to={`/orders?member=${memberId}&new=true`}>{words.newOrder}</PanelLink>
        )
      }
    >
      <AsyncContent read={read}>
        {({ rows, nextCursor }) => (
          <>
            {rows.length === 0 && <Text c="dimmed">{words.noOrders}</Text>}
            <ul className={classes.orders}>
              {rows.map(({ id, lines, progress, total, createdAt }) => (
                <li key={id}>
                  <Group justify="space-between" gap="xs">
                    <PanelLink to={`/orders/${id}`}>
                      <bdi>
                        {lines
                          .map(({ quantity, name }) => (quantity === 1 ? name : `${quantity} × ${name}`))
                          .join(', ')}
                      </bdi>
                    </PanelLink>
                    <OrderLabel progress={progress} />
                  </Group>
                  <Text size="sm" c="dimmed" component="div">
                    {price(total)} · <TimeAgo at={createdAt} />
                  </Text>
                </li>
              ))}
            </ul>
            {nextCursor !== null && (
              <PanelLink to={`/orders?member=${memberId}`}>{words.allOrders}</PanelLink>
            )}
          </>
        )}
      </AsyncContent>
    </Card>
  );
};
