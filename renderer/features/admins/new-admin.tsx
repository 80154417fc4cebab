import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { adminsHttp } from '#contracts/admins.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { useReturnFocus } from '../../design/use-return-focus.ts';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { adminsWords } from './admins.words.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { PasswordField } from './password-field.tsx';
import { type Rights, RightsFields } from './rights-fields.tsx';
import { suggestedPassword } from './suggested-password.ts';

const leastRights: Rights = { role: 'viewer', serverGrants: [] };

export const NewAdmin = ({ onClose }: { readonly onClose: () => void }) => {
  const words = useWords(adminsWords);
  const [name, setName] = useState('');
  const [password, setPassword] = useState(suggestedPassword);
  const [rights, setRights] = useState(leastRights);
  const create = useChange(adminsHttp.create, [adminsHttp.list]);
  useReturnFocus();

  if (create.data)
    return (
      <CredentialsDialog
        title={words.credentials.title(create.data.name)}
        name={create.data.name}
        password={password}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={words.create}
      size="lg"
      act={words.create}
      isActing={create.isPending}
      onSubmit={() => {
        const { role, serverGrants } = rights;
        create.mutate({ body: { name, password, role, serverGrants: [...serverGrants] } });
      }}
      error={create.error}
      // If the page were left in between, no one would ever see the password.
      staysWhileActing
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        maxLength={64}
        autoComplete="off"
        data-autofocus
      />
      <PasswordField value={password} onChange={setPassword} />
      <RightsFields value={rights} onChange={setRights} />
    </FormDialog>
  );
};
