import { expect, test } from 'vitest';
import { saleStateOf } from './sale-state.ts';

const nowMs = Date.parse('2026-01-01T00:00:00.000Z');
const product = {
  notForSale: 'refused',
  archivedAt: null,
  heldAt: null,
  isEnabled: true,
  limits: {},
  stock: null,
  notes: [],
};
const note = (kind: 'unknown-item' | 'unconfirmed-item' | 'unapproved' | 'approval-ended') => [
  { position: 0, kind, detail: '', reason: null },
];

// Guarantee: only the API decides that something can be bought, and the obstacle to buying it is named.
test.each([
  ['selling', { notForSale: null, stock: 0 }],
  ['archived', { archivedAt: '2026-01-01T00:00:00.000Z', isEnabled: false }],
  ['held', { heldAt: '2026-01-01T00:00:00.000Z' }],
  ['off', { isEnabled: false, stock: 0 }],
  ['soon', { limits: { saleFrom: '2026-01-01T00:00:01.000Z' } }],
  ['over', { limits: { saleUntil: '2026-01-01T00:00:00.000Z' } }],
  ['sold-out', { stock: 0 }],
  ['untested', { notes: note('unconfirmed-item') }],
  ['unapproved', { notes: note('unapproved') }],
  ['unapproved', { notes: note('approval-ended') }],
  ['other', { notes: note('unknown-item') }],
  ['other', { limits: { saleFrom: '2025-12-31T00:00:00.000Z' } }],
] as const)('%s', (state, facts) =>
  expect(
    saleStateOf({ ...product, ...facts, notes: [...('notes' in facts ? facts.notes : [])] }, nowMs),
  ).toBe(state),
);
