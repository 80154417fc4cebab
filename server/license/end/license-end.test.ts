import { expect, test } from 'vitest';
import { healthHttp } from '#contracts/operations/health.ts';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call } from '../../kernel/testing/call.ts';
import { testDesktopCredential as as } from '../../kernel/testing/test-api.ts';
import { announceLicenseEnd } from './announce-license-end.ts';

const running = apiForThisFile();
const hourMs = 3_600_000;

// Guarantee: the grace period and a near end are in health and metrics.
test('what monitors read of the license', async () => {
  const { api, port } = running();
  const metrics = async () => (await call(port, observabilityHttp.metrics, { as })).text;
  const health = async () => (await call(port, healthHttp.stack, { as })).json;
  expect(await metrics()).toContain('castellan_license_in_grace 0');
  expect(await metrics()).not.toMatch(/^castellan_license_remaining_seconds/m);
  api.license.set('grace', undefined, { graceEndsAt: new Date(Date.now() + 30.5 * hourMs).toISOString() });
  expect(await metrics()).toContain('castellan_license_in_grace 1');
  expect(await metrics()).toMatch(/^castellan_license_remaining_seconds 109\d{3}/m);
  expect(await health()).toMatchObject({
    status: 'degraded',
    license: 'grace',
    components: { license: { status: 'degraded', detail: expect.stringContaining('in 30 h') } },
    troubleSince: { license: expect.any(String) },
  });
  api.license.set('valid');
  expect(await health()).toMatchObject({ components: { license: { status: 'ok', detail: null } } });
});

// Guarantee: a near end is one event, which Discord's rules can post, and a license that was extended has another one later.
test('the event of a near end', async () => {
  const { db } = running().api.context.database;
  const nowMs = Date.now();
  const announce = (hours: number) =>
    announceLicenseEnd(db, { endsAt: new Date(nowMs + hours * hourMs).toISOString() }, nowMs);
  const announced = async () =>
    (await db.selectFrom('event_logs').select(['severity']).where('kind', '=', 'license.ends-soon').execute())
      .length;
  await announceLicenseEnd(db, { endsAt: null }, nowMs);
  await Promise.all([announce(49), announce(-1)]);
  expect(await announced()).toBe(0);
  await Promise.all([announce(47), announce(47), announce(47)]);
  await announce(47);
  expect(await announced()).toBe(1);
  await announce(46);
  expect(await announced()).toBe(2);
});
