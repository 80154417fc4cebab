import { Alert, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Delivery, type DeskDecisionName, deliveriesHttp } from '#contracts/store/deliveries.ts';
import { readKey } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { storePartsWords } from '../store-parts.words.ts';
import { usePoints } from '../use-points.ts';
import { deskDecisionsWords } from './desk-decisions.words.ts';

/** The most that the API takes in one request. */
const mostAtOnce = 200;

const decideAll = async (ids: readonly string[], decision: DeskDecisionName) => {
  const rows = [];
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    const body = { ids: ids.slice(from, from + mostAtOnce), decision };
    rows.push(...(await sendChange(deliveriesHttp.decide, { body })).rows);
  }
  return rows;
};

/** Explains a decision before it is made, and lists afterwards which deliveries could not be decided and why. */
export const DecideDialog = (props: {
  readonly deliveries: readonly Delivery[];
  readonly decision: DeskDecisionName;
  /** All of them were decided. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}) => {
  const { deliveries, decision, onDone, onClose } = props;
  const words = useWords(deskDecisionsWords);
  const { memberNumber } = useWords(storePartsWords);
  const { points } = usePoints();
  const client = useQueryClient();
  const decide = useMutation({
    mutationFn: () =>
      decideAll(
        deliveries.map(({ id }) => id),
        decision,
      ),
    onSuccess: (rows) => {
      const done = rows.filter(({ isDone }) => isDone).length;
      if (done > 0) notifyDone(words.hasDecided(done));
      if (done < rows.length) return;
      onDone?.();
      onClose();
    },
    // After a failure too: some may have been decided before it.
    onSettled: () => {
      for (const read of [deliveriesHttp.desk, deliveriesHttp.list, deliveriesHttp.read])
        void client.invalidateQueries({ queryKey: readKey(read) });
    },
  });
  const notDone = decide.data?.filter(({ isDone }) => !isDone) ?? [];
  const total = deliveries.reduce((sum, delivery) => sum + delivery.points, 0);
  const names = new Map(
    deliveries.map(({ id, productName, memberName, memberId }) => [
      id,
      words.nameOf(productName, memberName || memberNumber(memberId)),
    ]),
  );
  return (
    <FormDialog
      title={words.titles[decision](deliveries.length)}
      act={decide.data ? null : words.acts[decision]}
      isActing={decide.isPending}
      error={decide.error}
      onSubmit={() => decide.mutate()}
      onClose={onClose}
      beginsAtLeave
      staysWhileActing
      {...(decide.data && { leave: words.close })}
    >
      {decide.data ? (
        <Alert
          color="var(--tone-warn)"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          role="alert"
          title={words.notDone(notDone.length)}
        >
          {notDone.length < decide.data.length && (
            <Text>{words.someDone(decide.data.length - notDone.length)}</Text>
          )}
          <List>
            {notDone.map(({ id, detail, reason }) => (
              <List.Item key={id}>
                <bdi>{names.get(id) ?? id}</bdi>: <Said reason={reason} detail={detail} />
              </List.Item>
            ))}
          </List>
        </Alert>
      ) : (
        <Stack gap="xs">
          <Text>{words.texts[decision](points(total))}</Text>
          {deliveries.length === 1 && (
            <Text c="dimmed">
              <bdi>{names.get(deliveries[0]?.id ?? '')}</bdi>
            </Text>
          )}
        </Stack>
      )}
    </FormDialog>
  );
};
