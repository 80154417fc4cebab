import { expect, test } from 'vitest';
import { refusalCodes } from '#contracts/license/license-refusals.ts';
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

// Guarantee: an end of the grace period that only the clock tells is no end: with the portal's time at the last check, a clock that
// was put forward under this process, or years since the portal signed anything, the clock is named; without such a sign it is not.
test('a clock that is ahead', () => {
  const years70 = 70 * 365.25 * dayMs;
  const checkedAt = (ms: number, outcome: 'confirmed' | 'unreachable' = 'confirmed', portalMs?: number) => ({
    ...{ at: new Date(ms).toISOString(), outcome, detail: null },
    ...(portalMs !== undefined && { portalAt: new Date(portalMs).toISOString() }),
  });
  const ahead = { state: 'rejected', code: 'CLOCK_AHEAD' };
  // 2098, checked yesterday; also after a check that the portal's certificate, long expired by then, has failed.
  const nowMs = issuedMs + dayMs + 72 * 365.25 * dayMs;
  const far = { nowMs, knownMs: issuedMs + dayMs };
  expect(derive(far)).toMatchObject(ahead);
  expect(derive(far).detail).toMatch(/clock seems to be ahead.*It shows 2098-.*last signed at 2026-/s);
  expect(deriveOpen({ lastCheck: checkedAt(nowMs, 'unreachable') }, far)).toMatchObject(ahead);
  expect(deriveOpen({ lastCheck: null }, far)).toMatchObject(ahead);
  for (const byMs of [9 * dayMs, years70]) {
    const now = { nowMs: issuedMs + byMs + 60_000 };
    expect(deriveOpen({ lastCheck: checkedAt(issuedMs + byMs) }, now)).toMatchObject(ahead);
    const byDate = checkedAt(issuedMs + byMs, 'unreachable', issuedMs + 30_000);
    expect(deriveOpen({ lastCheck: byDate }, now)).toMatchObject(ahead);
    expect(derive({ ...now, unsetMs: issuedMs + 60_000 })).toMatchObject(ahead);
  }
  // Within the grace period, it is the reason.
  const graceDay = deriveOpen(
    { lastCheck: checkedAt(issuedMs + 3 * dayMs) },
    { nowMs: issuedMs + 3 * dayMs },
  );
  expect(graceDay).toMatchObject({ state: 'grace', detail: expect.stringContaining('seems to be ahead') });
  expect(derive({ nowMs: issuedMs + 3_600_000 }).state).toBe('valid');

  const ended = { state: 'rejected', code: 'LICENSE_GRACE_ENDED' };
  const weeks = issuedMs + 30 * dayMs;
  // Off for weeks; without the portal for weeks; ahead by an hour besides; put right after it was behind.
  expect(derive({ nowMs: weeks, unsetMs: weeks })).toMatchObject(ended);
  expect(deriveOpen({ lastCheck: checkedAt(weeks, 'unreachable') }, { nowMs: weeks })).toMatchObject(ended);
  expect(deriveOpen({ lastCheck: checkedAt(issuedMs + 3_600_000) }, { nowMs: weeks })).toMatchObject(ended);
  expect(derive({ nowMs: weeks, unsetMs: issuedMs - years70 })).toMatchObject(ended);
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
