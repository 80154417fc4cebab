import { link, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { windowsServices } from '#runtime/windows/service-control.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { performStep } from './perform-step.ts';

// Guarantee: an installation that broke off before it made its folders can be given up: permissions are revoked on what is there.
test('rights on folders that were never made', async () => {
  await using folder = await temporaryFolder('steps');
  const asked: (string | undefined)[] = [];
  const run = async (_program: string, [path]: readonly string[]) => {
    asked.push(path);
    if (path !== folder.path)
      throw Object.assign(new Error('The system cannot find the file specified.'), { code: 2 });
    return '';
  };
  const perform = performStep({ home: folder.path, control: windowsServices(run), app: null, run });
  await perform({ kind: 'revoke-rights' });
  expect(asked).toEqual([folder.path, folder.path, folder.path]);
});

// Guarantee: links that an account puts into its data folder cannot make an administrator give away, or write into, what is
// outside of it.
test('links in the home', async () => {
  await using outside = await temporaryFolder('outside');
  await writeFile(join(outside.path, 'kept'), 'as it was');
  const links: readonly ((home: string) => Promise<void>)[] = [
    (home) => symlink(outside.path, join(home, 'postgres')),
    (home) => symlink(outside.path, join(home, 'logs')),
    (home) => symlink(outside.path, join(home, 'services')),
    (home) => mkdir(join(home, 'services')).then(() => symlink(outside.path, join(home, 'services', 'bot'))),
    async (home) => {
      await mkdir(join(home, 'logs'));
      await link(join(outside.path, 'kept'), join(home, 'logs', 'bot.log'));
    },
  ];
  for (const makeLink of links) {
    await using home = await temporaryFolder('steps');
    await makeLink(home.path);
    await writeFile(join(home.path, '.env'), '');
    await ensureEnv(home.path, { url: 'http://127.0.0.1:1', publicKey: 'A'.repeat(43) });
    const given: string[] = [];
    const run = async (_program: string, [path = '']: readonly string[]) => {
      given.push(path);
      return '';
    };
    const perform = performStep({ home: home.path, control: windowsServices(run), app: null, run });
    const moving = perform({ kind: 'write-envs' }).then(() => perform({ kind: 'grant-rights' }));
    await expect(moving).rejects.toThrow('is a link');
    expect(given).toEqual([]);
    expect(await readdir(outside.path)).toEqual(['kept']);
  }
});

// Guarantee: a very large data folder gets all its permissions: icacls is given the time that it needs for them.
test('rights on a large home', async () => {
  await using folder = await temporaryFolder('steps');
  const times: (number | undefined)[] = [];
  const run = async (_program: string, _args: readonly string[], timeoutMs?: number) => {
    times.push(timeoutMs);
    return '';
  };
  const perform = performStep({ home: folder.path, control: windowsServices(run), app: null, run });
  await perform({ kind: 'grant-rights' });
  for (const timeoutMs of times) expect(timeoutMs).toBeGreaterThanOrEqual(15 * 60_000);
  expect(times).not.toEqual([]);
});

// Guarantee: a step begins when the observer of the move is ready for it.
test('what comes before a step', async () => {
  const order: string[] = [];
  const control = windowsServices(async () => {
    order.push('step');
    throw Object.assign(new Error('no such service'), { code: 1060 });
  });
  const onStep = async () => {
    await new Promise(setImmediate);
    order.push('before');
  };
  const perform = performStep({ home: 'C:\\home', control, app: null, onStep });
  await perform({ kind: 'delete', component: 'bot', command: 'x' });
  expect(order[0]).toBe('before');
});

// Guarantee: a service that Windows refuses to start fails the step immediately, with what to do.
test('a refused start', async () => {
  const control = windowsServices(async (_program, [verb]) => {
    if (verb === 'start') throw Object.assign(new Error('sc.exe ended'), { code: 1058 });
    return 'STATE : 4  RUNNING';
  });
  const perform = performStep({ home: '', control, app: null });
  await expect(perform({ kind: 'start', component: 'api' })).rejects.toMatchObject({ reason: 'disabled' });
});
