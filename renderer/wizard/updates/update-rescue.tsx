import { Stack } from '@mantine/core';
import { useWords } from '../../language/use-words.ts';
import { ActFailed } from '../act-failed.tsx';
import { BadNews } from '../bad-news.tsx';
import { UpdateOutcome } from './update-outcome.tsx';
import { updatesWords } from './updates.words.ts';
import { useUpdates } from './use-updates.ts';
import { WayBack } from './way-back.tsx';

/** Where the panel cannot be reached since a version does not start, or does not understand the data: both can be undone. */
export const UpdateRescue = () => {
  const words = useWords(updatesWords);
  const { state, act, ask } = useUpdates();
  if (state === null) return null;
  const { outcome, trouble, wayBack } = state;
  return (
    <Stack gap="md">
      {act.error !== null && <ActFailed error={act.error} />}
      {outcome && (
        <UpdateOutcome
          outcome={outcome}
          onDismiss={() => void act.run(() => ask('dismiss'))}
          onRestore={() => ask('restoreBackup')}
        />
      )}
      {trouble && (
        <BadNews title={words.troubles[trouble.code]} detail={trouble.detail}>
          {null}
        </BadNews>
      )}
      {wayBack !== null && <WayBack version={wayBack} onGoBack={() => ask('goBack')} />}
    </Stack>
  );
};
