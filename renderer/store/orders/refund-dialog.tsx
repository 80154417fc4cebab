import { Checkbox, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { membersHttp } from '#contracts/people/members.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { type OrderDetails, ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useChange } from '../../kit/api/queries.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { storePartsWords } from '../store-parts.words.ts';
import { usePoints } from '../use-points.ts';
import { ordersWords } from './orders.words.ts';
import { refundOf } from './refund.ts';

interface RefundDialogProps {
  readonly order: OrderDetails;
  readonly onClose: () => void;
}

/** Shows how many points go back, and to whom, before the refund. */
export const RefundDialog = ({ order, onClose }: RefundDialogProps) => {
  const words = useWords(ordersWords);
  const parts = useWords(storePartsWords);
  const { points } = usePoints();
  const refund = useChange(ordersHttp.refund, [
    ordersHttp.read,
    ordersHttp.list,
    deliveriesHttp.list,
    deliveriesHttp.read,
    membersHttp.read,
    membersHttp.ledger,
    storeHttp.products,
  ]);
  const isLeft = (lineId: string) =>
    order.deliveries.some(({ orderLineId, refundedAt }) => orderLineId === lineId && refundedAt === null);
  const open = order.lines.filter(({ id }) => isLeft(id));
  const [chosen, setChosen] = useState<readonly string[]>(open.map(({ id }) => id));
  const { points: back, hasWaiting, hasArrived } = refundOf(order, chosen);
  const name = order.memberName || parts.memberNumber(order.memberId);
  const send = () =>
    refund.mutate(
      { params: { id: order.id }, body: { lineIds: [...chosen] } },
      {
        onSuccess(now) {
          const done = now.refunded - order.refunded;
          notifyDone(done > 0 ? words.refundDone(points(done)) : words.refundDoneFree);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={words.refundTitle}
      act={back > 0 ? words.refundAct(points(back)) : words.refundActFree}
      isActing={refund.isPending}
      isReady={chosen.length > 0}
      isDestructive
      error={refund.error}
      onSubmit={send}
      onClose={onClose}
      beginsAtLeave
      staysWhileActing
    >
      {open.length > 1 && (
        <Checkbox.Group label={words.refundWhat} value={[...chosen]} onChange={setChosen}>
          <Stack gap="xs" mt="xs">
            {open.map(({ id, name: product, quantity, paid, refunded }) => (
              <Checkbox
                key={id}
                value={id}
                label={
                  <>
                    {quantity} × <bdi>{product}</bdi> · {points(paid - refunded)}
                  </>
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <Text fw={600} role="status">
        <bdi>{back > 0 ? words.refundGoes(points(back), name) : words.refundNothing(name)}</bdi>
      </Text>
      <List>
        {hasWaiting && <List.Item>{words.refundWaiting}</List.Item>}
        {hasArrived && <List.Item>{words.refundArrived}</List.Item>}
      </List>
    </FormDialog>
  );
};
