import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { FirstRunState } from '#contracts/desktop-first-run.ts';
import { StateLabel } from '../../design/state-label.tsx';
import { useWords } from '../../language/use-words.ts';
import { firstRunWords } from './first-run.words.ts';
import type { FirstRunForm } from './use-first-run-form.ts';

export interface HomeFieldProps {
  readonly state: FirstRunState;
  readonly form: FirstRunForm;
}

/** For these outcomes, the words alone do not say which letter, account or number it is. */
const tellsMore: ReadonlySet<string> = new Set(['unspellable', 'away', 'not-writable', 'rights', 'full']);

/** The folder for database, backups, logs and settings. */
export const HomeField = ({ state, form }: HomeFieldProps) => {
  const { folder } = useWords(firstRunWords);
  const { draft, home, isActing } = form;
  const fault = home && 'detail' in home ? home : null;
  return (
    <Stack gap="xs">
      <TextInput
        label={folder.label}
        description={folder.text}
        value={draft.home}
        onChange={({ currentTarget }) => form.setHome(currentTarget.value)}
        error={fault && folder.wrong[fault.outcome]}
        inputContainer={(input) => (
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <Box flex={1}>{input}</Box>
            <Button variant="default" onClick={form.chooseHome} disabled={isActing}>
              {folder.choose}
            </Button>
            {draft.home !== state.usualHome && (
              <Button variant="subtle" onClick={() => form.setHome(state.usualHome)} disabled={isActing}>
                {folder.usual}
              </Button>
            )}
          </Group>
        )}
        readOnly={isActing}
        spellCheck={false}
        autoComplete="off"
        maxLength={1000}
        required
        withAsterisk={false}
        autoFocus
      />
      {fault && tellsMore.has(fault.outcome) && (
        <Text size="sm" c="dimmed" lang="en">
          <bdi>{fault.detail}</bdi>
        </Text>
      )}
      <div role="status">
        {form.isTakenUp && (
          <StateLabel tone="ok" isPlain>
            {folder.takenUp}
          </StateLabel>
        )}
      </div>
    </Stack>
  );
};
