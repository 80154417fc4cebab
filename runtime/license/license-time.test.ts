import { expect, test } from 'vitest';
import { away } from './testing/fake-portal.ts';
import { install, toNextCheck } from './testing/installation.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

// Guarantee: grace lasts to the second for the configured number of days, across restarts; then everything is rejected, every
// listener is told, and the portal's first answer heals it.
test.each([0, 7, 30])('%i days of grace', async (graceDays) => {
  await using installation = await install();
  const { portal, clock } = installation;
  const first = await installation.activated({ graceDays });
  portal.validate = away;
  expect((await first.checkNow()).state).toBe('grace');
  await first[Symbol.asyncDispose]();

  const client = await installation.open({ graceDays });
  await client.checkNow();
  const heard: string[] = [];
  client.subscribe(({ state }) => heard.push(state));
  const endMs = Date.parse(client.status().graceEndsAt ?? '');
  expect(endMs).toBe(Date.UTC(2026, 0, 2, 12) + graceDays * dayMs);
  clock.advance(endMs - 1 - clock.nowMs());
  await client.checkNow();
  expect(client.status().state).toBe('grace');
  clock.advance(1);
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_GRACE_ENDED' });
  expect(heard.at(-1)).toBe('rejected');
  await client.checkNow();
  expect(client.status().state).toBe('rejected');

  portal.validate = () => ({ say: 'token' });
  expect(await toNextCheck(client, installation)).toMatchObject({ state: 'valid' });
  expect(heard.at(-1)).toBe('valid');
});

// Guarantee: an installation whose daily check is answered never enters grace, whenever in its window it asks.
test('sixty days of daily checks', async () => {
  await using installation = await install();
  const { portal, clock } = installation;
  const client = await installation.activated({ graceDays: 0 });
  const states = new Set<string>();
  client.subscribe(({ state }) => states.add(state));
  portal.asked.length = 0;
  const endMs = clock.nowMs() + 60 * dayMs;
  while (clock.nowMs() < endMs) {
    const dueMs = Date.parse(client.status().nextCheckAt ?? '');
    while (clock.nowMs() + 37 * minuteMs < dueMs) {
      clock.advance(37 * minuteMs);
      states.add(client.status().state);
    }
    states.add((await toNextCheck(client, installation)).state);
  }
  expect([...states]).toEqual(['valid']);
  expect(portal.asked.length).toBeGreaterThanOrEqual(60);
  expect(portal.asked.length).toBeLessThanOrEqual(63);
});

// Guarantee: a clock that was set back is refused, even after a restart, and heals when it is corrected or a new token arrives.
test('a clock set back', async () => {
  await using installation = await install();
  const { clock, portal } = installation;
  const first = await installation.activated();
  clock.advance(20 * 60 * minuteMs);
  const trueMs = clock.nowMs();
  clock.set(trueMs - 9 * minuteMs);
  expect(first.status().state).toBe('valid');
  clock.set(trueMs - 11 * minuteMs);
  expect(first.status()).toMatchObject({
    state: 'rejected',
    code: 'CLOCK_ROLLED_BACK',
    clock: { local: new Date(clock.nowMs()).toISOString(), known: new Date(trueMs).toISOString() },
  });
  clock.set(trueMs);
  expect(first.status().state).toBe('valid');
  await first[Symbol.asyncDispose]();

  portal.validate = away;
  clock.set(Date.UTC(2026, 0, 1, 11, 49));
  const second = await installation.open();
  await second.checkNow();
  expect(second.status()).toMatchObject({ state: 'rejected', code: 'CLOCK_ROLLED_BACK' });
  // The portal answers: its time counts from now on, even if it is earlier.
  portal.validate = () => ({ say: 'token' });
  expect(await second.checkNow()).toMatchObject({ state: 'valid' });
});

// Guarantee: an expired token whose check is still answered (a clock that runs ahead) means grace.
test('a clock that runs ahead', async () => {
  await using installation = await install();
  const client = await installation.activated();
  installation.portal.validate = () => {
    const iat = Math.floor((installation.clock.nowMs() - 2 * dayMs) / 1000);
    return { say: 'token', claims: { iat, exp: iat + 86_400 } };
  };
  expect(await client.checkNow()).toMatchObject({ state: 'grace', lastCheck: { outcome: 'confirmed' } });
});

// Guarantee: a clock that is put years ahead under a running installation, or before it starts, is named as the reason, whether the
// portal answers or not, and the license works again when the clock is right.
test('a clock that is years ahead', async () => {
  await using installation = await install();
  const { clock, portal } = installation;
  const first = await installation.activated();
  clock.advance(dayMs / 2);
  const trueMs = clock.nowMs();
  const ahead = { state: 'rejected', code: 'CLOCK_AHEAD', clock: { aheadSeconds: expect.any(Number) } };
  const iat = Math.floor(trueMs / 1000);
  const answers = () => ({ say: 'token' as const, claims: { iat, exp: iat + 86_400 } });
  for (const byDays of [9, 26_000]) {
    clock.set(trueMs + byDays * dayMs);
    portal.validate = away;
    expect(await first.checkNow()).toMatchObject(ahead);
    portal.validate = answers;
    expect(await first.checkNow()).toMatchObject(ahead);
    {
      await using second = await installation.open();
      expect(await second.checkNow()).toMatchObject(ahead);
    }
    clock.set(trueMs);
    const status = await first.checkNow();
    expect(status).toMatchObject({ state: 'valid', code: null });
    expect(status.clock.aheadSeconds).toBeUndefined();
  }
});

// Guarantee: a clock that is a few minutes behind means grace for these minutes only, and no more than daily checks.
test('a clock that is a little behind', async () => {
  await using installation = await install();
  const { clock, portal } = installation;
  const iat = Math.floor(clock.nowMs() / 1000) + 7 * 60;
  portal.activate = () => ({ say: 'token', claims: { iat, exp: iat + 86_400 } });
  const client = await installation.activated();
  const untilNextMs = () => Date.parse(client.status().nextCheckAt ?? '') - clock.nowMs();
  expect(client.status().state).toBe('grace');
  expect(untilNextMs()).toBeLessThanOrEqual(18 * minuteMs);
  clock.advance(2 * minuteMs);
  expect(client.status().state).toBe('valid');
  expect(untilNextMs()).toBeGreaterThan(22 * 60 * minuteMs);
});
