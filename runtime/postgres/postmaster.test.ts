import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startPostmaster } from './postmaster.ts';

/** Replaces Postgres: prints a line for each file `go-N` that appears; the third line says that it is ready. */
const recovering = `#!/bin/sh
for n in 1 2 3; do
  waited=0
  while [ ! -e "$2/go-$n" ]; do sleep 0.02; waited=$((waited + 1)); [ $waited -lt 1000 ] || exit 1; done
  [ $n = 3 ] && echo 'database system is ready to accept connections' || echo "redo in progress $n"
done
`;

afterEach(() => {
  vi.useRealTimers();
});

const startRecovering = async (folder: string) => {
  const postgres = join(folder, 'postgres');
  await writeFile(postgres, recovering, { mode: 0o755 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let lines = 0;
  const starting = startPostmaster({ postgres, initdb: '', pgCtl: '' }, folder, null, {
    onLine: () => {
      lines += 1;
    },
    onSpawn: undefined,
    lockDescriptor: null,
  });
  starting.catch(() => undefined);
  const until = performance.now() + 20_000;
  return {
    starting,
    async say(line: number) {
      await writeFile(join(folder, `go-${line}`), '');
      while (lines < line && performance.now() < until) await nextTurn();
      expect(lines).toBe(line);
    },
  };
};

// Guarantee: a recovery may take as long as it needs, as long as Postgres reports progress.
test.runIf(process.platform === 'linux')('a long recovery is waited for', async () => {
  await using folder = await temporaryFolder('recovery');
  const { starting, say } = await startRecovering(folder.path);
  for (const line of [1, 2]) {
    vi.advanceTimersByTime(50_000);
    await say(line);
  }
  vi.advanceTimersByTime(50_000);
  await say(3);
  await (await starting).exited;
});

// Guarantee: a start that has gone silent is given up, and the error shows its last lines.
test.runIf(process.platform === 'linux')('a silent start is given up', async () => {
  await using folder = await temporaryFolder('recovery');
  const { starting, say } = await startRecovering(folder.path);
  await say(1);
  vi.advanceTimersByTime(61_000);
  await expect(starting).rejects.toThrow('redo in progress 1 | not ready, and silent for 60 s');
});

// Guarantee: the reason of a failed start is reported even when other processes end at the same moment.
test.runIf(process.platform === 'linux')('many starts that fail', async () => {
  await using folder = await temporaryFolder('failing');
  const postgres = join(folder.path, 'postgres');
  await writeFile(postgres, `#!/bin/sh\necho 'FATAL:  no such setting' >&2\nexit 1\n`, { mode: 0o755 });
  const start = () =>
    startPostmaster({ postgres, initdb: '', pgCtl: '' }, folder.path, null, {
      onLine: () => undefined,
      onSpawn: undefined,
      lockDescriptor: null,
    });
  for (let round = 0; round < 20; round += 1) {
    const starts = await Promise.allSettled([start(), start(), start(), start()]);
    for (const failed of starts)
      expect(failed).toMatchObject({ reason: { message: expect.stringContaining('no such setting') } });
  }
});
