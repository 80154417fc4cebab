import { Stack } from '@mantine/core';
import { useCan } from '../../access/access-state.ts';
import { RoleRightsCard } from './role-rights-card.tsx';

/** What Discord's roles mean here. */
export const RolesSection = () => {
  const can = useCan();
  return <Stack gap="md">{can('admins.read') && <RoleRightsCard />}</Stack>;
};
