import { ActionIcon, Checkbox, Group, Select, Stack, Table, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type DiscordRoleRights, discordRightsHttp } from '#contracts/discord/discord-rights.ts';
import { type DiscordUserPermission, discordUserPermissions } from '#contracts/identity/permissions.ts';
import { rightsWords } from '../../identity/rights.words.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { discordWords } from '../discord-parts/discord.words.ts';

const RoleRightsForm = (props: {
  /** Null: a role is still to be chosen. */
  readonly rights: DiscordRoleRights | null;
  /** The roles of the Discord server without permissions yet. */
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}) => {
  const { rights, roles, onClose } = props;
  const { rights: words } = useWords(discordWords);
  const { permissions: names } = useWords(rightsWords);
  const can = useCan();
  const set = useChange(discordRightsHttp.set, [discordRightsHttp.list]);
  const [roleId, setRoleId] = useState(rights?.discordRoleId ?? null);
  const [chosen, setChosen] = useState<readonly DiscordUserPermission[]>(rights?.permissions ?? []);
  const name = rights?.name ?? roles.find(({ id }) => id === roleId)?.name;

  const choose = (values: readonly string[]) => {
    const isModerator = values.includes('players.write') && !chosen.includes('players.write');
    // A moderator has to be able to find players.
    const wanted = isModerator && can('players.read') ? [...values, 'players.read'] : values;
    setChosen(discordUserPermissions.filter((one) => wanted.includes(one)));
  };
  const save = () => {
    if (roleId === null || name === undefined) return;
    set.mutate(
      { params: { id: roleId }, body: { name, permissions: [...chosen] } },
      {
        onSuccess: () => {
          notifyDone(words.saved(name));
          onClose();
        },
      },
    );
  };

  return (
    <FormDialog
      title={rights ? words.changeTitle(rights.name) : words.addTitle}
      act={words.save}
      isActing={set.isPending}
      isReady={name !== undefined && chosen.length > 0}
      error={set.error}
      onSubmit={save}
      onClose={onClose}
    >
      {!rights &&
        (roles.length === 0 ? (
          <Text>{words.noRoles}</Text>
        ) : (
          <Select
            label={words.role}
            data={roles.map(({ id, name: label }) => ({ value: id, label }))}
            value={roleId}
            onChange={setRoleId}
            searchable
            data-autofocus
          />
        ))}
      <Checkbox.Group label={words.may} value={[...chosen]} onChange={choose}>
        <Stack gap="xs" mt="xs">
          {discordUserPermissions.map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              label={names[permission]}
              description={can(permission) ? words.commands[permission] : words.notYours}
              disabled={!can(permission)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
};

type Doing =
  | { readonly act: 'add' }
  | { readonly act: 'change' | 'remove'; readonly rights: DiscordRoleRights };

/** What each Discord role may do through the bot. */
export const RoleRightsCard = () => {
  const { rights: words } = useWords(discordWords);
  const { permissions: names } = useWords(rightsWords);
  const can = useCan();
  const [doing, setDoing] = useState<Doing | null>(null);
  const read = useRead(discordRightsHttp.list, {});
  const remove = useChange(discordRightsHttp.remove, [discordRightsHttp.list]);
  const isWriter = can('admins.write');
  const mayChange = ({ permissions }: DiscordRoleRights) =>
    isWriter && permissions.every((name) => can(name));
  const close = () => setDoing(null);

  return (
    <Card
      title={words.title}
      actions={
        isWriter && (
          <AddButton variant="default" onClick={() => setDoing({ act: 'add' })}>
            {words.add}
          </AddButton>
        )
      }
    >
      <Text c="dimmed">{words.text}</Text>
      <AsyncContent read={read}>
        {({ rows, roles }) => (
          <>
            {rows.length === 0 ? (
              <Text>{words.none}</Text>
            ) : (
              <Table aria-label={words.title}>
                <Table.Tbody>
                  {rows.map((rights) => (
                    <Table.Tr key={rights.discordRoleId}>
                      <Table.Th scope="row">{rights.name}</Table.Th>
                      <Table.Td>{rights.permissions.map((name) => names[name]).join(' · ')}</Table.Td>
                      <Table.Td>
                        {mayChange(rights) && (
                          <Group gap="xs" justify="flex-end" wrap="nowrap">
                            <ActionIcon
                              variant="subtle"
                              color="gray"
                              aria-label={words.change(rights.name)}
                              onClick={() => setDoing({ act: 'change', rights })}
                            >
                              <IconPencil size={16} aria-hidden />
                            </ActionIcon>
                            <ActionIcon
                              variant="subtle"
                              color="gray"
                              aria-label={words.remove(rights.name)}
                              onClick={() => setDoing({ act: 'remove', rights })}
                            >
                              <IconTrash size={16} aria-hidden />
                            </ActionIcon>
                          </Group>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )}
            {doing && doing.act !== 'remove' && (
              <RoleRightsForm
                rights={doing.act === 'change' ? doing.rights : null}
                roles={(roles ?? []).filter(({ id }) => !rows.some((row) => row.discordRoleId === id))}
                onClose={close}
              />
            )}
          </>
        )}
      </AsyncContent>
      {doing?.act === 'remove' && (
        <ConfirmAction
          title={words.removeQuestion(doing.rights.name)}
          act={words.removeAct}
          onAction={() => remove.mutateAsync({ params: { id: doing.rights.discordRoleId } })}
          doneText={words.removed(doing.rights.name)}
          onClose={close}
        >
          {words.removeText}
        </ConfirmAction>
      )}
    </Card>
  );
};
