import { Button } from '@mantine/core';
import { IconBan, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { type Delivery, deliveriesHttp } from '#contracts/deliveries.ts';
import { useCan } from '../../access/access-state.ts';
import { ConfirmAction } from '../../design/confirm-action.tsx';
import { notifyDone, notifyTrouble } from '../../design/notify.ts';
import { useWords } from '../../language/use-words.ts';
import { usePoints } from '../../store-parts/use-points.ts';
import { useChange } from '../../wire/queries.ts';
import { deliveriesWords } from './deliveries.words.ts';
import { mayChange } from './may-change.ts';

const stale = [deliveriesHttp.read, deliveriesHttp.list];

/** Retries a delivery immediately, or cancels and refunds it. */
export const DeliveryActs = ({ delivery }: { readonly delivery: Delivery }) => {
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
          onAction={async () => {
            await cancel.mutateAsync(of);
            notifyDone(words.hasCancelled);
          }}
          onClose={() => setIsAsking(false)}
        >
          {delivery.points === 0 ? words.cancelFree : words.cancelText(points(delivery.points))}
        </ConfirmAction>
      )}
    </>
  );
};
