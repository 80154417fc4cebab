import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Member } from '#contracts/people/members.ts';
import { givableReasons, receiverReasons, type ShopOrder, shopsHttp } from '#contracts/storefronts/shops.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { MemberPicker } from '../../store/member-picker.tsx';
import { linesText } from './lines-text.ts';
import { shopOrdersWords } from './shop-orders.words.ts';

/** Otherwise, nothing is left to decide. */
const isDecidable = ({ state, left }: ShopOrder): boolean =>
  ['person', 'waiting', 'set-aside'].includes(state) || (state === 'taken-back' && left.length > 0);
const stale = [shopsHttp.orders, shopsHttp.list];

export interface ShopOrderItemProps {
  readonly order: ShopOrder;
  readonly mayDecide: boolean;
  /** Opens the assignment of its shop's products to products of the store. */
  readonly onAssign?: ((order: ShopOrder) => void) | undefined;
}

/** One order of a shop: what was bought, why it is not given automatically, and what helps. */
export const ShopOrderItem = ({ order, mayDecide, onAssign }: ShopOrderItemProps) => {
  const words = useWords(shopOrdersWords);
  const { externalId, shopName, reason, detail, said, receiver, left } = order;
  const productsLeft = (isCertain: boolean) =>
    left.flatMap((one) => (one.isCertain === isCertain ? one.product : [])).join(', ');
  const staying = productsLeft(true);
  const doubtful = productsLeft(false);
  const title = words.order(externalId, shopName);
  return (
    <section aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>
          <bdi>{title}</bdi>
        </Text>
        <ShopOrderTimes order={order} />
      </Group>
      <Text size="sm">
        <bdi>{linesText(order)}</bdi>
        {order.isTest && ` · ${words.test}`}
        {receiver !== '' && (
          <>
            {' · '}
            {words.receiver} <bdi>{receiver}</bdi>
          </>
        )}
      </Text>
      <Text size="sm" role="status">
        {reason !== null && words.reasons[reason]}
      </Text>
      {(detail !== '' || said) && (
        <Text size="sm" c="dimmed">
          <bdi>{detail}</bdi>
          {said && (
            <>
              {detail !== '' && ': '}
              <Said reason={said.reason} detail={said.text} />
            </>
          )}
        </Text>
      )}
      {staying !== '' && (
        <Text size="sm">
          <bdi>{words.stays(staying)}</bdi>
        </Text>
      )}
      {doubtful !== '' && (
        <Text size="sm">
          <bdi>{words.mayStay(doubtful)}</bdi>
        </Text>
      )}
      {mayDecide && isDecidable(order) && <Decisions order={order} onAssign={onAssign} />}
    </section>
  );
};

/** Ordered, delivered, removed: what has happened of it. */
const ShopOrderTimes = ({ order }: { readonly order: ShopOrder }) => {
  const { times } = useWords(shopOrdersWords);
  const { createdAt, deliveredAt, takenBackAt } = order;
  const happened = [
    [times.ordered, createdAt],
    [times.delivered, deliveredAt],
    [times.removed, takenBackAt],
  ] as const;
  return (
    <Text size="sm" c="dimmed" component="div">
      {happened.map(
        ([label, at], index) =>
          at !== null && (
            <span key={label}>
              {index > 0 && ' · '}
              {label} <TimeAgo at={at} />
            </span>
          ),
      )}
    </Text>
  );
};

const giveWords = (reason: ShopOrder['reason']): 'give' | 'giveAgain' | 'leave' => {
  if (reason === 'season-regrant') return 'leave';
  return reason === 'dispute-won' || reason === 'not-delivered' ? 'giveAgain' : 'give';
};

const Decisions = ({ order, onAssign }: Omit<ShopOrderItemProps, 'mayDecide'>) => {
  const words = useWords(shopOrdersWords);
  const maySeeMembers = useCan()('members.read');
  const [asked, setAsked] = useState<'member' | 'dismiss' | null>(null);
  const give = useChange(shopsHttp.give, stale);
  const retry = useChange(shopsHttp.retry, stale);
  const dismiss = useChange(shopsHttp.dismiss, stale);
  const { id, version, state, reason, externalId } = order;
  const isAside = state === 'set-aside';
  const isTakenBack = state === 'taken-back';
  const input = { params: { id }, body: { version } };
  const needsReceiver = receiverReasons.some((one) => one === reason);
  const isGivable = givableReasons.some((one) => one === reason);
  const told = { onSuccess: () => notifyDone(words.done) };
  return (
    <>
      <Group gap="xs" mt="xs">
        {!isAside && needsReceiver && maySeeMembers && (
          <Button size="xs" variant="default" onClick={() => setAsked('member')}>
            {words.choose}
          </Button>
        )}
        {!isAside && isGivable && (
          <Button
            size="xs"
            variant="default"
            loading={give.isPending}
            onClick={() => give.mutate(input, told)}
          >
            {words[giveWords(reason)]}
          </Button>
        )}
        {reason === 'product-unmapped' && onAssign && (
          <Button size="xs" variant="default" onClick={() => onAssign(order)}>
            {words.assignProducts}
          </Button>
        )}
        {(isAside ||
          reason === 'season-regrant' ||
          (!isTakenBack && !needsReceiver && !isGivable && !(reason === 'product-unmapped' && onAssign))) && (
          <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate(input)}>
            {words.retry}
          </Button>
        )}
        {!isAside && (
          <Button size="xs" variant="subtle" onClick={() => setAsked('dismiss')}>
            {isTakenBack ? words.checked : words.dismiss}
          </Button>
        )}
      </Group>
      {(give.error ?? retry.error) && <Trouble error={give.error ?? retry.error} />}
      {asked === 'member' && <ReceiverDialog order={order} onClose={() => setAsked(null)} />}
      {asked === 'dismiss' && (
        <ConfirmAction
          title={isTakenBack ? words.checkedTitle(externalId) : words.dismissTitle(externalId)}
          act={isTakenBack ? words.checked : words.dismiss}
          onAction={() => dismiss.mutateAsync(input)}
          onClose={() => setAsked(null)}
        >
          <Text>{isTakenBack ? words.checkedText : words.dismissText}</Text>
        </ConfirmAction>
      )}
    </>
  );
};

const ReceiverDialog = ({ order, onClose }: { readonly order: ShopOrder; readonly onClose: () => void }) => {
  const words = useWords(shopOrdersWords);
  const [member, setMember] = useState<Member | null>(null);
  const assign = useChange(shopsHttp.assign, stale);
  const { id, version, receiver } = order;
  return (
    <FormDialog
      title={words.chooseTitle}
      act={words.assign}
      isActing={assign.isPending}
      isReady={member !== null}
      error={assign.error}
      onSubmit={() =>
        member &&
        assign.mutate(
          { params: { id }, body: { version, memberId: member.id } },
          {
            onSuccess() {
              notifyDone(words.done);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      {receiver !== '' && (
        <Text>
          <bdi>{words.shopSays(receiver)}</bdi>
        </Text>
      )}
      <MemberPicker value={member} onChange={setMember} isFirst />
    </FormDialog>
  );
};
