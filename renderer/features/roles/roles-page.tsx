import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { adminsHttp } from '#contracts/admins.ts';
import { type Role, rolesHttp } from '#contracts/roles.ts';
import { useCan } from '../../access/access-state.ts';
import { AsyncContent } from '../../design/async-content.tsx';
import { ConfirmAction } from '../../design/confirm-action.tsx';
import { notifyDone } from '../../design/notify.ts';
import { Page as Frame } from '../../design/page.tsx';
import { useWords } from '../../language/use-words.ts';
import { useChange, useRead } from '../../wire/queries.ts';
import { RoleForm } from './role-form.tsx';
import { holdersOf } from './role-holders.ts';
import { RoleMatrix } from './role-matrix.tsx';
import { RoleTable } from './role-table.tsx';
import { rolesWords } from './roles.words.ts';

type Doing = { readonly act: 'edit'; readonly role?: Role } | { readonly act: 'remove'; readonly role: Role };

export const Page = () => {
  const words = useWords(rolesWords);
  const can = useCan();
  const isWriter = can('admins.write');
  const [doing, setDoing] = useState<Doing | null>(null);
  const roles = useRead(rolesHttp.list, {});
  const admins = useRead(adminsHttp.list, {});
  const remove = useChange(rolesHttp.remove, [rolesHttp.list]);
  const close = () => setDoing(null);
  const holders = (role: Role) => holdersOf(role.id, admins.data?.rows);
  const mayChange = (role: Role) => isWriter && !role.builtIn && role.permissions.every((name) => can(name));

  const actions = isWriter && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDoing({ act: 'edit' })}>
      {words.create}
    </Button>
  );
  return (
    <Frame title={words.title} description={words.description} actions={actions}>
      <AsyncContent read={roles}>
        {({ rows }) => (
          <>
            <RoleTable
              roles={rows}
              holders={holders}
              isWriter={isWriter}
              mayChange={mayChange}
              onEdit={(role) => setDoing({ act: 'edit', role })}
              onRemove={(role) => setDoing({ act: 'remove', role })}
            />
            <RoleMatrix roles={rows} />
          </>
        )}
      </AsyncContent>
      {doing?.act === 'edit' && (
        <RoleForm
          {...(doing.role && { role: doing.role, holders: holders(doing.role) })}
          newest={roles.data?.rows.find(({ id }) => id === doing.role?.id)}
          onClose={close}
        />
      )}
      {doing?.act === 'remove' && (
        <ConfirmAction
          title={words.removeQuestion(doing.role.name)}
          act={words.remove}
          onAction={async () => {
            await remove.mutateAsync({ params: { id: doing.role.id } });
            notifyDone(words.removed(doing.role.name));
          }}
          onClose={close}
        >
          {holders(doing.role) ? words.inUse(holders(doing.role) ?? 0) : words.removeText}
        </ConfirmAction>
      )}
    </Frame>
  );
};
