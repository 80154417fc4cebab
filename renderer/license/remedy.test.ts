import { expect, test } from 'vitest';
import { type RefusalCode, refusalCodes } from '#contracts/license/license-refusals.ts';
import { licenseFaults } from '#contracts/license/license-state.ts';
import { licensesHttp } from '#contracts/license/licenses.ts';
import {
  isAreaRemedy,
  isSolvedByActivation,
  type LicenseTrouble,
  type Remedy,
  remedyOf,
  troubleOf,
  waitSecondsOf,
} from './remedy.ts';

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
  ['CLOCK_AHEAD', 'check-clock'],
  ['INVALID_KEY', 'correct-key'],
  ['UNREACHABLE', 'try-again'],
  ['NOT_SAVED', 'try-again'],
];

// Guarantee: every refusal of a license leads to the one act that helps.
test.each(table)('%s: %s', (trouble, remedy) => expect(remedyOf(trouble)).toBe(remedy));

// Guarantee: only a fault that a key mends asks for an activation; a suspension or an expiry ends without one.
test('activations', () => {
  expect(licenseFaults.filter(isSolvedByActivation)).toEqual([
    'REVOKED',
    'HWID_MISMATCH',
    'LICENSE_REQUIRED',
    'LICENSE_RECORD_UNUSABLE',
  ]);
  expect(licenseFaults.filter(isAreaRemedy)).toEqual(['EXPIRED', 'HWID_MISMATCH']);
});

// Guarantee: no refusal by the portal, and no fault that a check can find, is without a remedy.
test('every code has a row', () => {
  const known = new Set<string>(table.map(([trouble]) => trouble));
  const { activate, validate } = licensesHttp;
  const told = [...activate.problems, ...validate.problems, ...licenseFaults];
  expect(told.filter((code) => !known.has(code))).toEqual([]);
});

// Guarantee: a failed activation is identified by its outcome, a refusal by the portal's code.
test('what an activation failed over', () => {
  const detail = '';
  const refused = (code: RefusalCode) => troubleOf({ outcome: 'refused', code, detail });
  for (const code of refusalCodes) expect(refused(code)).toBe(code);
  expect(troubleOf({ outcome: 'unauthorized', detail })).toBe('UNAUTHORIZED');
  expect(troubleOf({ outcome: 'unreachable', detail })).toBe('UNREACHABLE');
  expect(troubleOf({ outcome: 'rate-limited', retryAfterSeconds: 3, detail })).toBe('RATE_LIMITED');
  expect(troubleOf({ outcome: 'wrong-environment', kid: '', detail })).toBe('LICENSE_WRONG_ENVIRONMENT');
  expect(troubleOf({ outcome: 'hwid-unavailable', detail })).toBe('HWID_UNAVAILABLE');
  expect(troubleOf({ outcome: 'invalid-key', detail })).toBe('INVALID_KEY');
  expect(troubleOf({ outcome: 'not-saved', detail })).toBe('NOT_SAVED');
});

// Guarantee: only a portal that is asked too often makes the button wait.
test('waiting', () => {
  expect(waitSecondsOf({ outcome: 'rate-limited', retryAfterSeconds: 42, detail: '' })).toBe(42);
  expect(waitSecondsOf({ outcome: 'rate-limited', retryAfterSeconds: null, detail: '' })).toBe(0);
  expect(waitSecondsOf({ outcome: 'unreachable', detail: '' })).toBe(0);
  expect(waitSecondsOf(null)).toBe(0);
});
