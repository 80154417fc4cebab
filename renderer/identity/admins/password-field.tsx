import { Button, Group, Stack, TextInput } from '@mantine/core';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import classes from './admins.module.css';
import { adminsWords } from './admins.words.ts';
import { suggestedPassword } from './suggested-password.ts';

/** A password for someone else: it is handed over, so it is visible while it is chosen. */
export const PasswordField = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => {
  const words = useWords(adminsWords);
  return (
    <Stack gap={4}>
      <TextInput
        label={words.password}
        description={words.passwordAbout}
        className={classes.password}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        required
        minLength={10}
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        rightSection={<CopyButton value={value} label={words.copyPassword} />}
      />
      <Group>
        <Button size="compact-sm" variant="subtle" onClick={() => onChange(suggestedPassword())}>
          {words.another}
        </Button>
      </Group>
    </Stack>
  );
};
