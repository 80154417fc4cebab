import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { endWithin, signalProcess } from '#runtime/live-process.ts';
import { holderProgram } from '../testing/test-power.ts';
import { prepareCommand } from '../ways/holder-way.ts';
import { readHolderRecord } from './holder-record.ts';
import { launchHolder } from './launch-holder.ts';

// Guarantee: a game under another account gets nothing of the environment of the agent's own.
test('the environment', async () => {
  await using folder = await temporaryFolder('account');
  const powerFolder = join(folder.path, 'power');
  const open = join(folder.path, 'open');
  for (const path of [powerFolder, open]) await mkdir(path);
  await chmod(folder.path, 0o755);
  await chmod(open, 0o777);
  vi.stubEnv('SSH_AUTH_SOCK', '/run/of-root');
  onTestFinished(() => void vi.unstubAllEnvs());
  launchHolder(
    {
      ...{ powerFolder, launch: randomUUID(), secret: 'secret', folder: open },
      ...{ program: '/bin/sh', args: ['-c', 'env > seen'], isVerbatim: false },
      account: { name: 'nobody', uid: 65_534, gid: 65_534, home: '/nonexistent' },
    },
    holderProgram,
  );
  const { holder } = await eventually(async () => {
    const record = await readHolderRecord(powerFolder);
    if (!record?.ended) throw new Error('the game has not ended yet');
    return record;
  }, 30_000);
  // It waits for an agent that hears of the end.
  signalProcess(holder.pid, 'SIGKILL');
  expect(await endWithin([holder.pid], 10_000)).toBe(true);
  const seen = (await readFile(join(open, 'seen'), 'utf8')).split('\n');
  expect(seen).toEqual(
    expect.arrayContaining(['HOME=/nonexistent', 'USER=nobody', `PATH=${process.env.PATH}`]),
  );
  expect(seen.join()).not.toContain('SSH_AUTH_SOCK');
});

// Guarantee: an account that only a directory service knows is found.
test('an account of a directory', async () => {
  await using folder = await temporaryFolder('account');
  const getent = join(folder.path, 'getent');
  await writeFile(getent, '#!/bin/sh\necho "$3:x:12345:12346::/home/of-it:/bin/sh"\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${folder.path}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(prepareCommand(folder.path, { command: ['getent'], account: 'of-the-directory' })).toMatchObject({
    account: { name: 'of-the-directory', uid: 12_345, gid: 12_346, home: '/home/of-it' },
  });
});
