import { expect, test } from 'vitest';
import { refuseWith } from './testing/fake-portal.ts';
import { install } from './testing/installation.ts';

// Guarantee: features and the cluster cap come from the token, and nothing is allowed without a license.
test('features', async () => {
  await using installation = await install();
  const { portal } = installation;
  const client = await installation.open();
  expect([client.featureAllowed('mods'), client.maxClusters()]).toEqual([false, 0]);
  await client.activate(installation.licenseKey);
  expect([client.featureAllowed('mods'), client.maxClusters()]).toEqual([true, null]);
  portal.validate = () => ({ say: 'token', claims: { features: ['store'], maxClusters: 2 } });
  await client.checkNow();
  expect([client.featureAllowed('mods'), client.featureAllowed('store'), client.maxClusters()]).toEqual([
    false,
    true,
    2,
  ]);
  portal.validate = refuseWith('REVOKED');
  await client.checkNow();
  expect([client.featureAllowed('store'), client.maxClusters()]).toEqual([false, 0]);
});

// Guarantee: of two processes on one license, the second asks the portal only after the first one's answer has become old; a check
// that was written before the clock was set back keeps no one from asking, and one that was skipped puts no scheduled check off.
test('a check that another process has made', async () => {
  await using installation = await install();
  const { portal, clock } = installation;
  const first = await installation.activated();
  const second = await installation.open({ scheduled: false });
  clock.advance(60_000);
  portal.validate = refuseWith('SUSPENDED');
  await first.checkNow({ apartMs: 10_000 });
  const asked = portal.asked.length;
  clock.advance(9_999);
  expect(await second.checkNow({ apartMs: 10_000 })).toMatchObject({ code: 'SUSPENDED' });
  await first.checkNow({ apartMs: 10_000 });
  expect(portal.asked).toHaveLength(asked);
  portal.validate = () => ({ say: 'token' });
  clock.set(clock.nowMs() - 120_000);
  expect(await second.checkNow({ apartMs: 10_000 })).toMatchObject({ state: 'valid' });
  expect(portal.asked).toHaveLength(asked + 1);
});
