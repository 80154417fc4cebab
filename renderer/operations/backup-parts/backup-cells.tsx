import { Code } from '@mantine/core';
import type { BackupCause, BackupsStatus } from '#contracts/operations/backups.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { backupsWords } from './backups.words.ts';

/** When a backup was taken, as far as that is known. */
export const Taken = ({
  takenAt,
  isDatedAhead,
}: Pick<BackupsStatus['backups'][number], 'takenAt' | 'isDatedAhead'>) => {
  const words = useWords(backupsWords);
  return (
    <>
      <TimeAgo at={takenAt} />
      {isDatedAhead && <StateLabel tone="warn">{words.datedAhead}</StateLabel>}
    </>
  );
};

/** Whether a backup is unchanged since it was taken. */
export const Check = ({
  hasChecksums,
  checkedAt,
  fault,
}: Pick<BackupsStatus['backups'][number], 'hasChecksums' | 'checkedAt' | 'fault'>) => {
  const words = useWords(backupsWords);
  if (fault !== null) return <StateLabel tone="bad">{words.faults[fault.code](fault.file)}</StateLabel>;
  if (!hasChecksums) return words.noChecksums;
  return checkedAt === null ? words.unchecked : <TimeAgo at={checkedAt} />;
};

/** Why a backup was taken. */
export const CauseText = ({ cause }: { readonly cause: BackupCause }) => {
  const words = useWords(backupsWords);
  switch (cause.kind) {
    case 'nightly':
      return '–';
    case 'asked':
      return <bdi>{words.askedBy(cause.by)}</bdi>;
    case 'command':
      return (
        <>
          {words.byCommand} <Code>{cause.command}</Code>
        </>
      );
    case 'migration':
      return words.beforeMigration;
    case 'update':
      return words.beforeUpdate(cause.version);
    case 'other':
      return <bdi lang="en">{cause.text}</bdi>;
  }
};
