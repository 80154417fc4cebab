import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { type Role, rolesHttp } from '#contracts/roles.ts';
import { askAccess, useCan } from '../../access/access-state.ts';
import { PermissionPicker } from '../../access/permission-picker.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { notifyDone } from '../../design/notify.ts';
import { useWords } from '../../language/use-words.ts';
import { useChange } from '../../wire/queries.ts';
import { rolesWords } from './roles.words.ts';

export interface RoleFormProps {
  /** Absent: a new one is made. */
  readonly role?: Role;
  /** Of the role that is changed. */
  readonly holders?: number | null;
  readonly onClose: () => void;
}

export const RoleForm = ({ role, holders = null, onClose }: RoleFormProps) => {
  const words = useWords(rolesWords);
  const can = useCan();
  const [name, setName] = useState(role?.name ?? '');
  const [chosen, setChosen] = useState<readonly Permission[]>(role?.permissions ?? []);
  const create = useChange(rolesHttp.create, [rolesHttp.list]);
  const change = useChange(rolesHttp.change, [rolesHttp.list]);
  const active = role ? change : create;

  const save = () => {
    const body = { name, permissions: [...chosen] };
    const onSuccess = () => {
      notifyDone((role ? words.saved : words.made)(name));
      // One's own role may be among those that were changed.
      void askAccess();
      onClose();
    };
    if (role) change.mutate({ params: { id: role.id }, body }, { onSuccess });
    else create.mutate({ body }, { onSuccess });
  };

  return (
    <FormDialog
      title={role ? words.change : words.create}
      size="xl"
      act={words.save}
      isActing={active.isPending}
      error={active.error}
      onSubmit={save}
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
      <PermissionPicker value={chosen} mayGive={(permission) => can(permission)} onChange={setChosen} />
      <Text size="sm" c="dimmed" role="status">
        {words.chosen(chosen.length)}. {holders !== null && holders > 0 && words.atOnce(holders)}
      </Text>
    </FormDialog>
  );
};
