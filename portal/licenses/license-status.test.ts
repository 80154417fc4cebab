import { expect, test } from 'vitest';
import {
  decideExtension,
  decideResumption,
  decideRevocation,
  decideSuspension,
  licenseStatuses,
} from './license-status.ts';

// Guarantee: only an active license is suspended, only a suspended one resumed, and a revoked one stays revoked.
test('which status leads where', () => {
  const leadsTo = (decide: typeof decideSuspension) =>
    licenseStatuses.map((status) => {
      const decision = decide(status);
      return decision.allowed ? decision.status : null;
    });
  expect(licenseStatuses).toEqual(['active', 'suspended', 'revoked']);
  expect(leadsTo(decideSuspension)).toEqual(['suspended', null, null]);
  expect(leadsTo(decideResumption)).toEqual([null, 'active', null]);
  expect(leadsTo(decideRevocation)).toEqual(['revoked', 'revoked', null]);
});

// Guarantee: an extension only ever lengthens; days count from the expiry, or from today if it has passed.
test('how far an extension reaches', () => {
  const now = new Date('2026-03-10T00:00:00Z');
  const at = (text: string | null) =>
    ({ status: 'active', expiresAt: text ? new Date(text) : null }) as const;
  const expiry = (...args: Parameters<typeof decideExtension>) => {
    const decision = decideExtension(...args);
    return decision.allowed ? decision.expiresAt.toISOString() : null;
  };
  expect(expiry(at('2026-04-01T00:00:00Z'), { days: 2 }, now)).toBe('2026-04-03T00:00:00.000Z');
  expect(expiry(at('2026-01-01T00:00:00Z'), { days: 2 }, now)).toBe('2026-03-12T00:00:00.000Z');
  const until = new Date('2026-05-01T00:00:00Z');
  expect(expiry(at('2026-04-01T00:00:00Z'), { until }, now)).toBe('2026-05-01T00:00:00.000Z');
  expect(expiry(at('2026-06-01T00:00:00Z'), { until }, now)).toBeNull();
  expect(expiry(at(null), { days: 2 }, now)).toBeNull();
  expect(expiry({ ...at('2026-04-01T00:00:00Z'), status: 'revoked' }, { days: 2 }, now)).toBeNull();
  expect(expiry({ ...at('2026-04-01T00:00:00Z'), status: 'suspended' }, { days: 2 }, now)).not.toBeNull();
  const last = '9999-12-31T23:59:59.999Z';
  expect(expiry(at('9999-12-01T00:00:00Z'), { days: 100_000 }, now)).toBe(last);
  expect(expiry(at(last), { days: 1 }, now)).toBeNull();
});
