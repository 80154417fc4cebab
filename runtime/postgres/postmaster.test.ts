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
  const lines: string[] = [];
  const starting = startPostmaster({ postgres, initdb: '', pgCtl: '' }, folder, null, {
    onLine: (line) => void lines.push(line),
    onSpawn: undefined,
    lockDescriptor: null,
  });
  starting.catch(() => undefined);
  const heard = async (text: string) => {
    const until = performance.now() + 20_000;
    while (!lines.at(-1)?.includes(text) && performance.now() < until) await nextTurn();
    expect(lines.at(-1)).toContain(text);
  };
  return {
    starting,
    lines,
    async say(line: number) {
      await writeFile(join(folder, `go-${line}`), '');
      await heard(line === 3 ? 'ready' : `redo in progress ${line}`);
    },
    /** Another minute of silence, which makes as many seconds altogether. */
    async silentFor(seconds: number) {
      vi.advanceTimersByTime(60_000);
      await heard(`nothing for ${seconds} s`);
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

// Guarantee: a start that Postgres itself calls under way is waited for although it is silent, as the checkpoint at the end of a
// recovery is on a slow disk, and that is said; not for ever.
test.runIf(process.platform === 'linux')('a silent start that is under way', async () => {
  await using folder = await temporaryFolder('recovery');
  const lock = (status: string) =>
    writeFile(
      join(folder.path, 'postmaster.pid'),
      `1\n${folder.path}\n1\n5440\n\n127.0.0.1\n  1 2\n${status}\n`,
    );
  const { starting, say, lines, silentFor } = await startRecovering(folder.path);
  await say(1);
  await lock('starting');
  for (const seconds of [60, 120]) await silentFor(seconds);
  expect(lines.at(-1)).toMatch('still starting, and has said nothing for 120 s');
  await say(2);
  await silentFor(60);
  for (let seconds = 120; seconds < 1800; seconds += 60) await silentFor(seconds);
  vi.advanceTimersByTime(60_000);
  await expect(starting).rejects.toThrow('redo in progress 2 | not ready, and silent for 1800 s');
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
  for (let round = 0; round < 8; round += 1) {
    const starts = await Promise.allSettled([start(), start(), start(), start()]);
    for (const failed of starts)
      expect(failed).toMatchObject({ reason: { message: expect.stringContaining('no such setting') } });
  }
});
