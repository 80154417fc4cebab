import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { UpdatesState } from '#contracts/desktop/desktop-updates.ts';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { updatesWords } from './updates.words.ts';

/** The result of the last update, until someone has read it. */
export const UpdateOutcome = (props: {
  readonly outcome: NonNullable<UpdatesState['outcome']>;
  readonly onDismiss: () => void;
  readonly onRestore: () => Promise<void>;
}) => {
  const { outcome, onDismiss, onRestore } = props;
  const words = useWords(updatesWords);
  const [isAsking, setIsAsking] = useState(false);
  const { kind, from, to, backup, detail } = outcome;
  return (
    <Alert
      color={kind === 'updated' ? 'var(--tone-ok)' : 'var(--tone-warn)'}
      variant="outline"
      title={words.outcomes[kind](from, to)}
      role="status"
    >
      <Stack gap="xs" align="flex-start">
        {detail !== null && (
          <Text size="sm" c="dimmed" lang="en">
            <bdi>{detail}</bdi>
          </Text>
        )}
        {backup !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {words.backup}: <bdi>{backup}</bdi>
          </Text>
        )}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onDismiss}>
            {words.dismiss}
          </Button>
          {kind === 'went-back' && backup !== null && (
            <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
              {words.restore}
            </Button>
          )}
        </Group>
        {isAsking && (
          <ConfirmAction
            title={words.restoreTitle}
            act={words.restore}
            onAction={onRestore}
            onClose={() => setIsAsking(false)}
          >
            <Text>{words.restoreText}</Text>
          </ConfirmAction>
        )}
      </Stack>
    </Alert>
  );
};
