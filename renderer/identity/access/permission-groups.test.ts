import { expect, test } from 'vitest';
import { builtInRoles } from '#contracts/identity/permissions.ts';
import { permissionGroups } from './permission-groups.ts';

// Guarantee: every permission that a person can hold can be chosen exactly once, and none that only a machine may hold.
test('the groups hold all permissions of people', () => {
  const shown = permissionGroups.flatMap(({ permissions }) => permissions);
  expect([...shown].sort()).toEqual([...builtInRoles.owner].sort());
});
