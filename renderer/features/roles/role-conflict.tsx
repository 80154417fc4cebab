import { Text } from '@mantine/core';
import type { Permission } from '#contracts/permissions.ts';
import type { Role } from '#contracts/roles.ts';
import { rightsWords } from '../../access/rights.words.ts';
import { ConflictNotice } from '../../design/conflict-notice.tsx';
import { type Fact, Facts } from '../../design/facts.tsx';
import { useWords } from '../../language/use-words.ts';
import { rolesWords } from './roles.words.ts';

export interface RoleConflictProps {
  readonly theirs: Role;
  readonly mine: Pick<Role, 'name'> & { readonly permissions: readonly Permission[] };
  readonly isSaving: boolean;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}

/** Another admin's changes to a role, as far as they differ from what is typed here. */
export const RoleConflict = ({ theirs, mine, ...choice }: RoleConflictProps) => {
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
    <ConflictNotice title={words.title} {...choice}>
      <Text>{facts.length > 0 ? words.text : words.same}</Text>
      <Facts facts={facts} />
    </ConflictNotice>
  );
};
