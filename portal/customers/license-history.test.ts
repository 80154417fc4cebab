import { expect, test } from 'vitest';
import { languages } from '#contracts/kernel/language.ts';
import { licenseEventKinds } from '../database/stored-values.ts';
import { tellHistory } from './license-history.ts';

const at = new Date('2026-03-01T12:00:00Z');
const hwid = `sha256:${'ab'.repeat(32)}`;

// Guarantee: a license's owner can read in words what happened to it, without a name, a whole HWID or an id.
test.each(licenseEventKinds)('%s is told', (kind) => {
  const data = { hwid, from: hwid, to: hwid, instanceId: 'instance-1', by: 'a person' };
  const told = languages.map((language) => tellHistory([{ kind, actor: 'vendor', data, at }], language)[0]);
  for (const { text } of told.map((entry) => entry ?? { text: '' })) {
    expect(text).toMatch(/^[A-Z].*[^.]$/);
    expect(text).not.toMatch(/instance-1|a person|undefined|null|[0-9a-f]{20}/);
  }
  expect(told[0]?.text).not.toBe(told[1]?.text);
});

// Guarantee: the history says what an extension gave, regardless of who made it.
test('an extension', () => {
  const data = { to: { expiresAt: '2027-01-31T00:00:00.000Z' } };
  const event = { kind: 'extended', actor: 'gateway', data, at } as const;
  expect(tellHistory([event], 'en')).toEqual([
    { at: at.toISOString(), text: 'Extended by the payment service until Jan 31, 2027' },
  ]);
  expect(tellHistory([event], 'pt-BR')).toEqual([
    { at: at.toISOString(), text: 'Prorrogada pelo serviço de pagamento até 31 de jan. de 2027' },
  ]);
});
