import { Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Permission } from '#contracts/identity/permissions.ts';
import { type Role, rolesHttp } from '#contracts/identity/roles.ts';
import { askAccess, useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { type Fact, Facts } from '../../kit/design/facts.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { VersionedDialog } from '../../kit/forms/versioned-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { PermissionPicker } from '../access/permission-picker.tsx';
import { rightsWords } from '../rights.words.ts';
import { rolesWords } from './roles.words.ts';

interface DifferencesProps {
  readonly theirs: Role;
  readonly mine: Pick<Role, 'name'> & { readonly permissions: readonly Permission[] };
}

/** Another admin's changes to a role, as far as they differ from what is typed here. */
const Differences = ({ theirs, mine }: DifferencesProps) => {
  const { conflict: words, name } = useWords(rolesWords);
  const { permissions } = useWords(rightsWords);
  const missingIn = (held: readonly Permission[], others: readonly Permission[]): string =>
    held
      .filter((permission) => !others.includes(permission))
      .map((permission) => permissions[permission])
      .join('; ');
  const onlyTheirs = missingIn(theirs.permissions, mine.permissions);
  const onlyMine = missingIn(mine.permissions, theirs.permissions);
  const facts: readonly Fact[] = [
    ...(theirs.name === mine.name ? [] : [{ label: name, value: <bdi>{theirs.name}</bdi> }]),
    ...(onlyTheirs ? [{ label: words.onlyTheirs, value: onlyTheirs }] : []),
    ...(onlyMine ? [{ label: words.onlyMine, value: onlyMine }] : []),
  ];
  return (
    <>
      <Text>{facts.length > 0 ? words.text : words.same}</Text>
      <Facts facts={facts} />
    </>
  );
};

interface RoleFormProps {
  /** Absent: creates a new one. */
  readonly role?: Role;
  /** The current state in the API. */
  readonly newest?: Role | undefined;
  /** The number of holders of the edited role. */
  readonly holders?: number | null;
  readonly onClose: () => void;
}

export const RoleForm = ({ role, newest, holders = null, onClose }: RoleFormProps) => {
  const words = useWords(rolesWords);
  const can = useCan();
  const nameInput = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(role?.name ?? '');
  const [chosen, setChosen] = useState<readonly Permission[]>(role?.permissions ?? []);
  const create = useChange(rolesHttp.create, [rolesHttp.list]);
  const change = useChange(rolesHttp.change, [rolesHttp.list]);
  const errorOf = useFieldErrors(create.error ?? change.error);
  const form = useVersionedForm({
    version: role?.version ?? 0,
    newest,
    async send(version) {
      const body = { name, permissions: [...chosen] };
      if (role) await change.mutateAsync({ params: { id: role.id }, body: { version, ...body } });
      else await create.mutateAsync({ body });
      notifyDone((role ? words.saved : words.made)(name));
      // The person's own role may be among the changed ones.
      void askAccess();
      onClose();
      return name;
    },
    show(theirs) {
      setName(theirs.name);
      setChosen(theirs.permissions);
      // The button disappears with the choice.
      nameInput.current?.focus();
    },
  });

  return (
    <VersionedDialog
      form={form}
      title={role ? words.change : words.create}
      size="xl"
      act={words.save}
      conflictTitle={words.conflict.title}
      theirs={(theirs) => <Differences theirs={theirs} mine={{ name, permissions: chosen }} />}
      onClose={onClose}
    >
      <TextInput
        ref={nameInput}
        label={words.name}
        error={errorOf('name')}
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
    </VersionedDialog>
  );
};
