import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { serverObstacle } from '../check-server.ts';
import { findProgram } from './find-program.ts';
import { inspectProgram } from './inspect-program.ts';
import { libraryFault, reportedLibrary, stillMissing } from './libraries.ts';
import { isRunByAnother } from './other-formats.ts';
import {
  elfHead,
  missingLibrary,
  otherMachine,
  peFile,
  writeProgramWithoutLibrary,
} from './testing/program-files.ts';
import { isWindowsLibraryThere, missingWindowsLibrary } from './windows-libraries.ts';

const place = async () => {
  const folder = await temporaryFolder('program');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  return folder.path;
};

const random = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 89 + 7) % 256));
const script = (line: string) => Buffer.from(`${line}\nexit 0\n`);

// Guarantee: what the system would not load as a program is found by the file alone, with the reason; what it would load is not.
test.each([
  ['nothing', Buffer.alloc(0), 'not-a-program'],
  ['random bytes', random, 'not-a-program'],
  ['half of a head', elfHead(otherMachine).subarray(0, 20), 'not-a-program'],
  ['a damaged table of segments', elfHead(otherMachine).fill(0xff, 32, 64), 'not-a-program'],
  ['another machine', elfHead(otherMachine), 'wrong-architecture'],
  ['a program of Windows', peFile(0x8664), 'wrong-architecture'],
  ['a script without its interpreter', script('#!/missing'), 'interpreter-missing'],
  ['blanks before the interpreter', script('#! \t/missing -x'), 'interpreter-missing'],
  ['env without the interpreter', script('#!/usr/bin/env no-such-interpreter'), 'interpreter-missing'],
  ['line endings of Windows', script('#!/bin/sh\r'), 'script-line-endings'],
  ['line endings of Windows behind env', script('#!/usr/bin/env sh\r'), 'script-line-endings'],
  ['a first line without a name', script('#!  '), 'not-a-program'],
  ['a script', script('#!/bin/sh -e'), null],
  ['a script by env', script('#!/usr/bin/env -S sh -e'), null],
  ['a script without a first line', script('exit 3'), null],
])('a file with %s', async (_name, content, code) => {
  const folder = await place();
  const path = join(folder, 'game');
  await writeFile(path, content, { mode: 0o755 });
  const found = await inspectProgram(path, folder);
  expect(found?.code ?? null).toBe(code);
  if (code !== null) expect(found?.values[0]).toBe(path);
});

// Guarantee: this very program and real ones of the system are found to be fine, with all their libraries.
test('programs that run', async () => {
  for (const path of [process.execPath, '/bin/sh', '/bin/true'])
    expect([await inspectProgram(path, '/'), await libraryFault(path, '/')]).toEqual([null, null]);
});

// Guarantee: a script whose interpreter is itself, or is a script without its own, is found.
test('interpreters that are scripts', async () => {
  const folder = await place();
  const write = (name: string, line: string) => writeFile(join(folder, name), script(line), { mode: 0o755 });
  await write('outer', `#!${join(folder, 'inner')}`);
  await write('inner', '#!/missing');
  await write('itself', `#!${join(folder, 'itself')}`);
  expect(await inspectProgram(join(folder, 'outer'), folder)).toMatchObject({
    code: 'interpreter-missing',
    values: [join(folder, 'inner'), '/missing'],
  });
  expect(await inspectProgram(join(folder, 'itself'), folder)).toMatchObject({ code: 'not-a-program' });
});

// Guarantee: a format that Linux hands to another program is no fault, by its first bytes or its name; one that is turned off is.
test('formats that other programs run', async () => {
  const folder = await place();
  const head = peFile(0x8664).subarray(0, 256);
  const isRun = () => isRunByAnother(join(folder, 'game.exe'), head, folder);
  expect(await isRun()).toBe(false);
  await writeFile(join(folder, 'wine'), 'disabled\ninterpreter /usr/bin/wine\noffset 0\nmagic 4d5a\n');
  expect(await isRun()).toBe(false);
  await writeFile(
    join(folder, 'wine'),
    'enabled\ninterpreter /usr/bin/wine\nflags: \noffset 0\nmagic 4d5a\nmask ffff\n',
  );
  expect(await isRun()).toBe(true);
  await writeFile(join(folder, 'wine'), 'enabled\ninterpreter /usr/bin/wine\nflags: \nextension .exe\n');
  expect(await isRun()).toBe(true);
  await writeFile(join(folder, 'wine'), 'enabled\noffset 0\nmagic 4d5b\nmask fffe\n');
  expect(await isRun()).toBe(true);
});

// Guarantee: the first word of a command means a file that can be run, in the folder or the PATH; else the reason is the nearest one.
test('the program behind a word', async () => {
  const folder = await place();
  await mkdir(join(folder, 'my game'));
  await writeFile(join(folder, 'my game', 'server x'), script('#!/bin/sh'), { mode: 0o755 });
  await writeFile(join(folder, 'plain'), 'text');
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling'));
  await mkdir(join(folder, 'true'));
  const find = async (word: string) => {
    const found = await findProgram(folder, word);
    return 'path' in found ? found.path : [found.fault.code, ...found.fault.values];
  };
  expect(await find('my game/server x')).toBe(join(folder, 'my game', 'server x'));
  expect(await find(join(folder, 'my game', 'server x'))).toBe(join(folder, 'my game', 'server x'));
  expect(await find('true')).toMatch(/\/true$/);
  expect(await find('./true')).toEqual(['program-is-folder', join(folder, 'true')]);
  expect(await find('plain')).toEqual(['program-not-executable', join(folder, 'plain')]);
  expect(await find('dangling')).toEqual(['program-missing', 'dangling']);
  expect(await find('./dangling')).toEqual(['program-missing', join(folder, 'dangling')]);
  expect(await find('plain/game')).toEqual(['program-missing', join(folder, 'plain/game')]);
});

// Guarantee: a missing library is found by the program's own list, and by the linker's message; it is there once it has been
// installed where the linker looks for it.
test('a missing library', async () => {
  const folder = await place();
  const path = join(folder, 'game');
  await writeProgramWithoutLibrary(path);
  expect(await inspectProgram(path, folder)).toBeNull();
  const missing = { code: 'library-missing', values: [path, missingLibrary] };
  expect(await libraryFault(path, folder)).toEqual(missing);
  expect(await serverObstacle({ folder, start: { by: 'holder', command: [path], account: null } })).toContain(
    missingLibrary,
  );
  const line = (library: string) =>
    `${path}: error while loading shared libraries: ${library}: cannot open shared object file: No such file or directory`;
  expect(await reportedLibrary(['loading', line(missingLibrary), ''], path, folder)).toEqual(missing);
  expect(
    await reportedLibrary(
      [`Error loading shared library ${missingLibrary}: No such file or directory (needed by ${path})`],
      path,
      folder,
    ),
  ).toEqual(missing);
  // What the linker would find now is not missing, whatever was written.
  expect(await reportedLibrary([line('libc.so.6')], path, folder)).toBeNull();
  expect(await reportedLibrary(['all is well'], path, folder)).toBeNull();
});

// Guarantee: a script's library is looked for in the server's folder, too; one of another machine does not count.
test('the library of a script', async () => {
  const folder = await place();
  const path = join(folder, 'start.sh');
  await writeFile(path, script('#!/bin/sh'), { mode: 0o755 });
  const missing = { code: 'library-missing', values: [path, missingLibrary] } as const;
  const known = { ...missing, values: [...missing.values] };
  expect(await stillMissing(known, folder)).toEqual(missing);
  await mkdir(join(folder, 'linux64/lib'), { recursive: true });
  await writeFile(join(folder, 'linux64/lib', missingLibrary), elfHead(otherMachine));
  expect(await stillMissing(known, folder)).toEqual(missing);
  await copyFile('/bin/true', join(folder, 'linux64/lib', missingLibrary));
  expect(await stillMissing(known, folder)).toBeNull();
});

// Guarantee: the libraries of a program of Windows are looked for beside it; sets of functions that Windows provides are there.
test('the libraries of a program of Windows', async () => {
  const folder = await place();
  const path = join(folder, 'game.exe');
  await writeFile(path, peFile(0x8664, ['api-ms-win-core-file-l1-1-0.dll', 'steam_api64.dll', 'other.dll']));
  expect(await missingWindowsLibrary(path, folder)).toBe('steam_api64.dll');
  await writeFile(join(folder, 'steam_api64.dll'), '');
  expect(await isWindowsLibraryThere(path, 'steam_api64.dll', folder)).toBe(true);
  expect(await missingWindowsLibrary(path, folder)).toBe('other.dll');
  await writeFile(join(folder, 'other.dll'), '');
  expect(await missingWindowsLibrary(path, folder)).toBeNull();
});

// Guarantee: the check finds each reason before the game is started for the first time, and starts nothing.
test('the check of a server', async () => {
  const folder = await place();
  const check = (...command: [string, ...string[]]) =>
    serverObstacle({ folder, start: { by: 'holder', command, account: null } });
  const marked = join(folder, 'marked');
  await writeFile(join(folder, 'a game'), `#!/bin/sh\ntouch '${marked}'\n`, { mode: 0o755 });
  expect(await check('./a game')).toBeNull();
  expect(await check('./missing')).toBe(`The program ${join(folder, 'missing')} does not exist.`);
  expect(await check('no-such-program')).toBe('The program no-such-program does not exist.');
  expect(await check(folder)).toContain('is a folder');
  await chmod(join(folder, 'a game'), 0o644);
  expect(await check('./a game')).toContain('may not be run');
  expect(
    await serverObstacle({
      folder: join(folder, 'not mounted'),
      start: { by: 'holder', command: ['./game'], account: null },
    }),
  ).toContain('does not exist. Is its drive connected?');
  expect((await inspectProgram(marked, folder))?.code).toBe('program-missing');
});
