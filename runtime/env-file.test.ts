import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { editEnv, editEnvFile } from './env-file.ts';
import { StartupError } from './program.ts';

// Guarantee: the edited variables change, and every other byte stays.
test.each([
  ['a plain line', '# a\nKEY=old\nB=2\n', '# a\nKEY=new\nB=2\n'],
  ['a comment behind it', 'KEY=old # mine\n', 'KEY=new # mine\n'],
  ['quotes', 'KEY="o # ld" # mine\n', 'KEY=new # mine\n'],
  ['export and spaces', '  export KEY = old\n', '  export KEY = new\n'],
  ['Windows line ends', 'A=1\r\nKEY=old\r\nB=2\r\n', 'A=1\r\nKEY=new\r\nB=2\r\n'],
  ['the last of several', 'KEY=1\nA=1\nKEY=2\n', 'KEY=1\nA=1\nKEY=new\n'],
  ['a commented-out line', '# what it is\n# KEY=\nB=2\n', '# what it is\nKEY=new\nB=2\n'],
  ['no line at all', 'A=1\n', 'A=1\nKEY=new\n'],
  ['no line and no line end', 'A=1', 'A=1\nKEY=new'],
  ['a name that begins alike', 'KEY_2=a\nMY_KEY=b\nKEY=old\n', 'KEY_2=a\nMY_KEY=b\nKEY=new\n'],
  ['the mark that Notepad puts before all', '\uFEFFKEY=old\nB=2\n', '\uFEFFKEY=new\nB=2\n'],
  ['an empty value', 'KEY=\nB=2\n', 'KEY=new\nB=2\n'],
])('%s', (_what, before, after) => {
  expect(editEnv(before, { KEY: 'new' })).toBe(after);
});

// Guarantee: a removed variable leaves its place, so that it returns there.
test('taking out and putting back', () => {
  const without = 'A=1\n# KEY=\nB=2\n';
  const within = editEnv(without, { KEY: 'v,w' });
  expect(within).toBe('A=1\nKEY=v,w\nB=2\n');
  expect(editEnv(within, { KEY: null })).toBe(without);
  expect(editEnv(without, { KEY: null })).toBe(without);
});

// Guarantee: a file in which a line cannot be told from a part of another value is refused, not damaged.
test.each([
  ['a line inside a quoted value', 'NOTE="first\nKEY=inside\nlast"\n'],
  ['an older line of the same name', 'KEY=1\nKEY=2\n'],
])('%s', (_what, text) => {
  expect(() => editEnv(text, { KEY: null })).toThrow(StartupError);
});

// Guarantee: no change is lost when several are made at the same time, such as a port and the keys of the secrets.
test('several at once', async () => {
  await using folder = await temporaryFolder('env');
  const path = join(folder.path, '.env');
  await writeFile(path, 'A=1\n');
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  await Promise.all(names.map((name) => editEnvFile(path, { [name]: 'new' })));
  const text = await readFile(path, 'utf8');
  expect(text.split('\n').toSorted()).toEqual(['', ...names.map((name) => `${name}=new`)]);
});

// Guarantee: the file is replaced whole, at its real location, others cannot read it, and nothing of a killed edit is left beside it.
test('the file itself', async () => {
  await using folder = await temporaryFolder('env');
  const real = join(folder.path, 'real.env');
  const link = join(folder.path, '.env');
  await writeFile(real, 'KEY=old\n');
  await chmod(real, 0o644);
  await symlink(real, link);
  await writeFile(`${real}.68714f06-0087-4dbd-98d5-494814695c8d`, 'KEY=older\n');
  await editEnvFile(link, { KEY: 'new', OTHER: 'x' });
  expect(await readFile(real, 'utf8')).toBe('KEY=new\nOTHER=x\n');
  expect((await stat(real)).mode & 0o777).toBe(0o640);
  expect((await readdir(folder.path)).sort()).toEqual(['.env', 'real.env']);
});
