import { expect, test } from 'vitest';
import { builtInRoles } from '#contracts/identity/permissions.ts';
import type { Role } from '#contracts/identity/roles.ts';
import { canOf } from '../../kit/access/can.ts';
import { isWithinMine, mayGive } from './within-mine.ts';

const roleOf = (id: keyof typeof builtInRoles): Role => ({
  id,
  name: id,
  builtIn: true,
  permissions: [...builtInRoles[id]],
  version: 1,
});
const roles = (['owner', 'admin', 'moderator', 'viewer'] as const).map(roleOf);
const owner = canOf({ permissions: [...builtInRoles.owner], serverPermissions: {} });
const keeper = canOf({
  permissions: ['admins.read', 'admins.write', ...builtInRoles.viewer],
  serverPermissions: { here: ['console.write', 'players.write'] },
});

// Guarantee: the panel offers to give, and to change in others, exactly what the API would allow.
test('nobody reaches beyond their own rights', () => {
  expect(roles.map((role) => mayGive(owner, role))).toEqual([true, true, true, true]);
  expect(roles.map((role) => mayGive(keeper, role))).toEqual([false, false, false, true]);
  const moderator = roleOf('moderator');
  expect([mayGive(keeper, moderator, 'here'), mayGive(keeper, moderator, 'there')]).toEqual([true, false]);
  const granted = (serverId: string) => ({ role: null, serverGrants: [{ serverId, role: 'moderator' }] });
  expect(isWithinMine(keeper, granted('here'), roles)).toBe(true);
  expect(isWithinMine(keeper, granted('there'), roles)).toBe(false);
  expect(isWithinMine(keeper, { role: 'owner', serverGrants: [] }, roles)).toBe(false);
  expect(isWithinMine(keeper, { role: 'gone', serverGrants: [] }, roles)).toBe(true);
});
