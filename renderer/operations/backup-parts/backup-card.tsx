import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type BackupsStatus, backupsHttp } from '#contracts/operations/backups.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { Card } from '../../kit/design/card.tsx';
import { Facts } from '../../kit/design/facts.tsx';
import { notifyTrouble } from '../../kit/design/notify.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useServerNow } from '../../kit/design/use-server-now.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { backupsWords } from './backups.words.ts';

const key = readKey(backupsHttp.status, {});
const whileRunningMs = 1000;
const otherwiseMs = 30_000;

export const useBackups = () => {
  const [isRunning, setIsRunning] = useState(false);
  const read = useRead(backupsHttp.status, {}, { everyMs: isRunning ? whileRunningMs : otherwiseMs });
  const runningSince = read.data?.runningSince ?? null;
  useEffect(() => setIsRunning(runningSince !== null), [runningSince]);
  return read;
};

/** Starts a backup; from then on the status shows its progress. */
export const BackUpNow = ({ status }: { readonly status: BackupsStatus }) => {
  const words = useWords(backupsWords);
  const isWriter = useCan()('backups.write');
  const [isAsking, setIsAsking] = useState(false);
  if (!isWriter) return null;
  const begin = async () => {
    setIsAsking(true);
    try {
      const begun = await sendChange(backupsHttp.take, {});
      // A read that started earlier would bring back the old state.
      await queryClient.cancelQueries({ queryKey: key });
      queryClient.setQueryData(key, begun);
    } catch (error) {
      notifyTrouble(error);
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <Button
      onClick={() => void begin()}
      loading={isAsking}
      disabled={status.runningSince !== null || status.obstacle !== null}
    >
      {words.takeNow}
    </Button>
  );
};

/** Only whole backups of a known age count; the database alone is no backup of an installation. */
const newestOf = ({ backups }: BackupsStatus) =>
  backups.find(({ kind, isDatedAhead }) => kind !== 'database' && !isDatedAhead);

const Sign = ({ status }: { readonly status: BackupsStatus }) => {
  const words = useWords(backupsWords);
  const { runningSince, obstacle, lastAttempt } = status;
  if (runningSince !== null) return <StateLabel tone="busy">{words.taking}</StateLabel>;
  if (obstacle !== null) return <StateLabel tone="warn">{words.obstacle}</StateLabel>;
  if (lastAttempt?.outcome === 'failed') return <StateLabel tone="bad">{words.failed}</StateLabel>;
  const isThere = lastAttempt !== null || newestOf(status) !== undefined;
  return <StateLabel tone={isThere ? 'ok' : 'idle'}>{isThere ? words.taken : words.none}</StateLabel>;
};

/** How old the newest backup is, and the outcome of the last attempt. */
export const BackupCard = ({
  status,
  hasButton = false,
}: {
  readonly status: BackupsStatus;
  readonly hasButton?: boolean;
}) => {
  const words = useWords(backupsWords);
  const format = useFormat();
  const told = useTold();
  const { lastAttempt, obstacle, nextAt, freeBytes, runningSince } = status;
  const newest = newestOf(status);
  const isNoneTold = !newest && lastAttempt === null && obstacle === null;
  const isOverdue = Date.parse(nextAt) <= useServerNow();
  return (
    <Card title={hasButton ? words.title : words.state}>
      <Stack gap="xs">
        <div role="status">
          <Sign status={status} />
        </div>
        {runningSince === null && obstacle !== null && <Text size="sm">{told(obstacle)}</Text>}
        {runningSince === null && lastAttempt?.outcome === 'failed' && (
          <>
            <Text size="sm">{lastAttempt.detail && told(lastAttempt.detail)}</Text>
            <Text size="sm">{words.failedText}</Text>
          </>
        )}
        <Facts
          facts={[
            ...(isNoneTold
              ? []
              : [{ label: words.last, value: newest ? <TimeAgo at={newest.takenAt} /> : words.none }]),
            ...(obstacle === null
              ? [{ label: words.next, value: isOverdue ? words.soon : <TimeAgo at={nextAt} /> }]
              : []),
            { label: words.free, value: format.bytes(freeBytes) },
          ]}
        />
        {hasButton && (
          <Group>
            <BackUpNow status={status} />
          </Group>
        )}
      </Stack>
    </Card>
  );
};
