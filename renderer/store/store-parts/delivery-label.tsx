import { Badge, Group, Text } from '@mantine/core';
import type { InWords } from '#contracts/kernel/words.ts';
import type { Delivery, DeliveryState } from '#contracts/store/deliveries.ts';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { storePartsWords } from '../store-parts.words.ts';

type StateFacts = Pick<
  Delivery,
  | 'state'
  | 'certainty'
  | 'waitsFor'
  | 'memberName'
  | 'memberId'
  | 'rolledBackAt'
  | 'doubledAt'
  | 'points'
  | 'refundedAt'
>;

const deliveryTones = {
  pending: 'busy',
  waiting: 'idle',
  sending: 'busy',
  delivered: 'ok',
  failed: 'bad',
  unknown: 'warn',
  cancelled: 'idle',
} as const satisfies Record<DeliveryState, Tone>;

/** The state as a plain sentence. */
export const deliveryText = (
  { state, certainty, waitsFor, memberName, memberId }: StateFacts,
  words: InWords<(typeof storePartsWords)['en']>,
): string => {
  if (state === 'waiting') {
    if (waitsFor === 'player') return words.waits.player(memberName || words.memberNumber(memberId));
    return words.waits[waitsFor ?? 'retry'];
  }
  if (state === 'delivered' && certainty !== null) return words.certainties[certainty];
  return words.states[state];
};

/** A delivery's state, with its important marks. */
export const DeliveryLabel = ({
  delivery,
}: {
  readonly delivery: StateFacts & Pick<Delivery, 'takingBack'>;
}) => {
  const words = useWords(storePartsWords);
  const { rolledBackAt, doubledAt, refundedAt, takingBack } = delivery;
  // For a delivery that was free or paid in an external shop, and did not arrive, nothing was given back.
  const isRefunded = refundedAt !== null && (delivery.points > 0 || delivery.state === 'delivered');
  const tone = rolledBackAt === null ? deliveryTones[delivery.state] : 'warn';
  return (
    <Group gap={6} component="span">
      <StateLabel tone={tone}>
        {rolledBackAt === null ? <bdi>{deliveryText(delivery, words)}</bdi> : words.rolledBack}
      </StateLabel>
      {doubledAt !== null && (
        <Text span size="sm" c="dimmed">
          {words.doubled}
        </Text>
      )}
      {isRefunded && (
        <Badge component="span" size="sm" variant="default" tt="none" fw={500}>
          {words.refunded}
        </Badge>
      )}
      {refundedAt !== null && takingBack !== null && (
        <Text span size="sm" c="dimmed">
          {words.takingBack[takingBack]}
        </Text>
      )}
    </Group>
  );
};
