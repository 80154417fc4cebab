// @module-tag slow

import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeLicenseKey } from '#contracts/license/license-key.ts';
import { away, type FakePortal, refuseWith, startFakePortal } from '#runtime/license/testing/fake-portal.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { type HeadlessHome, headlessHome } from '../testing/headless-home.ts';

let home: HeadlessHome;
let portal: FakePortal;
beforeEach(async () => {
  home = await headlessHome();
  portal = await startFakePortal(Date.now);
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const serverLines = () => [
  `LICENSE_SERVER_URL=${portal.url}`,
  `LICENSE_SERVER_PUBLIC_KEY=${portal.key.publicKey}`,
];

// Guarantee: a script learns the state of the license from the exit code, and the help says which code means what.
test('the exit codes of castellan license', { tags: ['identity', 'night'] }, async () => {
  await home.writeEnv(serverLines());
  const key = makeLicenseKey(randomBytes(15));
  const activated = await home.runWith(key, 'license', 'activate');
  expect(activated).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('The license is valid') });
  // What was done to the data folder is printed separately from the answer.
  expect(activated.stderr).toContain('.env: added');
  expect(await home.run('license', 'status')).toMatchObject({ exitCode: 0 });
  portal.validate = away;
  expect(await home.run('license', 'check')).toMatchObject({ exitCode: 10 });
  expect(await home.run('license', 'status', '--json')).toMatchObject({ exitCode: 10 });
  portal.validate = refuseWith('REVOKED');
  expect(await home.run('license', 'check')).toMatchObject({ exitCode: 12 });
  await rm(join(home.path, 'license.json'));
  expect(await home.run('license', 'status')).toMatchObject({ exitCode: 11 });
  const { stdout: help } = await home.run('license', 'check', '--help');
  for (const words of [
    '10  the license is in its grace period',
    '11  no license',
    '12  the license was rejected',
  ])
    expect(help).toContain(words);
  const { stdout: activateHelp } = await home.run('license', 'activate', '--help');
  expect(activateHelp).not.toMatch(/\[key\]|CSTL/);
});

// Guarantee: castellan status shows the license even while all is well.
test('the license in castellan status', { tags: 'identity' }, async () => {
  await home.writeEnv(serverLines());
  await home.runWith(makeLicenseKey(randomBytes(15)), 'license', 'activate');
  home.launch();
  await home.whenRuns();
  expect((await home.run('status')).stdout).toMatch(/license +valid: Confirmed/);
  portal.validate = away;
  await home.run('license', 'check');
  expect((await home.run('status')).stdout).toMatch(/license +grace: Works until/);
  expect(JSON.parse((await home.run('status', '--json')).stdout)).toMatchObject({
    license: { state: 'grace' },
  });
});

// Guarantee: a build that names no portal says what to do next, and is ready once that is done.
test('without a license server', async () => {
  await rm(join(home.programs, 'license-server.json'));
  for (const command of [['start'], ['license', 'activate']]) {
    const { exitCode, stderr } = await home.runWith('CSTL-KEY', ...command);
    expect(exitCode).toBe(78);
    expect(stderr).toContain('portal key show');
    expect(stderr).toContain('npm run demo');
  }
});

// Guarantee: where nothing was started yet, no key is replaced or destroyed, and the message says what comes first.
test.each(['rotate', 'forget'])('key %s in a fresh home', async (command) => {
  expect(await home.run('key', command)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('castellan start'),
  });
  await expect(readFile(stackEnvPath(home.path))).rejects.toThrow('ENOENT');
});
