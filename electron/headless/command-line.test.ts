// @module-tag slow

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HeadlessHome, headlessHome } from '../testing/headless-home.ts';

let home: HeadlessHome;
beforeEach(async () => {
  home = await headlessHome();
});
afterEach(() => home[Symbol.asyncDispose]());

// Guarantee: wrong usage is distinguished from failure, and every command explains itself with its exit codes.
test('usage', async () => {
  for (const args of [
    [],
    ['nonsense'],
    ['restart', 'nobody'],
    ['status', '--nonsense'],
    ['license', 'activate'],
  ])
    expect(await home.run(...args), args.join(' ')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/\S/),
    });
  for (const args of [[], ['license', 'activate'], ['agent', 'config']])
    expect(await home.run(...args, '--help')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        new RegExp(`^Usage: ${['castellan', ...args].join(' ')} [^]*Exit codes:\n +0 `),
      ),
    });
  const elsewhere = await home.run('--home', join(home.folder, 'elsewhere'), 'status');
  expect(elsewhere).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('elsewhere') });
});

// Guarantee: a mistyped license key is caught before anything is asked; the status needs no running stack.
test('license', { tags: 'identity' }, async () => {
  expect(await home.run('license', 'status')).toMatchObject({ exitCode: 3 });
  const mistyped = await home.run('license', 'activate', 'CSTL-0000-0000-0000-0001');
  expect(mistyped).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/\S/) });
  const { stdout } = await home.run('license', 'status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ state: 'unlicensed', code: 'LICENSE_REQUIRED' });
});
