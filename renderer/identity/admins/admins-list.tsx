import { Badge, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { useCan, useMe } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { DataList } from '../../kit/lists/data-list.tsx';
import { timeColumn } from '../../kit/lists/time-column.tsx';
import { useRoleName } from '../access/use-role-name.ts';
import { adminsWords } from './admins.words.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { PasswordField } from './password-field.tsx';
import { type Rights, RightsFields } from './rights-fields.tsx';
import { suggestedPassword } from './suggested-password.ts';

const leastRights: Rights = { role: 'viewer', serverGrants: [] };

const NewAdmin = ({ onClose }: { readonly onClose: () => void }) => {
  const words = useWords(adminsWords);
  const [name, setName] = useState('');
  const [password, setPassword] = useState(suggestedPassword);
  const [rights, setRights] = useState(leastRights);
  const create = useChange(adminsHttp.create, [adminsHttp.list]);
  const errorOf = useFieldErrors(create.error);
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
        error={errorOf('name')}
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

/** A name, marked if it is the reader's own. */
const AdminName = ({ admin }: { readonly admin: Pick<Admin, 'id' | 'name'> }) => {
  const words = useWords(adminsWords);
  const me = useMe();
  return (
    <Group gap="xs" component="span" wrap="nowrap">
      <bdi>{admin.name}</bdi>
      {admin.id === me.id && (
        <Badge size="sm" variant="light" component="span" tt="none">
          {words.you}
        </Badge>
      )}
    </Group>
  );
};

export const AdminsList = () => {
  const words = useWords(adminsWords);
  const isWriter = useCan()('admins.write');
  const nameOf = useRoleName();
  const [isMaking, setIsMaking] = useState(false);
  const admins = useRead(adminsHttp.list, {});
  const { data: read } = useRead(rolesHttp.list, {});
  const roles = read?.rows ?? [];

  const roleText = ({ role, serverGrants }: Admin): string => {
    const found = roles.find(({ id }) => id === role);
    const missing = read ? words.unknownRole : '…';
    const name = role === null ? words.noRole : found ? nameOf(found) : missing;
    return serverGrants.length > 0 ? `${name} ${words.onServers(serverGrants.length)}` : name;
  };
  const stateText = ({ disabled }: Admin) => (disabled ? words.disabled : words.active);
  const totpText = ({ totp }: Admin) => (totp ? words.on : words.off);
  const create = isWriter && <AddButton onClick={() => setIsMaking(true)}>{words.create}</AddButton>;

  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <AsyncContent read={admins} loading={<Loading shape="list" />}>
        {({ rows }) => (
          <DataList
            name="admins"
            label={words.title}
            rows={rows}
            rowId={({ id }) => id}
            rowTo={({ id }) => `/admins/${id}`}
            search={(row) => `${row.name} ${roleText(row)}`}
            filters={[
              {
                id: 'role',
                label: words.role,
                options: roles.map((role) => ({ value: role.id, label: nameOf(role) })),
                matches: ({ role, serverGrants }, value) =>
                  role === value || serverGrants.some((grant) => grant.role === value),
              },
              {
                id: 'state',
                label: words.state,
                options: [
                  { value: 'active', label: words.active },
                  { value: 'disabled', label: words.disabled },
                ],
                matches: ({ disabled }, value) => disabled === (value === 'disabled'),
              },
            ]}
            columns={[
              {
                id: 'name',
                header: words.name,
                cell: (row) => <AdminName admin={row} />,
                sortBy: ({ name }) => name,
                text: ({ name }) => name,
                width: 'minmax(10rem, 2fr)',
              },
              {
                id: 'role',
                header: words.role,
                cell: (row) => <bdi>{roleText(row)}</bdi>,
                sortBy: roleText,
                text: roleText,
                width: 'minmax(9rem, 2fr)',
              },
              {
                id: 'state',
                header: words.state,
                cell: (row) => <StateLabel tone={row.disabled ? 'idle' : 'ok'}>{stateText(row)}</StateLabel>,
                sortBy: stateText,
                text: stateText,
                width: '9rem',
              },
              {
                id: 'totp',
                header: words.totp,
                cell: (row) => <StateLabel tone={row.totp ? 'ok' : 'idle'}>{totpText(row)}</StateLabel>,
                sortBy: totpText,
                text: totpText,
                width: '9rem',
                isMinor: true,
              },
              timeColumn<Admin>({
                id: 'lastSignIn',
                header: words.lastSignIn,
                at: ({ lastSignInAt }) => lastSignInAt,
                none: words.never,
                isSortable: true,
                width: '9rem',
                isMinor: true,
              }),
            ]}
            empty={<EmptyState title={words.empty} action={create} />}
          />
        )}
      </AsyncContent>
      {isMaking && <NewAdmin onClose={() => setIsMaking(false)} />}
    </Frame>
  );
};
