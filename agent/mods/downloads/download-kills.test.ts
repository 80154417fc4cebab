import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runCount } from '#harness/kill-count.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startFileHost } from '../../../tests/simulators/file-host.ts';

const program = fileURLToPath(new URL('testing/fetch-main.ts', import.meta.url));

/** Pseudo-random numbers, at least 0 and below 1, from a seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

// Guarantee: a download killed at any moment is continued by the next process, and the result is the right file.
test('a download that is killed', { timeout: 180_000, tags: 'kills' }, async () => {
  const kills = runCount({ day: 6, night: 20 });
  const seed = Number(process.env.CASTELLAN_TEST_SEED ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  await using folder = await temporaryFolder('kills');
  await using host = await startFileHost();
  onTestFinished(() => void process.stderr.write(`seed ${seed}\n`));
  const content = randomBytes(40_000_000);
  const sha512 = createHash('sha512').update(content).digest('hex');
  host.put('/file', content);
  const cacheFolder = join(folder.path, 'cache');
  const file = {
    name: 'mod.jar',
    bytes: content.length,
    hashes: { sha512 },
    from: { kind: 'address', url: host.url(), key: null },
  };
  const argument = JSON.stringify({ file, cacheFolder, allowHosts: [host.hostPort] });
  const start = () => spawn(process.execPath, [program, argument], { stdio: ['ignore', 'pipe', 'inherit'] });

  host.behave({ bytesPerSecond: 6_000_000 });
  for (let kill = 0; kill < kills; kill += 1) {
    const child = start();
    const ended = once(child, 'exit');
    // From the first sign of the download, or a while before it.
    const untilMs = random() * 300;
    if (random() < 0.8) await Promise.race([once(child.stdout, 'data'), ended]);
    await Promise.race([new Promise((resolve) => setTimeout(resolve, untilMs)), ended]);
    child.kill('SIGKILL');
    await ended;
  }
  host.behave({});
  const child = start();
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await once(child, 'close');
  expect(lines.at(-1)).toBe(`whole ${sha512}`);
  expect(await readdir(join(cacheFolder, 'partial'))).toEqual([]);
  expect(await readdir(join(cacheFolder, 'files'))).toHaveLength(1);
  const again = (host.sentBytes / content.length - 1) * 100;
  process.stderr.write(`${again.toFixed(1)} % were sent twice over ${kills} kills\n`);
  // A kill loses whatever is in the sockets' buffers: some megabytes each.
  expect(host.sentBytes).toBeLessThan(content.length + kills * 8_000_000);
});
