import { Stack } from '@mantine/core';
import { useCan } from '../../access/access-state.ts';
import { RoleLinksCard } from './role-links-card.tsx';
import { RoleRightsCard } from './role-rights-card.tsx';

/** The meaning of Discord's roles here. */
export const RolesSection = () => {
  const can = useCan();
  return (
    <Stack gap="md">
      <RoleLinksCard />
      {can('admins.read') && <RoleRightsCard />}
    </Stack>
  );
};
