// @module-tag identity

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
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

const whoAmI = async (token: string) =>
  (await fetch(demo.info.apiUrl + accountHttp.me.path, { headers: { Authorization: `Bearer ${token}` } }))
    .status;

// Guarantee: the owner of the machine can create admins and reset their passwords, which ends their sessions; the audit log
// names who did it, and no password is ever an argument.
test('castellan admin', async () => {
  const first = await signIn(demo.info.admin.name, demo.info.admin.password);
  expect(first.status).toBe(200);
  expect(
    await castellan(['admin', 'create', '--name', 'Zoë', '--role', 'viewer'], 'correct horse battery staple'),
  ).toBe('Zoë can now sign in, with the role viewer.\n');
  await expect(
    castellan(['admin', 'create', '--name', 'zoË'], 'correct horse battery staple'),
  ).rejects.toThrow();
  const { status, body } = await signIn('zoë', 'correct horse battery staple');
  expect(status).toBe(200);
  expect(await whoAmI(body.token ?? '')).toBe(200);

  await castellan(['admin', 'reset-password', 'ZOË'], 'another good long password');
  expect(await whoAmI(body.token ?? '')).toBe(401);
  expect((await signIn('Zoë', 'correct horse battery staple')).status).not.toBe(200);
  expect((await signIn('Zoë', 'another good long password')).status).toBe(200);
  await expect(castellan(['admin', 'reset-password', 'nobody'], 'x')).rejects.toThrow(/There is no admin/);
  await expect(castellan(['admin', 'create', '--name', 'short'], 'short')).rejects.toThrow();

  const audit = await castellan(['sql', '--json', "select * from audit_logs where action like 'admins.%'"]);
  expect(audit).toContain('desktop');
  expect(audit).not.toContain('correct horse');
});
