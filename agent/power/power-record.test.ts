import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openPowerRecord } from './power-record.ts';
import { bootId, sinceBootMs } from './process/process-identity.ts';

// Guarantee: a start of the machine is not a crash and clears crashes, even where boots have no ids: a record from a time that this
// boot has not reached belongs to an earlier one.
test('another start of the machine', async () => {
  await using folder = await temporaryFolder('record');
  const boot = bootId();
  const before = await openPowerRecord(folder.path, boot);
  await before.change({ wanted: 'running', launch: 'one', crashes: [1, 2], hasGivenUp: true });
  const same = await openPowerRecord(folder.path, boot);
  expect(same.now()).toMatchObject({ launch: 'one', crashes: [1, 2], hasGivenUp: true });
  const path = join(folder.path, 'power.json');
  const kept = JSON.parse(await readFile(path, 'utf8'));
  for (const change of [{ atMs: sinceBootMs() + 60_000 }, { boot: 'an-earlier-start-of-the-machine' }]) {
    await writeFile(path, JSON.stringify({ ...kept, ...change }));
    const after = await openPowerRecord(folder.path, boot);
    expect(after.now()).toMatchObject({ wanted: 'running', launch: null, crashes: [], hasGivenUp: false });
  }
});
