import { expect, test } from 'vitest';
import { type LicenseFault, licenseFaults } from '#contracts/license/license-state.ts';
import { licenseVerdict } from './license-verdict.ts';

const local = '2026-05-04T12:00:00.000Z';
const unreachable = { at: local, outcome: 'unreachable', detail: 'no answer' } as const;
const confirmed = { at: local, outcome: 'confirmed', detail: null } as const;
const held = {
  state: 'valid',
  code: null,
  lastCheck: confirmed,
  issuedAt: '2026-05-04T08:00:00.000Z',
  clock: { local, known: local },
} as const;

// Guarantee: a license that works is distinguished from one that works only for a limited time, and the reason is given.
test('a license that works', () => {
  expect(licenseVerdict(held)).toEqual({ tone: 'ok', says: 'active' });
  const grace = { ...held, state: 'grace' } as const;
  expect(licenseVerdict({ ...grace, lastCheck: unreachable })).toEqual({ tone: 'warn', says: 'unreachable' });
  expect(licenseVerdict({ ...grace, issuedAt: '2026-05-04T12:30:00.000Z' })).toEqual({
    tone: 'warn',
    says: 'clock',
  });
  expect(licenseVerdict(grace)).toEqual({ tone: 'warn', says: 'not-renewed' });
  const ahead = { ...grace, lastCheck: unreachable, clock: { ...held.clock, aheadSeconds: 86_400 } };
  expect(licenseVerdict(ahead)).toEqual({ tone: 'warn', says: 'clock-ahead' });
});

// Guarantee: a license that does not work is never shown as one that does, and keeps its reason.
test('a license that does not', () => {
  for (const code of licenseFaults)
    expect(licenseVerdict({ ...held, state: 'rejected', code })).toEqual({
      tone: 'bad',
      says: 'refused',
      code,
    });
  const never: LicenseFault = 'LICENSE_REQUIRED';
  expect(licenseVerdict({ ...held, state: 'unlicensed', code: never, lastCheck: null })).toEqual({
    tone: 'bad',
    says: 'refused',
    code: never,
  });
  // If a reason were ever missing, it would count as no license.
  expect(licenseVerdict({ ...held, state: 'unlicensed' })).toMatchObject({ tone: 'bad', code: never });
});
