import { Badge, Group } from '@mantine/core';
import type { Admin } from '#contracts/admins.ts';
import { useMe } from '../../access/access-state.ts';
import { useWords } from '../../language/use-words.ts';
import { adminsWords } from './admins.words.ts';

/** A name, marked if it is the reader's own. */
export const AdminName = ({ admin }: { readonly admin: Pick<Admin, 'id' | 'name'> }) => {
  const words = useWords(adminsWords);
  const me = useMe();
  return (
    <Group gap="xs" component="span" wrap="nowrap">
      <bdi>{admin.name}</bdi>
      {admin.id === me.id && (
        <Badge size="sm" variant="light" component="span" tt="none">
          {words.you}
        </Badge>
      )}
    </Group>
  );
};
