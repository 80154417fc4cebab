import { Table, Text, TextInput, Tooltip } from '@mantine/core';
import { IconCheck, IconMinus, IconServer2 } from '@tabler/icons-react';
import { Fragment, useRef, useState } from 'react';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import { type Permission, permissions } from '#contracts/identity/permissions.ts';
import { type Role, rolesHttp } from '#contracts/identity/roles.ts';
import { askAccess, useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { type Fact, Facts } from '../../kit/design/facts.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { VersionedDialog } from '../../kit/forms/versioned-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { permissionGroups } from '../access/permission-groups.ts';
import { PermissionPicker } from '../access/permission-picker.tsx';
import { useRoleName } from '../access/use-role-name.ts';
import { rightsWords } from '../rights.words.ts';
import { RoleTable } from './role-table.tsx';
import classes from './roles.module.css';
import { rolesWords } from './roles.words.ts';

/** Another admin's changes to a role, as far as they differ from what is typed here. */
const Differences = ({
  theirs,
  mine,
}: {
  readonly theirs: Role;
  readonly mine: Pick<Role, 'name'> & { readonly permissions: readonly Permission[] };
}) => {
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

const RoleForm = (props: {
  /** Absent: creates a new one. */
  readonly role?: Role;
  /** The current state in the API. */
  readonly newest?: Role | undefined;
  /** The number of holders of the edited role. */
  readonly holders?: number | null;
  readonly onClose: () => void;
}) => {
  const { role, newest, holders = null, onClose } = props;
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

/** Every permission next to every role. */
const RoleMatrix = ({ roles }: { readonly roles: readonly Role[] }) => {
  const words = useWords(rolesWords);
  const rights = useWords(rightsWords);
  const nameOf = useRoleName();
  return (
    <Card title={words.matrix}>
      <Text size="sm" c="dimmed">
        <IconServer2 size={14} aria-hidden className={classes.mark} /> {rights.perServer}
      </Text>
      <Table.ScrollContainer
        minWidth={0}
        scrollAreaProps={{ offsetScrollbars: 'present', viewportProps: { tabIndex: 0 } }}
      >
        <Table aria-label={words.matrix} className={classes.matrix}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.permission}</Table.Th>
              {roles.map((role) => (
                <Table.Th key={role.id} scope="col" className={classes.role}>
                  <bdi>{nameOf(role)}</bdi>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {permissionGroups.map((group) => (
              <Fragment key={group.name}>
                <Table.Tr className={classes.groupRow}>
                  <Table.Th scope="rowgroup" colSpan={roles.length + 1}>
                    {rights.groups[group.name]}
                  </Table.Th>
                </Table.Tr>
                {group.permissions.map((name) => (
                  <Table.Tr key={name}>
                    <Table.Th scope="row" fw={400}>
                      {rights.permissions[name]}
                      {permissions[name].perServer && (
                        <Tooltip label={rights.perServer}>
                          <IconServer2
                            size={14}
                            role="img"
                            aria-label={rights.perServer}
                            className={classes.mark}
                          />
                        </Tooltip>
                      )}
                    </Table.Th>
                    {roles.map((role) => (
                      <Table.Td key={role.id} className={classes.cell}>
                        {role.permissions.includes(name) ? (
                          <IconCheck size={16} role="img" aria-label={words.yes} className={classes.yes} />
                        ) : (
                          <IconMinus size={16} role="img" aria-label={words.no} className={classes.no} />
                        )}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
};

/** How many admins hold a role, everywhere or for some server; null while unknown. */
const holdersOf = (roleId: string, admins: readonly Admin[] | undefined): number | null =>
  admins?.filter(
    ({ role, serverGrants }) => role === roleId || serverGrants.some((grant) => grant.role === roleId),
  ).length ?? null;

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

  const actions = isWriter && <AddButton onClick={() => setDoing({ act: 'edit' })}>{words.create}</AddButton>;
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
          onAction={() => remove.mutateAsync({ params: { id: doing.role.id } })}
          doneText={words.removed(doing.role.name)}
          onClose={close}
        >
          {holders(doing.role) ? words.inUse(holders(doing.role) ?? 0) : words.removeText}
        </ConfirmAction>
      )}
    </Frame>
  );
};
