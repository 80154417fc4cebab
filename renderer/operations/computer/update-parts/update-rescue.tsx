import { Stack } from '@mantine/core';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { FailureAlert } from '../desktop-actions/failure-alert.tsx';
import { Rollback } from './rollback.tsx';
import { UpdateOutcome } from './update-outcome.tsx';
import { updatesWords } from './updates.words.ts';
import { useUpdates } from './use-updates.ts';

/** For when the panel is unreachable because a version does not start, or does not understand the data: both can be undone. */
export const UpdateRescue = () => {
  const words = useWords(updatesWords);
  const { state, act, ask } = useUpdates();
  if (state === null) return null;
  const { outcome, trouble, wayBack } = state;
  return (
    <Stack gap="md">
      {act.error !== null && <ActionFailed error={act.error} />}
      {outcome && (
        <UpdateOutcome
          outcome={outcome}
          onDismiss={() => void act.run(() => ask('dismiss'))}
          onRestore={() => ask('restoreBackup')}
        />
      )}
      {trouble && (
        <FailureAlert title={words.troubles[trouble.code]} detail={trouble.detail}>
          {null}
        </FailureAlert>
      )}
      {wayBack !== null && <Rollback version={wayBack} onGoBack={() => ask('goBack')} />}
    </Stack>
  );
};
