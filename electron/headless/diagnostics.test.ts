// @module-tag slow

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unzip } from '#harness/unzip.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { type HeadlessHome, headlessHome } from '../testing/headless-home.ts';

let home: HeadlessHome;
beforeEach(async () => {
  home = await headlessHome();
});
afterEach(() => home[Symbol.asyncDispose]());

const json = (files: Readonly<Record<string, string>>, name: string) => JSON.parse(files[name] ?? 'null');

// Guarantee: one command makes a bundle of a running stack, and of a stopped one; an existing file is left alone.
test('a bundle from the command line', { tags: 'python' }, async () => {
  expect(await home.run('diagnostics')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`There is no folder ${home.path}.`),
  });
  await home.writeEnv();
  const child = home.launch();
  await home.whenRuns();
  const out = join(home.folder, 'out');
  await mkdir(out);
  const made = await home.run('diagnostics', '--out', out);
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  const [name = ''] = await readdir(out);
  expect(name).toMatch(/^castellan-diagnostics-\d{4}-\d\d-\d\d-\d{6}\.zip$/);
  expect(made.stdout).toContain(join(out, name));
  const files = await unzip(join(out, name));
  expect(json(files, 'stack.json')).toMatchObject({ state: 'running' });
  expect(json(files, 'ports.json')).toMatchObject({
    api: { port: home.apiPort, obstacle: 'EADDRINUSE', owner: { pid: expect.any(Number) } },
  });
  expect(Number(json(files, 'database.json').bytes[0].bytes)).toBeGreaterThan(1_000_000);
  expect(json(files, 'license.json')).toMatchObject({ state: 'unlicensed' });
  expect(files['logs/supervisor.log']).toContain('api is running');
  expect(JSON.stringify(files)).not.toContain('a-password-of-the-api');

  child.kill('SIGTERM');
  await once(child, 'exit');
  const file = join(home.folder, 'größe Ελλάδα.zip');
  expect(await home.run('diagnostics', '--out', file)).toMatchObject({ exitCode: 0 });
  const stopped = await unzip(file);
  expect(json(stopped, 'stack.json')).toEqual({ nobodyRunsIt: true });
  expect(stopped['README.txt']).toMatch(/^database.json .*the database does not run/m);
  expect(stopped['logs/postgres.log']).toContain('database system is shut down');
  expect(await home.run('diagnostics', '--out', file)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('already exists'),
  });
});

// Guarantee: when there is no room for the bundle, people are told, and no half of it takes what room there is.
test('a full disk', { skip: process.platform === 'win32' }, async () => {
  await home.writeEnv();
  await mkdir(join(home.path, 'logs'));
  const noise = Array.from({ length: 5000 }, (_, index) => `a line ${index * 7919} ${index ** 3}`).join('\n');
  await writeFile(join(home.path, 'logs', 'api.log'), noise);
  const command = `ulimit -f 8; exec "$0" "$1" diagnostics --out "$2"`;
  const out = join(home.folder, 'bundle.zip');
  const program = [process.execPath, join(home.programs, 'castellan.mjs'), out];
  const env = { ...systemEnv(), CASTELLAN_HOME: home.path };
  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    // With a socket as its input, bash believes it is a remote shell, and would read the user's own files first.
    execFile('bash', ['--norc', '-c', command, ...program], { env }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`${out} cannot be written`) });
  expect((await readdir(home.folder)).filter((name) => name.startsWith('bundle'))).toEqual([]);
});
