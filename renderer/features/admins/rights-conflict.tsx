import { Text } from '@mantine/core';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { rolesHttp } from '#contracts/roles.ts';
import { useCan } from '../../access/access-state.ts';
import { useRoleName } from '../../access/use-role-name.ts';
import { ConflictNotice } from '../../design/conflict-notice.tsx';
import { Facts } from '../../design/facts.tsx';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import { adminsWords } from './admins.words.ts';
import type { Collision } from './rights-draft.ts';

export interface RightsConflictProps {
  readonly collisions: readonly Collision[];
  readonly isSaving: boolean;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}

/** Another admin's changes to this admin, next to the values typed here. */
export const RightsConflict = ({ collisions, ...choice }: RightsConflictProps) => {
  const words = useWords(adminsWords);
  const nameOf = useRoleName();
  const enabled = useCan().somewhere('servers.read');
  const roles = useRead(rolesHttp.list, {}).data?.rows ?? [];
  const servers =
    useRead(gameServersHttp.list, { query: { archived: 'true' } }, { enabled }).data?.rows ?? [];

  const labelOf = (collision: Collision): string => {
    if (collision.field !== 'grant') return words[collision.field];
    return servers.find(({ id }) => id === collision.serverId)?.name ?? words.goneServer;
  };
  const textOf = (field: Collision['field'], value: string | null): string => {
    if (field === 'name') return value ?? '';
    if (value === null) return field === 'role' ? words.noRole : words.noGrant;
    const role = roles.find(({ id }) => id === value);
    return role ? nameOf(role) : words.unknownRole;
  };

  return (
    <ConflictNotice title={words.conflict.title} {...choice}>
      <Text>{words.conflict.text}</Text>
      <Facts
        facts={collisions.map((collision) => ({
          label: <bdi>{labelOf(collision)}</bdi>,
          value: (
            <>
              {words.conflict.theirs}: <bdi>{textOf(collision.field, collision.theirs)}</bdi>
              <br />
              {words.conflict.yours}: <bdi>{textOf(collision.field, collision.mine)}</bdi>
            </>
          ),
        }))}
      />
    </ConflictNotice>
  );
};
