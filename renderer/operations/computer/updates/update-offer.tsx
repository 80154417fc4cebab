import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { notifyTrouble } from '../../../kit/design/notify.ts';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { updatesWords } from '../update-parts/updates.words.ts';
import type { UseUpdates } from '../update-parts/use-updates.ts';

interface UpdateOfferProps {
  readonly state: UpdatesState;
  readonly offer: NonNullable<UpdatesState['offer']>;
  readonly updates: UseUpdates;
}

/** A newer version: what it brings, and its installation. */
export const UpdateOffer = ({ state, offer, updates }: UpdateOfferProps) => {
  const words = useWords(updatesWords);
  const format = useFormat();
  return (
    <Stack gap="sm" align="flex-start">
      <div>
        <Title order={3}>{words.found(offer.version)}</Title>
        <Text size="sm" c="dimmed">
          {format.date(offer.releasedAt)} · {format.bytes(offer.sizeBytes)}
        </Text>
      </div>
      {state.isKnownUnhealthy && <Text c="var(--tone-warn)">{words.knownUnhealthy}</Text>}
      <Stack gap={4}>
        <Title order={4} size="md">
          {words.notes}
        </Title>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <bdi>{offer.notes === '' ? words.noNotes : offer.notes}</bdi>
        </Text>
      </Stack>
      <Way state={state} offer={offer} updates={updates} />
    </Stack>
  );
};

const Way = ({ state, offer, updates: { act, ask } }: UpdateOfferProps) => {
  const words = useWords(updatesWords);
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  switch (state.step) {
    case 'downloading':
      return (
        <Stack gap="xs" w="100%" align="flex-start">
          <Progress
            w="100%"
            value={(state.receivedBytes / offer.sizeBytes) * 100}
            aria-label={words.downloading(offer.version)}
          />
          <Text size="sm" role="status">
            {words.amount(format.bytes(state.receivedBytes), format.bytes(offer.sizeBytes))}
          </Text>
          {/* Not queued: the running action may be the one to cancel. */}
          <Button variant="default" onClick={() => void ask('cancel').catch(notifyTrouble)}>
            {words.cancel}
          </Button>
        </Stack>
      );
    case 'backing-up':
      return <Text role="status">{words.backingUp}</Text>;
    case 'leaving':
      return <Text role="status">{words.leaving}</Text>;
    case 'ready':
      return (
        <>
          <Text role="status">{words.ready}</Text>
          <Button onClick={() => setIsAsking(true)}>{words.install}</Button>
          {isAsking && (
            <ConfirmAction
              title={words.installTitle(offer.version)}
              act={words.install}
              isDestructive={false}
              onAction={() => ask('install')}
              onClose={() => setIsAsking(false)}
            >
              <Text>{words.installText}</Text>
            </ConfirmAction>
          )}
        </>
      );
    default:
      return (
        <Group gap="xs">
          <Button onClick={() => void act.run(() => ask('download'))} loading={act.isActing}>
            {words.download}
          </Button>
          {state.isSkipped ? (
            <Text size="sm" c="dimmed">
              {words.skipped}
            </Text>
          ) : (
            <Button variant="default" onClick={() => void act.run(() => ask('skip'))}>
              {words.skip}
            </Button>
          )}
        </Group>
      );
  }
};
