import { List, Stack, Text, Title } from '@mantine/core';
import type { Permission } from '#contracts/permissions.ts';
import { useMe } from '../../access/access-state.ts';
import { permissionGroups } from '../../access/permission-groups.ts';
import { rightsWords } from '../../access/rights.words.ts';
import { useRoleLabel } from '../../access/use-role-label.ts';
import { Card } from '../../design/card.tsx';
import { useWords } from '../../language/use-words.ts';
import classes from './profile.module.css';
import { profileWords } from './profile.words.ts';

/** The person's own account, and what they may do. */
export const RightsCard = () => {
  const words = useWords(profileWords);
  const me = useMe();
  const standing = useRoleLabel(me);
  const onServers = Object.values(me.serverPermissions).filter((held) => held.length > 0);
  const only = [...new Set(onServers.flat())].filter((permission) => !me.permissions.includes(permission));
  return (
    <Card title={words.you}>
      <dl className={classes.facts}>
        <dt>{words.name}</dt>
        <dd>
          <bdi>{me.name}</bdi>
        </dd>
        <dt>{words.standing}</dt>
        <dd>{standing}</dd>
      </dl>
      <Title order={3}>{words.rights}</Title>
      {me.permissions.length === 0 && only.length === 0 && <Text>{words.nothing}</Text>}
      {me.permissions.length > 0 && <Rights held={me.permissions} />}
      {only.length > 0 && (
        <Stack gap="xs">
          <Text fw={600}>{words.onServers(onServers.length)}</Text>
          <Rights held={only} />
        </Stack>
      )}
    </Card>
  );
};

const Rights = ({ held }: { readonly held: readonly Permission[] }) => {
  const words = useWords(rightsWords);
  const groups = permissionGroups.map(({ name, permissions }) => {
    const mine = permissions.filter((permission) => held.includes(permission));
    if (mine.length === 0) return null;
    return (
      <div key={name}>
        <Text c="dimmed" size="sm">
          {words.groups[name]}
        </Text>
        <List size="md" spacing={2}>
          {mine.map((permission) => (
            <List.Item key={permission}>{words.permissions[permission]}</List.Item>
          ))}
        </List>
      </div>
    );
  });
  return <div className={classes.rights}>{groups}</div>;
};
