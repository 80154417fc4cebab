import { Select, Text } from '@mantine/core';
import { discordRolesHttp } from '#contracts/discord/discord-roles.ts';
import { useRead } from '../../kit/api/queries.ts';
import { OptionLines } from '../../kit/forms/option-lines.tsx';
import { reasonsWords } from '../../kit/language/reasons.words.ts';
import { useWords } from '../../kit/language/use-words.ts';
import type { RoleFields } from './product-draft.ts';
import { storeWords } from './store.words.ts';

interface RoleFieldsProps {
  readonly line: RoleFields;
  readonly onChange: (line: RoleFields) => void;
}

/** Roles that cannot be given are shown with the reason, because otherwise people would look for them in vain. */
export const RoleFieldsView = ({ line, onChange }: RoleFieldsProps) => {
  const words = useWords(storeWords);
  const reasons = useWords(reasonsWords);
  const read = useRead(discordRolesHttp.roles, {});
  const roles = (read.data?.roles ?? []).filter(({ obstacle }) => obstacle !== 'role-everyone');
  const isListed = roles.some(({ id }) => id === line.roleId);
  const chosen =
    line.roleId !== '' && !isListed ? [{ id: line.roleId, name: line.roleName, obstacle: null }] : [];
  const obstacles = new Map(roles.map(({ id, obstacle }) => [id, obstacle]));
  return (
    <>
      <Select
        label={words.role}
        description={words.roleHelp}
        data={[...chosen, ...roles].map(({ id, name, obstacle }) => ({
          value: id,
          label: `@${name}`,
          disabled: obstacle !== null,
        }))}
        renderOption={({ option }) => {
          const obstacle = obstacles.get(option.value);
          return <OptionLines name={option.label} note={obstacle && reasons[obstacle]} />;
        }}
        value={line.roleId === '' ? null : line.roleId}
        onChange={(roleId) => {
          const role = roles.find(({ id }) => id === roleId);
          if (role) onChange({ ...line, roleId: role.id, roleName: role.name });
        }}
        searchable
        required
        allowDeselect={false}
        openOnFocus={false}
      />
      {read.data?.roles === null && (
        <Text size="sm" role="status">
          {words.roleBotAway}
        </Text>
      )}
    </>
  );
};
