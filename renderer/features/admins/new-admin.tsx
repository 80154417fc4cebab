import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { adminsHttp } from '#contracts/admins.ts';
import { designWords } from '../../design/design.words.ts';
import { Trouble } from '../../design/trouble.tsx';
import { useReturnFocus } from '../../design/use-return-focus.ts';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { adminsWords } from './admins.words.ts';
import { HandOver } from './hand-over.tsx';
import { PasswordField } from './password-field.tsx';
import { type Rights, RightsFields } from './rights-fields.tsx';
import { suggestedPassword } from './suggested-password.ts';

const leastRights: Rights = { role: 'viewer', serverGrants: [] };

export const NewAdmin = ({ onClose }: { readonly onClose: () => void }) => {
  const words = useWords(adminsWords);
  const general = useWords(designWords);
  const [name, setName] = useState('');
  const [password, setPassword] = useState(suggestedPassword);
  const [rights, setRights] = useState(leastRights);
  const create = useChange(adminsHttp.create, [adminsHttp.list]);
  useReturnFocus();
  /** Not while it is being made: its password would be seen by nobody. */
  const close = () => {
    if (!create.isPending) onClose();
  };

  if (create.data)
    return (
      <HandOver
        title={words.handOver.title(create.data.name)}
        name={create.data.name}
        password={password}
        onClose={onClose}
      />
    );
  return (
    <Modal opened onClose={close} title={words.create} size="lg" closeOnClickOutside={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const { role, serverGrants } = rights;
          create.mutate({ body: { name, password, role, serverGrants: [...serverGrants] } });
        }}
      >
        <Stack>
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
          {create.error && <Trouble error={create.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close} disabled={create.isPending}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
