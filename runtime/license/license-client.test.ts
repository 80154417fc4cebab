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
