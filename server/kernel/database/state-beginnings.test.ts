import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthReport } from '#contracts/kernel/testing/health-report.ts';
import type { StackHealth } from '#contracts/operations/health.ts';
import { followTroubles } from '../../operations/health/health.ts';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../testing/feature-api.ts';
import { createStateBeginnings } from './state-beginnings.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const minute = 60_000;
const { components: well } = healthReport();
const broken: StackHealth['components'] = { ...well, bot: { status: 'down', detail: 'x' } };

/** The API, from one start to the next. */
const startProcess = async (clock: { ms: number }) => {
  const startedMs = clock.ms;
  const beginnings = createStateBeginnings({
    db: database.db,
    log: silentLog,
    now: () => clock.ms - startedMs,
  });
  await beginnings.prepare();
  const follow = followTroubles(() => new Date(clock.ms), beginnings);
  return { ...beginnings, troubles: (components: StackHealth['components']) => follow(components) };
};

// Guarantee: what was unwell before a restart of the API, or before several, has been since then, also if the first look after the start
// did not know it yet; what ended has not, and a new one has its own beginning.
test('since when, over restarts', async () => {
  const clock = { ms: Date.parse('2026-01-02T03:00:00Z') };
  const at = new Date(clock.ms + 3 * minute).toISOString();
  const first = await startProcess(clock);
  clock.ms += 3 * minute;
  expect(first.troubles(broken)).toEqual({ bot: at });
  await first.flush();
  first[Symbol.dispose]();

  clock.ms += 60 * minute;
  const second = await startProcess(clock);
  expect(second.troubles(well)).toEqual({});
  // Killed before anything is known.
  await second.flush();
  second[Symbol.dispose]();

  const third = await startProcess(clock);
  expect(third.troubles(well)).toEqual({});
  clock.ms += minute / 2;
  expect(third.troubles(broken)).toEqual({ bot: at });
  clock.ms += 3 * minute;
  expect(third.troubles(broken)).toEqual({ bot: at });
  expect(third.troubles(well)).toEqual({});
  await third.flush();
  third[Symbol.dispose]();

  const fourth = await startProcess(clock);
  expect(fourth.troubles(broken)).toEqual({ bot: new Date(clock.ms).toISOString() });
  fourth[Symbol.dispose]();
});
