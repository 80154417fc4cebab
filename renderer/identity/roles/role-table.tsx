import { ActionIcon, Group, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconLock, IconPencil, IconTrash } from '@tabler/icons-react';
import { builtInRoles } from '#contracts/identity/permissions.ts';
import type { Role } from '#contracts/identity/roles.ts';
import { Card } from '../../kit/design/card.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { isBuiltInRole, useRoleName } from '../access/use-role-name.ts';
import { rightsWords } from '../rights.words.ts';
import classes from './roles.module.css';
import { rolesWords } from './roles.words.ts';

const all = builtInRoles.owner.length;

export const RoleTable = (props: {
  readonly roles: readonly Role[];
  /** Null while unknown. */
  readonly holders: (role: Role) => number | null;
  readonly isWriter: boolean;
  readonly mayChange: (role: Role) => boolean;
  readonly onEdit: (role: Role) => void;
  readonly onRemove: (role: Role) => void;
}) => {
  const { roles, holders, isWriter, mayChange, onEdit, onRemove } = props;
  const words = useWords(rolesWords);
  const { roleAbout } = useWords(rightsWords);
  const nameOf = useRoleName();
  return (
    <Card title={words.list}>
      <Table.ScrollContainer
        minWidth={0}
        scrollAreaProps={{ offsetScrollbars: 'present', viewportProps: { tabIndex: 0 } }}
      >
        <Table aria-label={words.list} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.name}</Table.Th>
              <Table.Th scope="col" visibleFrom="sm">
                {words.kind}
              </Table.Th>
              <Table.Th scope="col" visibleFrom="sm">
                {words.permissions}
              </Table.Th>
              <Table.Th scope="col" className={classes.whole}>
                {words.admins}
              </Table.Th>
              {isWriter && (
                <Table.Th scope="col">
                  <VisuallyHidden>{words.actions}</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {roles.map((role) => (
              <Table.Tr key={role.id}>
                <Table.Th scope="row" fw={400}>
                  <Text fw={600} component="span">
                    <bdi>{nameOf(role)}</bdi>
                  </Text>
                  {isBuiltInRole(role.id) && (
                    <Text size="sm" c="dimmed">
                      {roleAbout[role.id]}
                    </Text>
                  )}
                </Table.Th>
                <Table.Td visibleFrom="sm" className={classes.whole}>
                  {role.builtIn ? words.builtIn : words.own}
                </Table.Td>
                <Table.Td visibleFrom="sm" className={classes.whole}>
                  {words.of(role.permissions.length, all)}
                </Table.Td>
                <Table.Td>{holders(role) ?? '…'}</Table.Td>
                {isWriter && (
                  <Table.Td>
                    {mayChange(role) ? (
                      <Group gap={4} wrap="nowrap" justify="flex-end">
                        <Tooltip label={words.change}>
                          <ActionIcon
                            variant="subtle"
                            color="gray"
                            aria-label={words.changeOf(role.name)}
                            onClick={() => onEdit(role)}
                          >
                            <IconPencil size={16} aria-hidden />
                          </ActionIcon>
                        </Tooltip>
                        <Tooltip label={words.remove}>
                          <ActionIcon
                            variant="subtle"
                            color="gray"
                            aria-label={words.removeOf(role.name)}
                            onClick={() => onRemove(role)}
                          >
                            <IconTrash size={16} aria-hidden />
                          </ActionIcon>
                        </Tooltip>
                      </Group>
                    ) : (
                      !role.builtIn && (
                        <Tooltip label={words.beyondYou}>
                          <IconLock size={16} role="img" aria-label={words.beyondYou} />
                        </Tooltip>
                      )
                    )}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
};
