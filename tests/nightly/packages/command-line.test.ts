// @module-tag identity

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { type Demo, startDemo } from '#harness/demo.ts';
import { currentPrograms } from '#harness/panel-programs.ts';
import type { TemporaryFolder } from '#harness/temporary-folder.ts';

const run = promisify(execFile);

let programs: TemporaryFolder;
let demo: Demo;
beforeAll(async () => {
  programs = await currentPrograms();
  demo = await startDemo(undefined, { bare: true, programs: programs.path });
}, 240_000);
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
});

const castellan = async (args: string[], input = '') => {
  const running = run(process.execPath, [
    join(programs.path, 'castellan.mjs'),
    ...args,
    '--home',
    demo.info.home,
  ]);
  running.child.stdin?.end(input);
  return (await running).stdout;
};

const signIn = async (name: string, password: string) => {
  const response = await fetch(demo.info.apiUrl + sessionsHttp.signIn.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, password, transport: 'bearer' }),
  });
  return { status: response.status, body: (await response.json()) as { token?: string } };
};

// Guarantee: one command rotates the key of a running installation, and everything stays readable.
test('castellan key rotate', async () => {
  const envFile = join(demo.info.home, '.env');
  const keyOf = (text: string) => /^CONFIG_ENCRYPTION_KEY=(\w+)$/m.exec(text)?.[1];
  const before = await readFile(envFile, 'utf8');
  expect(await castellan(['key', 'rotate'])).toMatch(
    /Backup taken.*Done\. Everything is encrypted with the key [0-9a-f]{8}/s,
  );
  const after = await readFile(envFile, 'utf8');
  expect(keyOf(after)).toMatch(/^[0-9a-f]{64}$/);
  expect(keyOf(after)).not.toBe(keyOf(before));
  expect(after).not.toContain(keyOf(before));
  expect((await signIn(demo.info.admin.name, demo.info.admin.password)).status).toBe(200);
});
