import { expect, test } from 'vitest';
import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { isNotReadYet } from './not-read-yet.ts';

// Guarantee: a server that is being asked for the first time is not read yet; one that fell silent, or that no one can ask, is
// unknown.
test('not read yet', () => {
  const status = { shown: 'unknown', outcome: null, answeredAt: null } as const;
  const connecting = { ...status, detail: consoleReasons['status-connecting'] };
  expect(isNotReadYet(connecting)).toBe(true);
  expect(isNotReadYet({ ...status, detail: consoleReasons['status-not-asked'] })).toBe(true);
  expect(isNotReadYet({ ...connecting, answeredAt: '2026-01-01T00:00:00.000Z' })).toBe(false);
  expect(isNotReadYet({ ...connecting, shown: 'offline' })).toBe(false);
  expect(isNotReadYet({ ...connecting, outcome: 'agent away' })).toBe(false);
  expect(isNotReadYet({ ...status, detail: consoleReasons['status-agent-silent'] })).toBe(false);
  expect(isNotReadYet({ ...status, detail: null })).toBe(false);
});
