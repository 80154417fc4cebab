import { Button, Group, Text } from '@mantine/core';
import type { Delivery, DeskDecisionName } from '#contracts/store/deliveries.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { decisionsFor } from './desk-decisions.ts';
import { deskDecisionsWords } from './desk-decisions.words.ts';

/** The decisions possible for one delivery at the desk. */
export const DecisionButtons = ({
  delivery,
  onDecide,
}: {
  readonly delivery: Delivery;
  /** The page shows the dialog and its result: these buttons disappear once the delivery is decided. */
  readonly onDecide: (decision: DeskDecisionName) => void;
}) => {
  const words = useWords(deskDecisionsWords);
  const can = useCan();
  if (!can('orders.write')) return <Text c="dimmed">{words.mayNot}</Text>;
  return (
    <>
      <Text fw={600}>{words.ask}</Text>
      <Group gap="xs">
        {decisionsFor(delivery).map((decision) => (
          <Button key={decision} variant="default" onClick={() => onDecide(decision)}>
            {words.acts[decision]}
          </Button>
        ))}
      </Group>
    </>
  );
};
