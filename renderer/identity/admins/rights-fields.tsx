import { ActionIcon, Group, Select, Stack, Text, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ServerGrant } from '#contracts/identity/admins.ts';
import { type Role, rolesHttp } from '#contracts/identity/roles.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { isBuiltInRole, useRoleName } from '../access/use-role-name.ts';
import { rightsWords } from '../rights.words.ts';
import classes from './admins.module.css';
import { adminsWords } from './admins.words.ts';
import { mayGive } from './within-mine.ts';

export interface Rights {
  readonly role: string | null;
  readonly serverGrants: readonly ServerGrant[];
}

/** Otherwise a list in a dialog briefly widens the page on a phone, and the two push each other back and forth. */

/** Mantine's options are texts; this one means none. */
const noRole = '';

/**
 * The role that applies everywhere, and the roles for single servers. Roles that the person may not give are shown but
 * cannot be chosen.
 */
export const RightsFields = (props: {
  readonly value: Rights;
  readonly isReadOnly?: boolean;
  readonly onChange: (value: Rights) => void;
}) => {
  const { value, isReadOnly = false, onChange } = props;
  const words = useWords(adminsWords);
  const { roleAbout } = useWords(rightsWords);
  const can = useCan();
  const nameOf = useRoleName();
  const { data: read } = useRead(rolesHttp.list, {});
  const isRead = read !== undefined;
  const roles = read?.rows ?? [];
  const enabled = can.somewhere('servers.read');
  const servers =
    useRead(gameServersHttp.list, { query: { archived: 'true' } }, { enabled }).data?.rows ?? [];
  const { role, serverGrants } = value;

  const optionsFor = (given: string | null, serverId?: string) => {
    const known = roles.map((each: Role) => {
      const isGivable = mayGive(can, each, serverId);
      return {
        value: each.id,
        label: isGivable ? nameOf(each) : `${nameOf(each)} (${words.cannotGive})`,
        disabled: !isGivable && each.id !== given,
      };
    });
    const isGone = isRead && given !== null && roles.every(({ id }) => id !== given);
    return isGone ? [...known, { value: given, label: words.unknownRole, disabled: true }] : known;
  };
  const serverName = (id: string) => servers.find((server) => server.id === id)?.name ?? words.goneServer;
  /** The role that a new grant starts with. */
  const firstRole = (serverId: string) =>
    ['moderator', 'viewer', ...roles.map(({ id }) => id)].find((id) => {
      const found = roles.find((each) => each.id === id);
      return found && mayGive(can, found, serverId);
    });
  const free = servers.filter(
    ({ id, archivedAt }) =>
      archivedAt === null &&
      !serverGrants.some(({ serverId }) => serverId === id) &&
      firstRole(id) !== undefined,
  );
  const setGrants = (grants: readonly ServerGrant[]) => onChange({ role, serverGrants: grants });
  const add = (serverId: string) => {
    const given = firstRole(serverId);
    if (given) setGrants([...serverGrants, { serverId, role: given }]);
  };
  const about = role === null ? words.noRoleAbout : isBuiltInRole(role) ? roleAbout[role] : null;

  return (
    <Stack gap="md">
      <Select
        label={words.role}
        description={about}
        data={[{ value: noRole, label: words.noRole }, ...optionsFor(role)]}
        value={role ?? noRole}
        onChange={(next) => onChange({ role: next || null, serverGrants })}
        allowDeselect={false}
        disabled={isReadOnly}
      />
      <section aria-label={words.grants} className={classes.grants}>
        <Text fw={600} size="sm">
          {words.grants}
        </Text>
        <Text size="sm" c="dimmed">
          {serverGrants.length === 0 ? words.noGrants : words.grantsAbout}
        </Text>
        {serverGrants.map(({ serverId, role: given }) => (
          <Group key={serverId} gap="xs" wrap="nowrap" align="flex-end">
            <Select
              label={<bdi>{serverName(serverId)}</bdi>}
              aria-label={`${words.roleThere}: ${serverName(serverId)}`}
              className={classes.grow}
              data={optionsFor(given, serverId)}
              value={given}
              onChange={(next) =>
                next &&
                setGrants(
                  serverGrants.map((grant) =>
                    grant.serverId === serverId ? { serverId, role: next } : grant,
                  ),
                )
              }
              allowDeselect={false}
              disabled={isReadOnly}
            />
            {!isReadOnly && (
              <Tooltip label={words.removeGrant(serverName(serverId))}>
                <ActionIcon
                  variant="default"
                  size={36}
                  aria-label={words.removeGrant(serverName(serverId))}
                  onClick={() => setGrants(serverGrants.filter((grant) => grant.serverId !== serverId))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
        ))}
        {!isReadOnly && free.length > 0 && (
          <Select
            // Mounted again after each choice, so that it is empty.
            key={serverGrants.length}
            aria-label={words.addGrant}
            placeholder={words.addGrant}
            leftSection={<IconPlus size={16} aria-hidden />}
            data={free.map(({ id, name }) => ({ value: id, label: name }))}
            value={null}
            onChange={(id) => id && add(id)}
            searchable
          />
        )}
      </section>
    </Stack>
  );
};
