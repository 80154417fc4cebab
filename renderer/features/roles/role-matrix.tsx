import { Table, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconMinus, IconServer2 } from '@tabler/icons-react';
import { Fragment } from 'react';
import { permissions } from '#contracts/permissions.ts';
import type { Role } from '#contracts/roles.ts';
import { permissionGroups } from '../../access/permission-groups.ts';
import { rightsWords } from '../../access/rights.words.ts';
import { useRoleName } from '../../access/use-role-name.ts';
import { Card } from '../../design/card.tsx';
import { useWords } from '../../language/use-words.ts';
import classes from './roles.module.css';
import { rolesWords } from './roles.words.ts';

/** Every permission next to every role. */
export const RoleMatrix = ({ roles }: { readonly roles: readonly Role[] }) => {
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
