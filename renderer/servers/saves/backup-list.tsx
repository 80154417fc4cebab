import { Group, Stack, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, useId, useState } from 'react';
import type { SavesBackup, ServerSaves } from '#contracts/servers/saves.ts';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { ReasonedButton } from '../../kit/design/reasoned-button.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { Notes } from './backup-notes.tsx';
import { ObstacleNote, obstacleTo, useObstacleText } from './save-obstacle.tsx';
import { savesWords } from './saves.words.ts';
import { momentOf } from './saves-in-words.ts';

/** The backups on the game's machine, the newest first. */
export const BackupList = (props: {
  readonly saves: ServerSaves;
  readonly list: NonNullable<ServerSaves['list']>;
  readonly mayAct: boolean;
  readonly onRestore: (backup: SavesBackup) => void;
}) => {
  const { saves, list, mayAct, onRestore } = props;
  const words = useWords(savesWords);
  const obstacleText = useObstacleText();
  const obstacle = obstacleTo('restore', saves);
  const isForbidden = obstacle === 'SAVES_NOT_ALLOWED';
  return (
    <Card title={words.list}>
      {mayAct && isForbidden && list.backups.length > 0 && <ObstacleNote code={obstacle} />}
      {mayAct && obstacle === 'SAVES_UNCONFIRMED' && (
        <Text size="sm" c="dimmed">
          {words.decideFirst}
        </Text>
      )}
      {list.backups.length === 0 ? (
        <EmptyState
          title={words.empty}
          text={mayAct ? words.emptyText : words.emptyMayNot}
          example={[words.when, words.worlds, words.onDisk, words.files]}
        />
      ) : (
        <Table aria-label={words.list} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.when}</Table.Th>
              {[words.worlds, words.onDisk, words.files].map((header) => (
                <Table.Th key={header} scope="col" ta="end" visibleFrom="sm">
                  {header}
                </Table.Th>
              ))}
              {mayAct && (
                <Table.Th scope="col" ta="end">
                  <VisuallyHidden>{words.act}</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.backups.map((backup) => (
              <BackupRow
                key={backup.name}
                backup={backup}
                isUnconfirmed={backup.name === list.unconfirmed}
                mayAct={mayAct}
                // The dialog itself explains how to stop the game.
                reason={obstacle === 'SAVES_GAME_RUNNING' ? null : obstacleText(obstacle)}
                onRestore={onRestore}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
};

const BackupRow = (props: {
  readonly mayAct: boolean;
  readonly onRestore: (backup: SavesBackup) => void;
  readonly backup: SavesBackup;
  readonly isUnconfirmed: boolean;
  readonly reason: string | null;
}) => {
  const { backup, isUnconfirmed, reason, mayAct, onRestore } = props;
  const words = useWords(savesWords);
  const format = useFormat();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const { takenAt, notes } = backup;
  const taken = momentOf(takenAt, format);
  const sizes = [format.bytes(backup.bytes), format.bytes(backup.storedBytes), format.number(backup.files)];
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Fragment>
      <Table.Tr>
        <Table.Td>
          <Stack gap={2} align="flex-start">
            <span>{taken}</span>
            <Text size="sm" c="dimmed" component="div">
              <TimeAgo at={takenAt} />
            </Text>
            {backup.isDatedAhead && (
              <Text size="sm" component="div">
                <StateLabel tone="warn">{words.datedAhead}</StateLabel>
              </Text>
            )}
            <Text size="sm" c="dimmed" hiddenFrom="sm">
              {sizes[0]} · {words.onDiskOf(sizes[1] ?? '')} · {words.fileCount(backup.files)}
            </Text>
            {isUnconfirmed && (
              <Text size="sm" component="div">
                <StateLabel tone="warn">
                  {words.restored}, {words.waiting}
                </StateLabel>
              </Text>
            )}
            {notes.length > 0 && (
              <UnstyledButton
                fz="sm"
                mih={24}
                aria-expanded={isOpen}
                aria-controls={id}
                onClick={() => setIsOpen(!isOpen)}
              >
                <Group gap={4} wrap="nowrap">
                  <Chevron size={14} aria-hidden />
                  {words.noteCount(notes.length)}
                </Group>
              </UnstyledButton>
            )}
          </Stack>
        </Table.Td>
        {sizes.map((size, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay where they are
          <Table.Td key={column} ta="end" visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
            {size}
          </Table.Td>
        ))}
        {mayAct && (
          <Table.Td ta="end">
            <ReasonedButton
              size="xs"
              variant="default"
              label={words.restoreOf(taken)}
              reason={reason}
              onClick={() => onRestore(backup)}
            >
              {words.restore} …
            </ReasonedButton>
          </Table.Td>
        )}
      </Table.Tr>
      {notes.length > 0 && (
        <Table.Tr id={id} hidden={!isOpen}>
          <Table.Td colSpan={mayAct ? 5 : 4}>
            <Notes notes={notes} />
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  );
};
