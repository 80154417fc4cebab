import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import { createLog } from '#runtime/log.ts';
import { watchDisk } from './disk-watch.ts';

// Guarantee: a data folder that other accounts may change is a matter of health, with the command that ends it, and is in the log once.
testIf(process.platform === 'linux')('a data folder that others may change', async () => {
  await using home = await temporaryFolder('home');
  await writeFile(join(home.path, '.env'), '');
  const lines: string[] = [];
  const log = createLog({ component: 'api', destination: { write: (line) => void lines.push(line) } });
  await chmod(home.path, 0o770);
  const events = { record: () => undefined, [Symbol.asyncDispose]: async () => undefined };
  using disk = watchDisk(home.path, events, log);
  await eventually(async () =>
    expect(await disk.health()).toEqual({
      status: 'degraded',
      detail: expect.stringContaining(`Other accounts may change ${home.path}, `),
    }),
  );
  expect(lines).toEqual([expect.stringContaining(`chmod go-w \\"${home.path}\\"`)]);
});
