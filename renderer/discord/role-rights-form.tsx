import { Checkbox, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type DiscordRoleRights, discordRightsHttp } from '#contracts/discord/discord-rights.ts';
import { type DiscordUserPermission, discordUserPermissions } from '#contracts/identity/permissions.ts';
import { rightsWords } from '../identity/rights.words.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useChange } from '../kit/api/queries.ts';
import { FormDialog } from '../kit/design/form-dialog.tsx';
import { notifyDone } from '../kit/design/notify.ts';
import { useWords } from '../kit/language/use-words.ts';
import { discordWords } from './discord.words.ts';

interface RoleRightsFormProps {
  /** Null: a role is still to be chosen. */
  readonly rights: DiscordRoleRights | null;
  /** The roles of the Discord server without permissions yet. */
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

export const RoleRightsForm = ({ rights, roles, onClose }: RoleRightsFormProps) => {
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
