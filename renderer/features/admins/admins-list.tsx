import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Admin, adminsHttp } from '#contracts/admins.ts';
import { rolesHttp } from '#contracts/roles.ts';
import { useCan } from '../../access/access-state.ts';
import { useRoleName } from '../../access/use-role-name.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { Loading } from '../../design/loading.tsx';
import { Page as Frame } from '../../design/page.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useWords } from '../../language/use-words.ts';
import { DataList } from '../../lists/data-list.tsx';
import { useRead } from '../../wire/queries.ts';
import { AdminName } from './admin-name.tsx';
import { adminsWords } from './admins.words.ts';
import { NewAdmin } from './new-admin.tsx';

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
  const create = isWriter && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsMaking(true)}>
      {words.create}
    </Button>
  );

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
              {
                id: 'lastSignIn',
                header: words.lastSignIn,
                cell: ({ lastSignInAt }) => (lastSignInAt ? <TimeAgo at={lastSignInAt} /> : words.never),
                sortBy: ({ lastSignInAt }) => lastSignInAt,
                text: ({ lastSignInAt }) => lastSignInAt ?? '',
                width: '9rem',
                isMinor: true,
              },
            ]}
            empty={<EmptyState title={words.empty} action={create} />}
          />
        )}
      </AsyncContent>
      {isMaking && <NewAdmin onClose={() => setIsMaking(false)} />}
    </Frame>
  );
};
