import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../language/use-words.ts';
import { designWords } from './design.words.ts';

/** Someone else has saved in the meantime: nothing typed is lost, and the person chooses one of the two. */
export const ConflictNotice = (props: {
  /** "Someone else has changed this server". */
  readonly title: string;
  /** The values that they saved, next to those typed here. */
  readonly children: ReactNode;
  readonly isSaving: boolean;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}) => {
  const { title, children, isSaving, onTakeTheirs, onKeepMine } = props;
  const words = useWords(designWords);
  return (
    <Alert color="var(--tone-warn)" variant="outline" role="alert" title={title}>
      <Stack gap="xs">
        {children}
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={isSaving} onClick={onTakeTheirs}>
            {words.takeTheirs}
          </Button>
          <Button size="xs" variant="default" loading={isSaving} onClick={onKeepMine}>
            {words.keepMine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};
