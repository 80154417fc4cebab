import { Button, Group, Progress, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import { Card } from '../../../kit/design/card.tsx';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { Facts } from '../../../kit/design/facts.tsx';
import { Loading } from '../../../kit/design/loading.tsx';
import { notifyTrouble } from '../../../kit/design/notify.ts';
import { TimeAgo } from '../../../kit/design/time-ago.tsx';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { FailureAlert } from '../desktop-actions/failure-alert.tsx';
import { Rollback } from '../update-parts/rollback.tsx';
import { UpdateOutcome } from '../update-parts/update-outcome.tsx';
import { updatesWords } from '../update-parts/updates.words.ts';
import { type UseUpdates, useUpdates } from '../update-parts/use-updates.ts';

interface UpdateOfferProps {
  readonly state: UpdatesState;
  readonly offer: NonNullable<UpdatesState['offer']>;
  readonly updates: UseUpdates;
}

/** A newer version: what it brings, and its installation. */
const UpdateOffer = ({ state, offer, updates }: UpdateOfferProps) => {
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

/** Newer versions of the program itself. */
export const Section = () => {
  const words = useWords(updatesWords);
  const updates = useUpdates();
  const { state, act } = updates;
  return (
    <Card title={words.title}>
      {act.error !== null && <ActionFailed error={act.error} />}
      {state === null ? act.error === null && <Loading /> : <Standing state={state} updates={updates} />}
    </Card>
  );
};

interface StandingProps {
  readonly state: UpdatesState;
  readonly updates: UseUpdates;
}

const Standing = ({ state, updates }: StandingProps) => {
  const words = useWords(updatesWords);
  const { act, ask } = updates;
  const { outcome, obstacle, trouble, offer, wayBack } = state;
  return (
    <Stack gap="md">
      {outcome && (
        <UpdateOutcome
          outcome={outcome}
          onDismiss={() => void act.run(() => ask('dismiss'))}
          onRestore={() => ask('restoreBackup')}
        />
      )}
      <Facts
        facts={[
          { label: words.installed, value: state.installed },
          ...(obstacle === null
            ? [
                { label: words.lastChecked, value: <When at={state.lastCheckedAt} /> },
                ...(state.nextCheckAt === null
                  ? []
                  : [{ label: words.nextCheck, value: <When at={state.nextCheckAt} /> }]),
              ]
            : []),
        ]}
      />
      {obstacle !== null ? (
        <Text>{words.obstacles[obstacle]}</Text>
      ) : (
        <Looking state={state} updates={updates} />
      )}
      {trouble && (
        <FailureAlert title={words.troubles[trouble.code]} detail={trouble.detail}>
          {null}
        </FailureAlert>
      )}
      {offer && <UpdateOffer state={state} offer={offer} updates={updates} />}
      {wayBack !== null && <Rollback version={wayBack} onGoBack={() => ask('goBack')} />}
    </Stack>
  );
};

const When = ({ at }: { readonly at: string | null }) => {
  const words = useWords(updatesWords);
  return at === null ? words.never : <TimeAgo at={at} />;
};

const Looking = ({ state, updates: { act, ask, setMode } }: StandingProps) => {
  const words = useWords(updatesWords);
  const isLooking = state.step === 'checking';
  const isNewest = state.step === null && state.isNewest && !state.trouble;
  return (
    <Stack gap="md" align="flex-start">
      {/* Not queued: switching updates off cancels the running action. */}
      <Switch
        label={words.mode}
        description={words.modeText}
        checked={state.mode === 'ask'}
        onChange={({ currentTarget: { checked } }) =>
          void setMode(checked ? 'ask' : 'off').catch(notifyTrouble)
        }
      />
      {state.mode === 'ask' && ['checking', 'found', null].includes(state.step) && (
        <Button
          variant="default"
          loading={isLooking || act.isActing}
          onClick={() => void act.run(() => ask('check'))}
        >
          {words.check}
        </Button>
      )}
      {state.mode === 'ask' && (isNewest || isLooking) && (
        <Text role="status">{isLooking ? words.checking : words.newest}</Text>
      )}
    </Stack>
  );
};
