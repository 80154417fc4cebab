import { Code, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import type { BackupCause, BackupsStatus } from '#contracts/backups.ts';
import { useCan } from '../../access/access-state.ts';
import { BackUpNow, BackupCard, useBackups } from '../../backups/backup-card.tsx';
import { backupsWords } from '../../backups/backups.words.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { Card } from '../../design/card.tsx';
import { CopyButton } from '../../design/copy-button.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';

export const Page = () => {
  const words = useWords(backupsWords);
  const read = useBackups();
  return (
    <Frame
      title={words.title}
      description={words.description}
      actions={read.data && <BackUpNow status={read.data} />}
    >
      <AsyncContent read={read}>
        {(status) => (
          <>
            <BackupCard status={status} />
            <KeptCard backups={status.backups} />
          </>
        )}
      </AsyncContent>
    </Frame>
  );
};

const KeptCard = ({ backups }: Pick<BackupsStatus, 'backups'>) => {
  const words = useWords(backupsWords);
  const format = useFormat();
  const can = useCan();
  const command = `castellan restore backups/${backups[0]?.name ?? 'NAME'}`;
  return (
    <Card title={words.kept}>
      <Stack gap="sm">
        {backups.length === 0 ? (
          <Text>{words.empty}</Text>
        ) : (
          <ScrollArea
            type="auto"
            offsetScrollbars="present"
            viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': words.kept }}
          >
            <Table aria-label={words.kept} miw="34rem">
              <Table.Thead>
                <Table.Tr>
                  {[words.when, words.kind, words.reason, words.check].map((header) => (
                    <Table.Th key={header} scope="col">
                      {header}
                    </Table.Th>
                  ))}
                  <Table.Th scope="col" ta="end">
                    {words.size}
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {backups.map(({ name, takenAt, kind, cause, bytes, ...compared }) => (
                  <Table.Tr key={name}>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>
                      <TimeAgo at={takenAt} />
                    </Table.Td>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>{words.kinds[kind]}</Table.Td>
                    <Table.Td>
                      <CauseText cause={cause} />
                    </Table.Td>
                    <Table.Td>
                      <Check {...compared} />
                    </Table.Td>
                    <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
                      {bytes === null ? '–' : format.bytes(bytes)}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea>
        )}
        <Text size="sm" c="dimmed">
          {words.rules}
        </Text>
        {can('settings.read') && (
          <PanelLink size="sm" to="/settings/backups">
            {words.schedule}
          </PanelLink>
        )}
        <Text size="sm">{words.restore}</Text>
        <Group gap="xs" wrap="nowrap">
          <Code dir="ltr">{command}</Code>
          <CopyButton value={command} label={words.copyCommand} />
        </Group>
      </Stack>
    </Card>
  );
};

/** Whether the backup is unchanged since it was taken. */
const Check = ({
  hasChecksums,
  checkedAt,
  fault,
}: Pick<BackupsStatus['backups'][number], 'hasChecksums' | 'checkedAt' | 'fault'>) => {
  const words = useWords(backupsWords);
  if (fault !== null) return <StateLabel tone="bad">{words.faults[fault.code](fault.file)}</StateLabel>;
  if (!hasChecksums) return words.noChecksums;
  return checkedAt === null ? words.unchecked : <TimeAgo at={checkedAt} />;
};

const CauseText = ({ cause }: { readonly cause: BackupCause }) => {
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
