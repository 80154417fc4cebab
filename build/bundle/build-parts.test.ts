import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { isAlive } from '#harness/script.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { startBuild } from '../bundle.ts';
import { openInputs } from './inputs.ts';

const root = resolve(import.meta.dirname, '../..');
/** What the smallest programs and the builder itself are made of. */
const copied = [
  'build',
  'contracts',
  'runtime',
  'electron',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];

/** One for all tests: each says first what is built in it, or makes it stale. */
let checkout: TemporaryFolder;
beforeAll(async () => {
  checkout = await temporaryFolder('checkout');
  for (const name of copied) await cp(join(root, name), at(name), { recursive: true });
  await symlink(join(root, 'node_modules'), at('node_modules'));
});
afterAll(() => checkout[Symbol.asyncDispose]());

const at = (...names: string[]) => join(checkout.path, ...names);
const guardian = () => at('dist', 'guardian.mjs');
const edit = async (file: string, change: (text: string) => string) =>
  writeFile(at(file), change(await readFile(at(file), 'utf8')));

/** Builds the guardian. @returns what the build said */
const build = async (): Promise<string[]> => {
  const said: string[] = [];
  await using building = startBuild({
    root: checkout.path,
    parts: ['guardian'],
    say: (line) => said.push(line),
  });
  await building.finished;
  return said;
};

const isBuilt = expect.arrayContaining(['building guardian …', expect.stringMatching(/^built in [\d.]+ s$/)]);
const source = 'runtime/guardian/main.ts';
const withMark = (mark: string) => (text: string) => `${text}\nprocess.env.MARK = '${mark}';\n`;

// Guarantee: what is built is said; what has not changed is not built again, even if every file of it was written again, as by a
// switch to another branch and back.
test('unchanged sources', async () => {
  expect(await build()).toEqual(isBuilt);
  const { ino, mtimeNs } = await stat(guardian(), { bigint: true });
  await edit(source, (text) => text);
  expect(await build()).toEqual([]);
  expect(await stat(guardian(), { bigint: true })).toMatchObject({ ino, mtimeNs });
});

// Guarantee: a program is never older than its sources: any change is noticed, whatever time the file has, and so is a change
// of a setting, of the lock file or of the installed libraries, a file of the build that was deleted or replaced, and one that a
// killed build left without its stamp.
test.each<readonly [string, () => Promise<unknown>]>([
  [
    'a source with an old time',
    async () => {
      const { atime, mtime } = await stat(at(source));
      await edit(source, withMark('new'));
      await utimes(at(source), atime, mtime);
    },
  ],
  ['package.json', () => edit('package.json', (text) => text.replace('"private": true', '"private": false'))],
  ['the lock file', () => edit('package-lock.json', (text) => `${text}\n`)],
  ['the bundler’s settings', () => edit('build/bundle/bundle-file.ts', (text) => `${text}\n// changed\n`)],
  [
    'the libraries',
    async () => {
      await rm(at('node_modules'));
      await mkdir(at('node_modules'));
      for (const name of await readdir(join(root, 'node_modules')))
        if (name !== '.package-lock.json')
          await symlink(join(root, 'node_modules', name), at('node_modules', name));
      await writeFile(at('node_modules/.package-lock.json'), '{}');
    },
  ],
  ['the program is gone', () => rm(guardian())],
  ['the program is another file', () => writeFile(guardian(), 'throw new Error();')],
  [
    'the program was renamed into place by another build',
    async () => {
      await cp(guardian(), at('dist', 'other.mjs'));
      await rename(at('dist', 'other.mjs'), guardian());
    },
  ],
  ['there is no stamp', () => rm(at('.cache'), { recursive: true })],
  ['the stamp is cut', () => writeFile(at('.cache/bundles/guardian.json'), '{"toolsVersion":')],
])('%s: built again', async (_what, change) => {
  await build();
  await change();
  expect(await build()).toEqual(isBuilt);
  expect(await build()).toEqual([]);
  expect(execFileSync(process.execPath, ['--check', guardian()]).toString()).toBe('');
});

// Guarantee: the change itself is in what is built next.
test('a changed source', async () => {
  await build();
  await edit(source, withMark('mark-1'));
  await build();
  expect(await readFile(guardian(), 'utf8')).toContain('mark-1');
  await edit(source, (text) => text.replace('mark-1', 'mark-2'));
  await build();
  expect(await readFile(guardian(), 'utf8')).toContain('mark-2');
});

// Guarantee: a source that changes while a build reads it counts as changed, even when it changes back.
test('a source that changes during the build', async () => {
  const inputs = openInputs(checkout.path);
  inputs.readAll();
  const modules = [at(source), at('package.json')];
  expect(Object.keys(inputs.versionsOf(modules) ?? {})).toEqual([source, 'package.json']);
  const text = await readFile(at(source), 'utf8');
  await writeFile(at(source), `${text}\n`);
  await writeFile(at(source), text);
  expect(inputs.versionsOf(modules)).toBeNull();
  await writeFile(at('runtime/new.ts'), 'export {};');
  expect(inputs.versionsOf([at('runtime/new.ts')])).toBeNull();
});

// Guarantee: two builds at once take turns, and the second finds everything built.
test('two at once', async () => {
  await edit(source, withMark('two'));
  const [first, second] = await Promise.all([build(), build()]);
  const said = [first, second].map((lines) => lines.filter((line) => line.startsWith('building')));
  expect(said.flat()).toEqual(['building guardian …']);
});

// Guarantee: a source that cannot be built is an error for those who wait, and what was built before stays.
test('a broken source', async () => {
  await build();
  const before = await readFile(guardian(), 'utf8');
  await edit(source, (text) => `${text}\nimport './missing.ts';\n`);
  await using building = startBuild({ root: checkout.path, parts: ['guardian'] });
  const { signal } = new AbortController();
  await expect(building.ready(['guardian'], signal)).rejects.toThrow('could not be built');
  await expect(building.finished).rejects.toThrow('could not be built');
  expect(await readFile(guardian(), 'utf8')).toBe(before);
  expect((await readdir(at('dist'))).filter((name) => name.startsWith('.half-'))).toEqual([]);
  await edit(source, (text) => text.replace("\nimport './missing.ts';\n", ''));
});

/** A process that starts a build of everything, and prints the build's id as soon as it has begun to write. */
const startParent = async () => {
  const code = `const { startBuild } = await import('./build/bundle.ts');
    startBuild({ say: (line) => process.stdout.write(line + '\\n') });`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: checkout.path,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(parent.stdout, 'data');
  const [half = ''] = (await readdir(at('dist'))).filter((name) => name.startsWith('.half-'));
  return { parent, builder: Number(half.split('-')[1]) };
};

// Guarantee: the process that builds ends with the one that needs it, however that ends, and leaves no half-built file; so it does
// when it is killed itself. The next build completes the work.
test.each<readonly [string, 'parent' | 'builder', NodeJS.Signals]>([
  ['its parent is killed', 'parent', 'SIGKILL'],
  ['it is told to end', 'builder', 'SIGTERM'],
  ['Ctrl-C', 'builder', 'SIGINT'],
  ['it is killed', 'builder', 'SIGKILL'],
])('the end of a build: %s', { tags: 'slow' }, async (_how, victim, signal) => {
  for (const name of ['portal', 'renderer', 'games'])
    await cp(join(root, name), at(name), { recursive: true });
  await rm(at('dist'), { recursive: true, force: true });
  const { parent, builder } = await startParent();
  expect(isAlive(builder)).toBe(true);
  if (victim === 'parent') parent.kill(signal);
  else process.kill(builder, signal);
  await eventually(async () => {
    expect(isAlive(builder)).toBe(false);
    expect((await readdir(at('dist'))).filter((name) => name.startsWith('.half-'))).toEqual([]);
  }, 30_000);
  parent.kill('SIGKILL');
  expect(await build()).toEqual(isBuilt);
});
