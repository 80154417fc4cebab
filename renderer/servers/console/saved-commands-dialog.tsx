import { ActionIcon, Group, Modal, Stack, Text, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { consoleHttp, type SavedCommand } from '#contracts/servers/console.ts';
import { games } from '#contracts/servers/games.ts';
import { useChange } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { consoleWords } from './console.words.ts';
import { SavedCommandForm, type SavedCommandStart } from './saved-command-form.tsx';

interface SavedCommandsDialogProps {
  readonly saved: readonly SavedCommand[];
  /** Opens with a form for a new one; null: with the list. */
  readonly start: SavedCommandStart | null;
  readonly onClose: () => void;
}

/** Saved commands: the full list, to add, change and delete them. */
export const SavedCommandsDialog = ({ saved, start, onClose }: SavedCommandsDialogProps) => {
  useReturnFocus();
  const words = useWords(consoleWords).saved;
  const [form, setForm] = useState(start);
  const [leaving, setLeaving] = useState<SavedCommand | null>(null);
  const remove = useChange(consoleHttp.removeSavedCommand, [consoleHttp.savedCommands]);
  const leaveForm = () => (start ? onClose() : setForm(null));
  if (form) {
    const newest = saved.find(({ id }) => id === form.of?.id);
    return <SavedCommandForm start={form} newest={newest} onDone={leaveForm} />;
  }
  if (leaving)
    return (
      <ConfirmAction
        title={words.removeQuestion(leaving.name)}
        act={words.remove}
        onAction={() => remove.mutateAsync({ params: { id: leaving.id } })}
        onClose={() => setLeaving(null)}
      >
        {words.removeText}
      </ConfirmAction>
    );
  return (
    <Modal opened onClose={onClose} title={words.title} size="lg">
      <Stack>
        <Text c="dimmed" size="sm">
          {saved.length === 0 ? words.empty : words.text}
        </Text>
        {saved.map((one) => (
          <Group key={one.id} justify="space-between" wrap="nowrap" gap="xs">
            <div>
              <Text fw={600}>
                <bdi>{one.name}</bdi>{' '}
                <Text span c="dimmed" size="sm">
                  {one.game === null ? words.everyGame : games[one.game].name}
                </Text>
              </Text>
              <Text size="sm" ff="monospace">
                <bdi>{one.command}</bdi>
              </Text>
            </div>
            <Group gap="xs" wrap="nowrap">
              <Tooltip label={words.edit}>
                <ActionIcon
                  variant="default"
                  aria-label={`${words.edit}: ${one.name}`}
                  onClick={() => setForm({ of: one })}
                >
                  <IconPencil size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={words.remove}>
                <ActionIcon
                  variant="default"
                  aria-label={`${words.remove}: ${one.name}`}
                  onClick={() => setLeaving(one)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Group>
          </Group>
        ))}
        <Group justify="flex-end">
          <AddButton onClick={() => setForm({})}>{words.add}</AddButton>
        </Group>
      </Stack>
    </Modal>
  );
};
