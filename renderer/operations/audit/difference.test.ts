// Guarantee: an action's changes are listed field by field, nothing is left out, and a secret is never shown as if its
// mask were its value.
import { expect, it } from 'vitest';
import { differenceOf } from './difference.ts';

const told = (...given: Parameters<typeof differenceOf>) =>
  differenceOf(...given).map(({ field, kind }) => `${kind} ${field}`);

it('tells changed, added and removed fields, and the same ones last', () => {
  const before = { name: 'Fjord', port: 1, host: 'a', gone: true };
  const after = { name: 'Fjord', port: 2, host: 'a', fresh: 'x' };
  expect(told(before, after)).toEqual([
    'added fresh',
    'removed gone',
    'changed port',
    'same host',
    'same name',
  ]);
  expect(differenceOf(before, after).find(({ field }) => field === 'port')).toMatchObject({
    before: 1,
    after: 2,
  });
});

it('tells a beginning and an end whole', () => {
  expect(told(null, { name: 'a', host: null })).toEqual(['added host', 'added name']);
  expect(told({ name: 'a' }, null)).toEqual(['removed name']);
  expect(told(null, null)).toEqual([]);
  expect(told(undefined, 'word')).toEqual(['added ']);
});

it('goes into what lies deeper, and takes lists whole', () => {
  const grants = (role: string) => ({
    serverGrants: [{ serverId: 's', role }],
    permissions: ['a', 'b'],
    limits: { perDay: 1, role },
  });
  expect(told(grants('viewer'), grants('owner'))).toEqual([
    'changed limits.role',
    'changed serverGrants',
    'same limits.perDay',
    'same permissions',
  ]);
});

it.each(['password', 'rcon.password', 'botToken', 'webhookSecret', 'curseforgeApiKey'])(
  'never tells %s',
  (name) => {
    const [field = '', inner] = name.split('.');
    const value = inner === undefined ? 'hunter2' : { [inner]: 'hunter2' };
    expect(differenceOf(null, { [field]: value })).toMatchObject([{ field: name, isMasked: true }]);
  },
);

it('tells null from absent, and an empty list from none', () => {
  expect(told({ a: null, b: [] }, { b: [] })).toEqual(['removed a', 'same b']);
});

it('ends at a bounded depth, with the rest as one value', () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 1000; level += 1) deep = { in: deep };
  expect(told(null, deep)).toEqual(['added in.in.in.in']);
});

it('knows masked values by their field and by their look', () => {
  const secretFields = new Set(['botToken']);
  expect(differenceOf({}, { botToken: 'changed', guildId: '1' }, { secretFields })).toMatchObject([
    { field: 'botToken', isMasked: true, kind: 'changed' },
    { field: 'guildId', isMasked: false, kind: 'added' },
  ]);
  expect(differenceOf({ password: '***' }, { password: '***' })).toMatchObject([
    { isMasked: true, kind: 'changed' },
  ]);
});
