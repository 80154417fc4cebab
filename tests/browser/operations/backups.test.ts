// @module-tag identity

import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupsHttp } from '#contracts/operations/backups.ts';
import { expectAccessible, lookOfTier } from '#harness/every-look.ts';

import { openPanel, type Panel } from '#harness/panel.ts';

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
}, 240_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const takenMs = 90_000;

// Guarantee: one click takes a backup; it is shown in progress and then listed with its age and size, in both languages and both
// color schemes; a viewer sees no such page.
test('back up now', { tags: 'night' }, async () => {
  const page = await panel.page({ path: '/backups' });
  await page.getByText('No backups yet.').waitFor();
  await page.getByRole('button', { name: 'Back up now' }).click();
  const listed = page.getByRole('table', { name: 'Available backups' });
  await listed.getByRole('cell', { name: 'Manual' }).waitFor({ timeout: takenMs });
  await page.getByText('Created and tested').waitFor();
  const { backups, lastAttempt } = await panel.call(backupsHttp.status, {});
  expect(backups).toHaveLength(1);
  expect(lastAttempt).toMatchObject({ outcome: 'taken' });
  await expectAccessible(page);

  const dark = await panel.page({ path: '/backups', locale: 'pt-BR', look: lookOfTier('dark') });
  await dark.getByRole('cell', { name: 'Manual' }).waitFor();
  await dark.getByRole('cell', { name: 'Pedido por owner' }).waitFor();
  await expectAccessible(dark);
  const shots = process.env.CASTELLAN_TEST_PICTURES;
  if (shots) {
    await page.screenshot({ path: `${shots}/backups-light.png`, fullPage: true });
    await dark.screenshot({ path: `${shots}/backups-dark.png`, fullPage: true });
  }

  const viewer = await panel.newAdmin({ role: 'viewer' });
  const theirs = await panel.page({ as: viewer });
  await theirs.getByRole('link', { name: 'System health', exact: true }).waitFor();
  expect(await theirs.getByRole('link', { name: 'Backups' }).count()).toBe(0);
  await Promise.all([page.close(), dark.close(), theirs.close()]);
  expect(panel.faults()).toEqual([]);
});
