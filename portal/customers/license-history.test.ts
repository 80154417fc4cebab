import { expect, test } from 'vitest';
import { licenseEventKinds } from '../licenses/licenses.tables.ts';
import { tellHistory } from './license-history.ts';

const at = new Date('2026-03-01T12:00:00Z');
const hwid = `sha256:${'ab'.repeat(32)}`;

// Guarantee: whatever happens to a license, its owner reads of it in words, without a name, a whole HWID or an id.
test.each(licenseEventKinds)('%s is told', (kind) => {
  const data = { hwid, from: hwid, to: hwid, instanceId: 'instance-1', by: 'a person' };
  const [told] = tellHistory([{ kind, actor: 'vendor', data, at }]);
  expect(told?.text).toMatch(/^[A-Z].*[^.]$/);
  expect(told?.text).not.toMatch(/instance-1|a person|undefined|null|[0-9a-f]{20}/);
});

// Guarantee: what an extension gave is told, by whomever it came.
test('an extension', () => {
  const data = { to: { expiresAt: '2027-01-31T00:00:00.000Z' } };
  expect(tellHistory([{ kind: 'extended', actor: 'gateway', data, at }])).toEqual([
    { at: at.toISOString(), text: 'Extended by the payment service until 31 Jan 2027' },
  ]);
});
