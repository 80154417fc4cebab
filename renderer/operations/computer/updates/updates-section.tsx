import { Button, Stack, Switch, Text } from '@mantine/core';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import { Card } from '../../../kit/design/card.tsx';
import { Facts } from '../../../kit/design/facts.tsx';
import { Loading } from '../../../kit/design/loading.tsx';
import { notifyTrouble } from '../../../kit/design/notify.ts';
import { TimeAgo } from '../../../kit/design/time-ago.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { FailureAlert } from '../desktop-actions/failure-alert.tsx';
import { Rollback } from '../update-parts/rollback.tsx';
import { UpdateOutcome } from '../update-parts/update-outcome.tsx';
import { updatesWords } from '../update-parts/updates.words.ts';
import { type UseUpdates, useUpdates } from '../update-parts/use-updates.ts';
import { UpdateOffer } from './update-offer.tsx';

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
