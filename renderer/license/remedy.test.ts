import { expect, test } from 'vitest';
import type { ActivationFailure } from '#contracts/desktop-license.ts';
import { licenseFaults } from '#contracts/license-state.ts';
import { licensesHttp } from '#contracts/licenses.ts';
import { type LicenseTrouble, type Remedy, remedyOf, troubleOf } from './remedy.ts';

const table: readonly (readonly [LicenseTrouble, Remedy])[] = [
  ['UNAUTHORIZED', 'find-license'],
  ['HWID_MISMATCH', 'transfer'],
  ['REVOKED', 'contact'],
  ['SUSPENDED', 'contact'],
  ['EXPIRED', 'renew'],
  ['RATE_LIMITED', 'wait'],
  ['LICENSE_REQUIRED', 'enter-key'],
  ['LICENSE_RECORD_UNUSABLE', 'enter-key'],
  ['LICENSE_GRACE_ENDED', 'try-again'],
  ['LICENSE_WRONG_ENVIRONMENT', 'contact'],
  ['HWID_UNAVAILABLE', 'try-again'],
  ['CLOCK_ROLLED_BACK', 'check-clock'],
  ['INVALID_KEY', 'correct-key'],
  ['UNREACHABLE', 'try-again'],
  ['NOT_SAVED', 'try-again'],
];

// Guarantee: every refusal of a license leads to the one act that helps.
test.each(table)('%s: %s', (trouble, remedy) => expect(remedyOf(trouble)).toBe(remedy));

// Guarantee: no refusal by the portal, and no fault that a check can find, is without a remedy.
test('every code has a row', () => {
  const known = new Set<string>(table.map(([trouble]) => trouble));
  const { activate, validate } = licensesHttp;
  const told = [...activate.problems, ...validate.problems, ...licenseFaults];
  expect(told.filter((code) => !known.has(code))).toEqual([]);
});

// Guarantee: a failed activation is identified by its outcome, a refusal by the portal's code; one from a newer portal
// does not leave the page without a remedy.
test('what an activation came to grief over', () => {
  const failed = (outcome: ActivationFailure['outcome'], code: string | null = null) =>
    troubleOf({ outcome, code });
  expect(failed('refused', 'HWID_MISMATCH')).toBe('HWID_MISMATCH');
  expect(failed('refused', 'SUSPENDED')).toBe('SUSPENDED');
  expect(failed('refused', 'OF_NEXT_YEAR')).toBe('UNAUTHORIZED');
  expect(failed('refused', 'toString')).toBe('UNAUTHORIZED');
  expect(failed('refused')).toBe('UNAUTHORIZED');
  expect(failed('unreachable')).toBe('UNREACHABLE');
  expect(failed('rate-limited')).toBe('RATE_LIMITED');
  expect(failed('wrong-environment')).toBe('LICENSE_WRONG_ENVIRONMENT');
  expect(failed('hwid-unavailable')).toBe('HWID_UNAVAILABLE');
  expect(failed('invalid-key')).toBe('INVALID_KEY');
  expect(failed('not-saved')).toBe('NOT_SAVED');
});
