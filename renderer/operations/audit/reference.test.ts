// Guarantee: a reference in an audit row leads to its page and nowhere else, whatever its name contains.
import { expect, it } from 'vitest';
import { pageOfReference, referenceIn } from './reference.ts';
import { secretFieldsOf } from './secret-fields.ts';

it.each([
  ['server:abc', '/servers/abc'],
  ['admin:a:b/../c?x', '/admins/a%3Ab%2F..%2Fc%3Fx'],
  ['settings:discord', '/settings/discord'],
  ['job:mods:7', '/queues/mods'],
  ['product:p', '/store/p'],
  ['operator', null],
  ['constructor:x', null],
  ['', null],
])('%s leads to %s', (text, address) => {
  expect(pageOfReference(referenceIn(text))?.address ?? null).toBe(address);
});

it('knows the secret fields of a section of the settings, and of nothing else', () => {
  expect(secretFieldsOf('settings:constructor').size).toBe(0);
  expect(secretFieldsOf('settings:general').size).toBe(0);
  expect(secretFieldsOf('server:general').size).toBe(0);
  expect(secretFieldsOf('settings:external-services')).toContain('curseforgeApiKey');
});
