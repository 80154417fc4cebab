import { expect, test } from 'vitest';
import { refusalCodes } from '#contracts/license-refusals.ts';
import { deriveLicense, type LicenseFacts } from './derive-license.ts';
import { claimsFor } from './testing/fake-portal.ts';

const hwid = `sha256:${'ab'.repeat(32)}`;
const issuedMs = Date.UTC(2026, 0, 10, 12);
const claims = claimsFor(hwid, issuedMs);
const expiryMs = claims.exp * 1000;
const minuteMs = 60_000;
const dayMs = 86_400_000;

type Open = Extract<LicenseFacts['record'], { kind: 'open' }>;

const open: Open = {
  kind: 'open',
  token: { kind: 'verified', claims },
  tenantId: claims.tenantId,
  refusal: null,
  lastCheck: { at: new Date(issuedMs).toISOString(), outcome: 'confirmed', detail: null },
};
const facts: LicenseFacts = { record: open, hwid, nowMs: issuedMs, knownMs: issuedMs, graceDays: 7 };

const derive = (changes: Partial<LicenseFacts>) => deriveLicense({ ...facts, ...changes });
const deriveOpen = (record: Partial<Open>, changes: Partial<LicenseFacts> = {}) =>
  derive({ record: { ...open, ...record }, ...changes });

const unreachable: Open['lastCheck'] = {
  at: new Date(issuedMs).toISOString(),
  outcome: 'unreachable',
  detail: 'no answer',
};

// Guarantee: without a record the installation is unlicensed, and on a machine that cannot be bound the status says so immediately.
test('unlicensed', () => {
  expect(derive({ record: { kind: 'absent' } })).toMatchObject({
    state: 'unlicensed',
    code: 'LICENSE_REQUIRED',
  });
  expect(derive({ record: { kind: 'absent' }, hwid: null })).toMatchObject({
    state: 'unlicensed',
    code: 'HWID_UNAVAILABLE',
  });
});

// Guarantee: a damaged, foreign or edited record is not a license.
test('a record that proves nothing', () => {
  const unusable = { state: 'rejected', code: 'LICENSE_RECORD_UNUSABLE' };
  expect(derive({ record: { kind: 'unreadable', detail: 'cut' } })).toMatchObject(unusable);
  expect(derive({ record: { kind: 'sealed' } })).toMatchObject(unusable);
  expect(derive({ record: { kind: 'sealed' }, hwid: null })).toMatchObject({
    state: 'rejected',
    code: 'HWID_UNAVAILABLE',
  });
  expect(deriveOpen({ token: { kind: 'invalid', detail: 'x' } })).toMatchObject(unusable);
  expect(deriveOpen({ tenantId: `c${'1'.repeat(24)}` })).toMatchObject(unusable);
  expect(derive({ hwid: `sha256:${'cd'.repeat(32)}` })).toMatchObject(unusable);
});

// Guarantee: a token of another environment is refused, and its key is named.
test('a token signed by an unknown key', () => {
  const derived = deriveOpen({ token: { kind: 'foreign', kid: 'some-kid', reason: 'unknown' } });
  expect(derived).toMatchObject({ state: 'rejected', code: 'LICENSE_WRONG_ENVIRONMENT' });
  expect(derived.detail).toContain('some-kid');
});

// Guarantee: the portal's refusal rejects immediately and outweighs everything else until it is withdrawn.
test.each(refusalCodes)('refusal %s', (code) => {
  const refusal = { code, at: new Date(issuedMs).toISOString(), detail: 'because' };
  expect(deriveOpen({ refusal })).toEqual({ state: 'rejected', code, detail: 'because' });
  expect(deriveOpen({ refusal, lastCheck: unreachable }, { nowMs: expiryMs + 99 * dayMs }).code).toBe(code);
});

// Guarantee: a confirmed license is valid until its token has expired, with five minutes of leeway, then in grace.
test('valid, then grace', () => {
  expect(derive({})).toMatchObject({ state: 'valid', code: null });
  expect(derive({ nowMs: expiryMs + 5 * minuteMs }).state).toBe('valid');
  expect(derive({ nowMs: expiryMs + 5 * minuteMs + 1 }).state).toBe('grace');
});

// Guarantee: a check without an answer means grace immediately, even while the token is still valid.
test('grace by the newest check', () => {
  expect(deriveOpen({ lastCheck: unreachable })).toMatchObject({ state: 'grace', code: null });
});

// Guarantee: grace ends to the second, after the configured number of days, whatever the newest check said.
test.each([0, 1, 7, 30])('%i days of grace', (graceDays) => {
  const endMs = expiryMs + graceDays * dayMs;
  const graceOrValid = graceDays === 0 ? 'valid' : 'grace';
  expect(derive({ graceDays, nowMs: endMs - 1 }).state).toBe(graceOrValid);
  expect(deriveOpen({ lastCheck: unreachable }, { graceDays, nowMs: endMs - 1 }).state).toBe('grace');
  for (const lastCheck of [open.lastCheck, unreachable, null])
    expect(deriveOpen({ lastCheck }, { graceDays, nowMs: endMs })).toMatchObject({
      state: 'rejected',
      code: 'LICENSE_GRACE_ENDED',
    });
});

// Guarantee: clocks may differ a little; one that is more than ten minutes behind is refused.
test('a clock that is behind', () => {
  expect(derive({ nowMs: issuedMs - 5 * minuteMs }).state).toBe('valid');
  expect(derive({ nowMs: issuedMs - 5 * minuteMs - 1 }).state).toBe('grace');
  expect(derive({ nowMs: issuedMs - 10 * minuteMs }).state).toBe('grace');
  const rolledBack = { state: 'rejected', code: 'CLOCK_ROLLED_BACK' };
  expect(derive({ nowMs: issuedMs - 10 * minuteMs - 1 })).toMatchObject(rolledBack);
  const knownMs = issuedMs + 3 * dayMs;
  expect(derive({ nowMs: knownMs - 11 * minuteMs, knownMs })).toMatchObject(rolledBack);
});
