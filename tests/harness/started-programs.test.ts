import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { guardPrograms } from './started-programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const guard = guardPrograms();
// What the tests below start on purpose must not fail them.
afterEach(() => void guard.violations());

/** It is on every Debian, and no tag and no list names it: tests have no use for it. */
const undeclared = '/usr/bin/factor';
const sentence = (program: string) =>
  `starts ${program} without a tag of tests/harness/available.ts that names it`;

// Guarantee: an undeclared program is found by path and by bare name, whichever of Node's functions starts it.
test.each([
  ['spawn', () => new Promise((resolve) => spawn(undeclared, ['6']).once('close', resolve))],
  ['execFile', () => promisify(execFile)(undeclared, ['6'])],
  ['spawnSync', () => spawnSync(undeclared, ['6'])],
  ['execFileSync', () => execFileSync(undeclared, ['6'])],
])('%s', async (_name, start) => {
  await start();
  expect(guard.violations()).toEqual([sentence(undeclared)]);
  expect(guard.violations()).toEqual([]);
});

test('by its bare name', () => {
  execFileSync('factor', ['6']);
  expect(guard.violations()).toEqual([sentence('factor')]);
});

// Guarantee: what every Debian has, what a test makes, what is not there, and what a tag names may be started.
test('what may be started', async () => {
  await using folder = await temporaryFolder('programs');
  const made = join(folder.path, 'made');
  await writeFile(made, '#!/bin/sh\n');
  await chmod(made, 0o755);
  for (const program of [
    process.execPath,
    '/bin/sh',
    'true',
    made,
    '/nonexistent/program',
    'nonexistent-program',
  ])
    spawnSync(program, ['--version']);
  guard.allow(['faketime']);
  spawnSync('faketime', ['--version']);
  expect(guard.violations()).toEqual([]);
});
