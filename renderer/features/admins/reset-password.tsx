import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { type Admin, adminsHttp } from '#contracts/admins.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useReturnFocus } from '../../design/use-return-focus.ts';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { adminsWords } from './admins.words.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { PasswordField } from './password-field.tsx';
import { suggestedPassword } from './suggested-password.ts';

export interface ResetPasswordProps {
  readonly admin: Admin;
  readonly onClose: () => void;
}

export const ResetPassword = ({ admin, onClose }: ResetPasswordProps) => {
  const words = useWords(adminsWords);
  const [password, setPassword] = useState(suggestedPassword);
  const [isClearing, setIsClearing] = useState(false);
  const [keepApiKeys, setKeepApiKeys] = useState(false);
  const reset = useChange(adminsHttp.resetPassword, [adminsHttp.list, adminsHttp.sessions]);
  useReturnFocus();

  if (reset.data)
    return (
      <CredentialsDialog
        title={words.credentials.reset(admin.name)}
        name={admin.name}
        password={password}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={
        <>
          {words.reset}: <bdi>{admin.name}</bdi>
        </>
      }
      act={words.reset}
      isActing={reset.isPending}
      onSubmit={() =>
        reset.mutate({ params: { id: admin.id }, body: { password, clearTotp: isClearing, keepApiKeys } })
      }
      error={reset.error}
      // If the page were left in between, no one could hand over the password.
      staysWhileActing
      onClose={onClose}
    >
      <Text>{words.resetText}</Text>
      <PasswordField value={password} onChange={setPassword} />
      {admin.totp && (
        <Checkbox
          label={words.clearTotp}
          description={words.clearTotpAbout}
          checked={isClearing}
          onChange={({ currentTarget }) => setIsClearing(currentTarget.checked)}
        />
      )}
      <Checkbox
        label={words.keepApiKeys}
        description={words.keepApiKeysAbout}
        checked={keepApiKeys}
        onChange={({ currentTarget }) => setKeepApiKeys(currentTarget.checked)}
      />
    </FormDialog>
  );
};
