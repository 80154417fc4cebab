// Guarantee: a change is described in words: old and new, what a list gained and lost, on and off, times, points and
// names; for a secret, nothing but that it was changed.
import { expect, it } from 'vitest';
import { formatFor } from '#contracts/kernel/format.ts';
import { differenceOf } from './difference.ts';
import { type Teller, tellChange } from './tell-change.ts';

const teller: Teller = {
  format: formatFor('en'),
  fieldName: (field) => (field === 'serverId' ? 'Server' : null),
  meaning: (field, text) => (field === 'serverIds' && text === 's' ? 'Fjordur' : null),
  words: {
    on: 'on',
    off: 'off',
    nothing: '–',
    points: (count) => `${count} points`,
    masked: 'hidden',
    maskedChanged: 'changed',
    maskedCleared: 'cleared',
  },
};
const told = (before: unknown, after: unknown) =>
  differenceOf(before, after).map((change) => tellChange(change, teller));

it.each([
  [{ name: 'a' }, { name: 'b' }, { label: 'Name', before: 'a', after: 'b' }],
  [{ isEnabled: false }, { isEnabled: true }, { label: 'Enabled', before: 'off', after: 'on' }],
  [{ price: 1000 }, { price: 25_000 }, { before: '1,000 points', after: '25,000 points' }],
  [{ port: 25_565 }, { port: 27_015 }, { before: '25565', after: '27015' }],
  [{ fileBytes: 1 }, { fileBytes: 2_000_000 }, { label: 'File bytes', after: '2 MB' }],
  [{ countdownSeconds: 60 }, { countdownSeconds: 90 }, { before: '1m', after: '1m 30s' }],
  [{ host: null }, { host: '10.0.0.1' }, { before: '–', after: '10.0.0.1' }],
  [
    { serverIds: ['s', 'gone'] },
    { serverIds: ['gone', 'new'] },
    { kind: 'list', added: ['new'], removed: ['Fjordur'], isMoved: false },
  ],
  [{ ids: ['a', 'b'] }, { ids: ['b', 'a'] }, { kind: 'list', added: [], removed: [], isMoved: true }],
  [{ ids: ['a', 'a'] }, { ids: ['a'] }, { kind: 'list', added: [], removed: ['a'] }],
  [
    { grants: [{ serverId: 's', role: 'viewer' }] },
    { grants: [{ serverId: 's', role: 'admin' }] },
    { kind: 'list', added: ['Server: s, Role: admin'], removed: ['Server: s, Role: viewer'] },
  ],
  [
    { limits: { perDay: 1 } },
    { limits: { perDay: 2 } },
    { label: 'Limits › Per day', before: '1', after: '2' },
  ],
  [{ password: 'changed' }, { password: 'hunter2' }, { kind: 'masked', says: 'hidden' }],
  [null, { botToken: 'changed' }, { kind: 'masked', says: 'changed' }],
  [null, { name: 'a' }, { kind: 'added', value: 'a' }],
  [{ name: 'a' }, null, { kind: 'removed', value: 'a' }],
])('%j to %j', (before, after, expected) => {
  expect(told(before, after)).toMatchObject([expected]);
});

it('tells times as this device has them', () => {
  const [change] = told(null, { until: '2026-05-06T07:08:09.000Z' });
  expect(change).toMatchObject({ value: expect.stringMatching(/2026.*:08:09/) });
});
