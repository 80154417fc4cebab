import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decideTransfer,
  freeTransferDays,
  nextFreeTransfer,
  priceOfTransfer,
  type TransferFacts,
} from './transfer-rules.ts';

const dayMs = 86_400_000;
const now = new Date('2026-03-01T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
const [oldMachine, newMachine, typo] = ['sha256:aa', 'sha256:bb', 'sha256:cc'];
const facts: TransferFacts = {
  status: 'active',
  expiresAt: null,
  boundHwid: oldMachine,
  pending: null,
  lastFreeAt: null,
  grants: 0,
};
const pending = { id: '7', toHwid: typo };
const decide = (changed: Partial<TransferFacts>, hwid = newMachine, replaces: string | null = null) =>
  decideTransfer({ ...facts, ...changed }, hwid, replaces, now);

// Guarantee: each state of a license has one answer, and the first reason that applies is the one that is given.
test.each<[string, Partial<TransferFacts>, string, object]>([
  ['a first transfer', {}, newMachine, { outcome: 'open' }],
  ['suspended', { status: 'suspended' }, newMachine, { outcome: 'refuse', reason: 'suspended' }],
  ['revoked', { status: 'revoked' }, newMachine, { outcome: 'refuse', reason: 'revoked' }],
  ['expired', { expiresAt: now }, newMachine, { outcome: 'refuse', reason: 'expired' }],
  ['not yet expired', { expiresAt: new Date(now.getTime() + 1) }, newMachine, { outcome: 'open' }],
  ['revoked and used up', { status: 'revoked', lastFreeAt: now }, newMachine, { reason: 'revoked' }],
  ['not bound', { boundHwid: null }, newMachine, { outcome: 'refuse', reason: 'not-bound' }],
  ['the same machine', {}, oldMachine, { outcome: 'refuse', reason: 'same-machine' }],
  ['the same one again', { pending: { id: '7', toHwid: newMachine } }, newMachine, { outcome: 'unchanged' }],
  ['unseen pending', { pending }, newMachine, { outcome: 'refuse', reason: 'pending-changed' }],
  ['a grant', { lastFreeAt: daysAgo(1), grants: 1 }, newMachine, { outcome: 'open' }],
])('%s', (_name, changed, hwid, expected) => {
  expect(decide(changed, hwid)).toMatchObject(expected);
});

// Guarantee: a mistyped HWID is corrected for free, even when no free transfer is left, but only by someone who has seen it.
test('a pending transfer can be corrected', () => {
  const used = { pending, lastFreeAt: daysAgo(1) };
  expect(decide(used, newMachine, '7')).toEqual({ outcome: 'correct' });
  expect(decide(used, newMachine, '6')).toMatchObject({ reason: 'pending-changed' });
  expect(decide({}, newMachine, '7')).toMatchObject({ reason: 'pending-changed' });
});

// Guarantee: the next transfer is free exactly 30 days after the last free one; the refusal names that moment.
test('one free transfer in 30 days', () => {
  const almost = new Date(daysAgo(freeTransferDays).getTime() + 1);
  const nextFreeAt = new Date(now.getTime() + 1);
  expect(decide({ lastFreeAt: almost })).toEqual({ outcome: 'refuse', reason: 'too-soon', nextFreeAt });
  expect(decide({ lastFreeAt: daysAgo(freeTransferDays) })).toEqual({ outcome: 'open' });
});

// Guarantee: whatever happened before, free transfers are at least 30 days apart, and every other one costs a grant.
test('free transfers keep their distance', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 45 * dayMs }), { maxLength: 30 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 0, max: 5 }), (waits, granted) => {
      let [at, lastFreeAt, grants] = [now, null as Date | null, granted];
      const free: Date[] = [];
      for (const wait of waits) {
        at = new Date(at.getTime() + wait);
        if (decideTransfer({ ...facts, lastFreeAt, grants }, newMachine, null, at).outcome !== 'open')
          continue;
        if (priceOfTransfer({ lastFreeAt, grants }, at) === 'grant') grants -= 1;
        else {
          lastFreeAt = at;
          free.push(at);
        }
      }
      expect(grants).toBeGreaterThanOrEqual(0);
      for (const [index, moment] of free.slice(1).entries())
        expect(moment.getTime() - (free[index]?.getTime() ?? 0)).toBeGreaterThanOrEqual(
          freeTransferDays * dayMs,
        );
    }),
  );
});

// Guarantee: a grant is kept for later as long as a transfer is free.
test('the free transfer is spent first', () => {
  expect(priceOfTransfer({ lastFreeAt: null, grants: 2 }, now)).toBe('free');
  expect(priceOfTransfer({ lastFreeAt: daysAgo(31), grants: 2 }, now)).toBe('free');
  expect(priceOfTransfer({ lastFreeAt: daysAgo(3), grants: 2 }, now)).toBe('grant');
  expect(nextFreeTransfer(daysAgo(31), now)).toBeNull();
});
