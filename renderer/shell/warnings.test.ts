import { expect, test } from 'vitest';
import type { StackHealth } from '#contracts/health.ts';
import { warningsOf } from './warnings.ts';

const ok = { status: 'ok', detail: null } as const;
const healthy: StackHealth = {
  status: 'ok',
  version: '1.0.0',
  contractVersion: 1,
  uptimeSeconds: 1,
  license: 'valid',
  components: {
    api: ok,
    database: ok,
    queues: ok,
    bot: ok,
    agents: ok,
    secrets: ok,
    disk: ok,
    backups: ok,
    entitlements: ok,
  },
};

// Guarantee: what is wrong is marked at the page that tells more of it; what is not known is not marked as anything.
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
