import { Text } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../access/access-state.ts';
import { PasswordField } from '../../access/password-field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useWords } from '../../language/use-words.ts';
import { HiddenUsername } from './hidden-username.tsx';
import { profileWords } from './profile.words.ts';

export interface AskPasswordProps {
  readonly title: string;
  /** What will happen. */
  readonly text?: string;
  readonly act: string;
  readonly isDestructive?: boolean;
  /** Resolves when it is done; if it fails, the dialog stays and says why. */
  readonly onPassword: (password: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for the password before an action that an unattended browser must not allow. */
export const AskPassword = (props: AskPasswordProps) => {
  const { title, text, act, isDestructive = false, onPassword, onClose } = props;
  const { twoStep: words, password } = useWords(profileWords);
  const { name } = useMe();
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (typed: string) => {
    setIsSending(true);
    setError(null);
    await onPassword(typed)
      .catch(setError)
      .finally(() => setIsSending(false));
  };
  return (
    <FormDialog
      title={title}
      act={act}
      isActing={isSending}
      isDestructive={isDestructive}
      error={error}
      onSubmit={(typed) => void send(String(typed.get('password') ?? ''))}
      onClose={onClose}
      closeOnClickOutside
    >
      {text !== undefined && <Text>{text}</Text>}
      <Text c="dimmed">{words.passwordFirst}</Text>
      <HiddenUsername name={name} />
      <PasswordField name="password" label={password.current} autoComplete="current-password" isFirst />
    </FormDialog>
  );
};
