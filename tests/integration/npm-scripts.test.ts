import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { DemoInfo } from '#harness/demo.ts';
import { eventually } from '#harness/eventually.ts';
import { runCount } from '#harness/kill-count.ts';
import { freePort } from '#harness/ports.ts';
import { isAlive } from '#harness/script.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A script as a person runs it: through npm, here in a separate process group. */
const npmRun = (script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}, cwd = root) => {
  const npm = spawn('npm', ['run', script, '--', ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const lines: string[] = [];
  for (const stream of [npm.stdout, npm.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  const line = (start: string) =>
    eventually(() => {
      const found = lines.find((one) => one.startsWith(start));
      if (found === undefined) throw new Error(`no line "${start}" among:\n${lines.join('\n')}`);
      return found.slice(start.length);
    }, 120_000);
  return { pid: npm.pid ?? 0, exited: once(npm, 'exit'), closed: once(npm, 'close'), lines, line };
};

const statOf = async (pid: string) => {
  const text = await readFile(join('/proc', pid, 'stat'), 'latin1').catch(() => '0 () Z 0 0');
  const [state, parent, group] = text.replace(/^.*\) /s, '').split(' ');
  return { pid: Number(pid), isRunning: state !== 'Z', parent: Number(parent), group: Number(group) };
};

/** All processes that npm started, including those in other groups, as long as npm runs. */
const startedBy = async (npm: number): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = (await Promise.all(pids.map(statOf))).filter(({ isRunning }) => isRunning);
  const found = new Set([npm]);
  for (let known = 0; known < found.size; ) {
    known = found.size;
    for (const { pid, parent, group } of all) if (found.has(parent) || group === npm) found.add(pid);
  }
  return [...found];
};

const demoPorts = () => ['--port', String(11_000 + Math.floor(Math.random() * 19_000))];

const commandOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');

// Guarantee: SIGTERM to npm, whose process id a person knows, ends every process of the demo and removes its folder; what built the
// programs is gone once the demo runs.
test('SIGTERM to npm ends a demo', { tags: 'identity' }, async () => {
  const demo = npmRun('demo', ['--bare', ...demoPorts()]);
  const info = JSON.parse(await demo.line('CASTELLAN DEMO READY ')) as DemoInfo;
  const pids = await eventually(async () => {
    const started = await startedBy(demo.pid);
    const commands = (await Promise.all(started.map(commandOf))).join('\n');
    expect(commands).toContain('dist/castellan.mjs');
    expect(commands).not.toContain('build/bundle');
    return started;
  });
  expect(pids).toEqual(expect.arrayContaining(Object.values(info.pids)));
  process.kill(demo.pid, 'SIGTERM');
  await demo.exited;
  await eventually(() => expect(pids.filter(isAlive)).toEqual([]), 20_000);
  await expect(stat(info.home)).rejects.toThrow('ENOENT');
});

/** A checkout in which nothing is built. */
const freshCheckout = async (folder: string): Promise<string> => {
  const { stdout } = await run('git', ['ls-files', '-z', '--', ':!tests', ':!docs/screenshots'], {
    cwd: root,
  });
  // The configuration of the whole tree names the tests as a part, and a bundler reads it.
  for (const name of [...stdout.split('\0').filter(Boolean), 'tests/tsconfig.json'])
    await cp(join(root, name), join(folder, name)).catch(ignoreDeleted);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};
const ignoreDeleted = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};

/** One while it starts programs, and the others; the end of a build alone is in `build/bundle/build-parts.test.ts`. */
const steps = [
  ['SIGTERM', 'starting the stack …'],
  ['SIGINT', 'building the portal …'],
  ['SIGTERM', 'building the portal …'],
  ['SIGTERM', 'building the stack and its panel …'],
  ['SIGINT', 'starting the portal …'],
  ['SIGINT', 'starting simulated game servers'],
] as const;

// Guarantee: Ctrl-C, or SIGTERM to npm, ends a demo at each step of its start, with the process that builds, and leaves no folder.
test.each(steps.slice(0, runCount({ day: 1, night: steps.length })))(
  '%s to a demo that says: %s',
  { timeout: 240_000, tags: 'kills' },
  async (signal, step) => {
    await using temporary = await temporaryFolder('npm-demo-step');
    await chmod(temporary.path, 0o711);
    await using checkout = await temporaryFolder('npm-demo-checkout');
    const cwd = step.startsWith('building') ? await freshCheckout(checkout.path) : root;
    const demo = npmRun('demo', demoPorts(), { TMPDIR: temporary.path }, cwd);
    await demo.line(step);
    const pids = await startedBy(demo.pid);
    // A terminal signals everything in its foreground.
    process.kill(signal === 'SIGINT' ? -demo.pid : demo.pid, signal);
    await demo.exited;
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]), 70_000);
    // What npm and Node themselves keep there is not the demo's.
    const left = (await readdir(temporary.path)).filter((name) => name.startsWith('castellan'));
    expect(left).toEqual([]);
    const built = await readdir(join(cwd, 'dist')).catch(() => []);
    if (cwd !== root) expect(built.filter((name) => name.startsWith('.half-'))).toEqual([]);
  },
);

// Guarantee: the same for the stack that `npm start` starts without a display.
test('SIGTERM to npm ends a start', async () => {
  await using folder = await temporaryFolder('npm-start');
  const lines = [
    `API_PORT=${await freePort()}`,
    `DATABASE_URL=postgresql://castellan:secret@127.0.0.1:${await freePort()}/castellan`,
    `LICENSE_SERVER_URL=http://127.0.0.1:${await freePort()}`,
    `LICENSE_SERVER_PUBLIC_KEY=${randomBytes(32).toString('base64url')}`,
  ];
  await writeFile(join(folder.path, '.env'), `${lines.join('\n')}\n`);
  const env = { CASTELLAN_HOME: folder.path, DISPLAY: '', WAYLAND_DISPLAY: '' };
  const start = npmRun('start', [], env);
  await start.line('Press Ctrl-C to stop it.');
  const pids = await startedBy(start.pid);
  expect(pids.length).toBeGreaterThan(6);
  process.kill(start.pid, 'SIGTERM');
  await start.exited;
  await eventually(() => expect(pids.filter(isAlive)).toEqual([]), 20_000);
  expect(start.lines).toContain('Stopping …');
});

// Guarantee: a script that only checks or measures leaves nothing behind either, no matter what it runs at that moment.
test.each([
  ['verify', 5],
  ['bench', 6],
] as const)('SIGTERM to npm ends %s', async (script, processes) => {
  const running = npmRun(script, script === 'bench' ? ['login'] : []);
  const pids = await eventually(async () => {
    const started = await startedBy(running.pid);
    expect(started.length).toBeGreaterThanOrEqual(processes);
    return started;
  }, 60_000);
  process.kill(running.pid, 'SIGTERM');
  await running.exited;
  await eventually(() => expect(pids.filter(isAlive)).toEqual([]), 20_000);
});

// Guarantee: a demo that cannot start says why in its last line, and which log has the details.
test('a demo that fails', { tags: 'night' }, async () => {
  await using folder = await temporaryFolder('npm-demo');
  await writeFile(
    join(folder.path, '.env'),
    'API_PORT=no-port\nDATABASE_URL=postgresql://a:b@127.0.0.1:1/c\n',
  );
  const demo = npmRun('demo', ['--bare', '--home', folder.path, ...demoPorts()]);
  const [exitCode] = await demo.exited;
  await demo.closed;
  expect(exitCode).not.toBe(0);
  const last = demo.lines.at(-1) ?? '';
  expect(last).toContain('API_PORT');
  expect(last).toContain(join(folder.path, 'castellan.out'));
});
