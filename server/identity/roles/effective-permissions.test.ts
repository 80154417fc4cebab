import { expect, test } from 'vitest';
import { builtInRoles, type Permission } from '#contracts/identity/permissions.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import { beyond, effectivePermissionsOf, permissionsOf } from './effective-permissions.ts';

const custom = (...permissions: string[]) => ({ id: 'a-role-of-ones-own', permissions });
const holder = (powers: ReturnType<typeof effectivePermissionsOf>): Actor => ({
  kind: 'admin',
  id: 'x',
  name: 'x',
  ...powers,
});

// Guarantee: a role gives no more than this version knows, and never what is reserved for the stack's own components.
test('unknown and machine permissions are left out of a role', () => {
  expect(permissionsOf(custom('events.read', 'bot.report', 'gone.read'))).toEqual(['events.read']);
  expect(permissionsOf({ id: 'owner', permissions: null })).toBe(builtInRoles.owner);
});

// Guarantee: a grant for one server gives the permissions that exist per server, there and nowhere else.
test('a role for one server', () => {
  const actor = holder(
    effectivePermissionsOf(null, [{ ...custom('console.read', 'settings.write'), serverId: 's1' }]),
  );
  expect(may(actor, 'console.read', 's1')).toBe(true);
  expect(may(actor, 'console.read', 's2')).toBe(false);
  expect(may(actor, 'console.read')).toBe(false);
  expect(may(actor, 'console.write', 's1')).toBe(false);
  expect(may(actor, 'settings.write', 's1')).toBe(false);
});

// Guarantee: permissions that actors do not hold themselves are found, wherever they are requested.
test('beyond', () => {
  const actor = holder(
    effectivePermissionsOf(custom('events.read', 'players.read'), [
      { ...custom('console.read'), serverId: 's1' },
    ]),
  );
  const asks = (everywhere: Permission[], servers: Record<string, Permission[]> = {}) =>
    beyond(actor, {
      permissions: new Set(everywhere),
      serverPermissions: new Map(Object.entries(servers).map(([id, names]) => [id, new Set(names)])),
    });
  expect(asks(['events.read', 'players.read'], { s1: ['console.read'], s2: ['players.read'] })).toEqual([]);
  expect(asks(['admins.write'])).toEqual(['admins.write']);
  expect(asks(['console.read'])).toEqual(['console.read']);
  expect(asks([], { s2: ['console.read'], s1: ['console.write'] })).toEqual([
    'console.read',
    'console.write',
  ]);
});
