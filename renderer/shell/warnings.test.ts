import { expect, test } from 'vitest';
import { healthReport } from '#contracts/kernel/testing/health-report.ts';
import { warningsOf } from './warnings.ts';

const healthy = healthReport();

// Guarantee: a problem is marked at the page with the details; an unknown state is not marked as anything.
test('warnings', () => {
  expect(warningsOf(undefined)).toEqual({});
  expect(warningsOf(healthy)).toEqual({});
  const components = {
    ...healthy.components,
    agents: { status: 'degraded', detail: 'one is stale' } as const,
  };
  expect(warningsOf({ ...healthy, status: 'degraded', components })).toEqual({
    health: 'degraded',
    agents: 'degraded',
  });
  expect(warningsOf({ ...healthy, license: 'grace' })).toEqual({ license: 'grace' });
});
