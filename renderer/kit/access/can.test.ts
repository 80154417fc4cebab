import { expect, test } from 'vitest';
import { canOf } from './can.ts';

// Guarantee: a permission on one server opens that server and what needs it on any server, and nothing else.
test('rights on single servers', () => {
  const can = canOf({ permissions: ['events.read'], serverPermissions: { one: ['console.write'] } });
  expect(can('events.read')).toBe(true);
  expect(can('events.read', 'one')).toBe(true);
  expect(can('console.write')).toBe(false);
  expect(can('console.write', 'one')).toBe(true);
  expect(can('console.write', 'two')).toBe(false);
  expect(can.somewhere('console.write')).toBe(true);
  expect(can.somewhere('console.read')).toBe(false);
});
