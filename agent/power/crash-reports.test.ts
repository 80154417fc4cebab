import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { openCrashReports } from './crash-reports.ts';
import { bootId, sinceBootMs } from './process/process-identity.ts';

const dayMs = 86_400_000;
const log = createLog({ component: 'agent', level: 'silent' });

// Guarantee: the age of a crash since the start of the machine does not follow a clock that was set; only an earlier crash has its age
// from the clock.
test.each([
  ['since the start of the machine', bootId(), 0, dayMs],
  ['before the start of the machine', 'another boot', dayMs, 2 * dayMs],
])('a crash %s', async (_, boot, least, most) => {
  await using folder = await temporaryFolder('crashes');
  const crash = { exitCode: 1, signal: null, ranMs: 5000, lines: ['the end'] };
  const wallTime = new Date(Date.now() - dayMs).toISOString();
  const kept = [{ ...crash, boot, sinceBootMs: sinceBootMs(), wallTime }];
  await writeFile(join(folder.path, 'crashes.json'), JSON.stringify(kept));
  const last = (await openCrashReports(folder.path, bootId(), log)).last();
  expect(last).toMatchObject({ exitCode: 1, lines: ['the end'] });
  expect(last?.ageMs).toBeGreaterThanOrEqual(least);
  expect(last?.ageMs).toBeLessThan(most);
});
