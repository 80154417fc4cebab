import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../language/use-words.ts';
import { formsWords } from './forms.words.ts';
import { type KeptSecret, SecretState } from './secret-state.tsx';

/** A secret is written and never read back: this shows its state, and accepts a new one. */
export const SecretField = (props: {
  readonly label: string;
  readonly help: string | null;
  readonly secret: KeptSecret | undefined;
  /** A new value; null: to be cleared; undefined: unchanged. */
  readonly typed: string | null | undefined;
  readonly error: ReactNode;
  readonly onChange: (value: string | null) => void;
}) => {
  const { label, help, secret, typed, error, onChange } = props;
  const words = useWords(formsWords);
  const isSet = secret?.set === true;
  return (
    <Stack gap={4}>
      <PasswordInput
        label={label}
        description={
          <>
            {help && <span>{help} </span>}
            <span>{words.secretKept}</span>
          </>
        }
        placeholder={isSet ? words.keepsSecret : words.newSecret}
        value={typed ?? ''}
        disabled={typed === null}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={error}
        autoComplete="new-password"
        data-1p-ignore
        data-lpignore="true"
        visibilityToggleButtonProps={{ 'aria-label': words.show, tabIndex: 0 }}
      />
      <Group gap="sm" mih={26}>
        <Text size="sm" component="span">
          <SecretState secret={secret} />
        </Text>
        {typed === null && (
          <Text size="sm" component="span" role="status">
            {words.willClear}
          </Text>
        )}
        {isSet && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => onChange(typed === null ? '' : null)}
            aria-label={`${typed === null ? words.keepIt : words.clear}: ${label}`}
          >
            {typed === null ? words.keepIt : words.clear}
          </Button>
        )}
      </Group>
      {secret?.fault && (
        <Text size="sm" c="dimmed">
          {words.unreadableRemedy}
        </Text>
      )}
    </Stack>
  );
};
