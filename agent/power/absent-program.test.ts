import { copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import {
  elfHead,
  missingLibrary,
  otherMachine,
  writeGame,
  writeProgramWithoutLibrary,
} from './program/testing/program-files.ts';
import { endLaunched, startTestPower, type TestPower, type TestPowerOptions } from './testing/test-power.ts';

/** So long that no second look happens in a test. */
const never = { programLookMs: 3_600_000 };

const place = async () => {
  const folder = await temporaryFolder('absent');
  onTestFinished(async () => {
    await endLaunched(folder.path);
    await folder[Symbol.asyncDispose]();
  });
  const opened = new Set<TestPower>();
  onTestFinished(async () => {
    for (const it of opened) await it[Symbol.asyncDispose]();
  });
  const open = async (options: Partial<TestPowerOptions> = {}) => {
    const it = await startTestPower({ folder: folder.path, command: ['./game'], ...options });
    opened.add(it);
    return it;
  };
  const starts = async () =>
    (await readFile(join(folder.path, 'starts'), 'utf8').catch(() => '')).split('\n').filter(Boolean).length;
  return { path: folder.path, game: join(folder.path, 'game'), open, starts };
};

const warnings = ({ logged }: TestPower) => logged.filter((line) => line.includes('cannot be started'));
const absent = (code: string) => ({
  state: 'stopped',
  wanted: 'running',
  crashes: 0,
  lastCrash: null,
  nextStartInMs: null,
  program: expect.objectContaining({ code }),
});

// Guarantee: a program that is not there, or cannot be loaded, is the reported reason from the first time on, in state, result and
// log; it is no crash, however often the agent looks.
test.each([
  ['does not exist', async () => undefined, 'program-missing'],
  ['is a folder', (path: string) => mkdir(path), 'program-is-folder'],
  [
    'may not be executed',
    (path: string) => writeFile(path, '#!/bin/sh\n', { mode: 0o644 }),
    'program-not-executable',
  ],
  [
    'lacks its interpreter',
    (path: string) => writeFile(path, '#!/missing\n', { mode: 0o755 }),
    'interpreter-missing',
  ],
  [
    'is for another machine',
    (path: string) => writeFile(path, elfHead(otherMachine), { mode: 0o755 }),
    'wrong-architecture',
  ],
  ['is empty', (path: string) => writeFile(path, '', { mode: 0o755 }), 'not-a-program'],
  ['lacks a library', writeProgramWithoutLibrary, 'library-missing'],
] as const)('a program that %s', async (_name, write, code) => {
  const at = await place();
  await write(at.game);
  const it = await at.open();
  const started = await it.act('start');
  expect(started).toMatchObject({ outcome: 'failed', value: { program: { code } } });
  const report = it.power.report();
  expect(report).toMatchObject(absent(code));
  expect(report.detail).toContain(at.game);
  expect(started.detail).toContain(report.detail);
  if (code === 'library-missing') expect(report.program?.values).toEqual([at.game, missingLibrary]);
  const launched = await readFile(join(it.powerFolder, 'holder.json'), 'utf8').catch(() => null);
  const looks = it.programLooks();
  await eventually(() => expect(it.programLooks()).toBeGreaterThan(looks + 3));
  expect(it.power.report()).toMatchObject(absent(code));
  expect(await readFile(join(it.powerFolder, 'holder.json'), 'utf8').catch(() => null)).toBe(launched);
  expect(warnings(it)).toHaveLength(1);
  expect(warnings(it)[0]).toContain(code);
});

// Guarantee: a game whose program appears is started within the interval, once, and nothing is started before.
test('a program that appears', async () => {
  const at = await place();
  const it = await at.open({ timing: { settleMs: 50 } });
  await it.act('start');
  await writeGame(join(at.path, 'new', 'game'));
  await rename(join(at.path, 'new', 'game'), at.game);
  await eventually(() => expect(it.power.report()).toMatchObject({ state: 'running', wanted: 'running' }));
  await eventually(async () => expect(await at.starts()).toBe(1));
  const { pid } = it.power.report();
  const looks = it.logged.length;
  await eventually(async () => {
    const record = JSON.parse(await readFile(join(it.powerFolder, 'power.json'), 'utf8'));
    expect(record).toMatchObject({ program: null, crashes: [] });
  });
  expect(it.power.report()).toMatchObject({ pid, crashes: 0, lastCrash: null });
  expect(it.power.report().program).toBeUndefined();
  expect(it.logged.slice(looks).join('')).not.toContain('starting the game');
  expect(await at.starts()).toBe(1);
});

// Guarantee: a folder that is mounted late is no crash; the game is started when the folder and its program are there.
test('a folder that appears', async () => {
  const at = await place();
  const gameFolder = join(at.path, 'my mount');
  const command: [string, ...string[]] = [join(gameFolder, 'the game')];
  const it = await at.open({ gameFolder, command });
  expect(await it.act('start')).toMatchObject({ value: { program: { code: 'folder-missing' } } });
  await mkdir(gameFolder);
  await eventually(() => expect(it.power.report()).toMatchObject(absent('program-missing')));
  await writeFile(join(gameFolder, 'half'), '');
  await writeGame(join(at.path, 'the game'));
  await rename(join(at.path, 'the game'), join(gameFolder, 'the game'));
  await eventually(() => expect(it.power.report()).toMatchObject({ state: 'running', crashes: 0 }));
});

// Guarantee: a program that is being written, which only the start itself shows, is no crash, and is started when it is complete.
test('a program that is being written', async () => {
  const at = await place();
  await copyFile('/bin/sleep', at.game);
  const it = await at.open({ command: ['./game', '1000'], timing: { programLookMs: 1000 } });
  {
    await using _writing = await open(at.game, 'r+');
    expect(await it.act('start')).toMatchObject({
      outcome: 'failed',
      value: { program: { code: 'program-busy', values: [at.game] } },
    });
    expect(it.power.report()).toMatchObject(absent('program-busy'));
  }
  await eventually(() => expect(it.power.report()).toMatchObject({ state: 'running', crashes: 0 }), 30_000);
});

// Guarantee: a library is looked for by its name, without a start; the game is started when it is there.
test('a library that appears', async () => {
  const at = await place();
  const inner = join(at.path, 'inner');
  await writeProgramWithoutLibrary(inner);
  await writeFile(at.game, `#!/bin/sh\n[ -e ready ] && exec sleep 1000\nexec ${inner}\n`, { mode: 0o755 });
  const it = await at.open();
  expect(await it.act('start')).toMatchObject({
    value: { program: { code: 'library-missing', values: [inner, missingLibrary] } },
  });
  await writeFile(join(at.path, 'ready'), '');
  const looks = it.programLooks();
  await eventually(() => expect(it.programLooks()).toBeGreaterThan(looks + 2));
  expect(it.power.report()).toMatchObject(absent('library-missing'));
  // What the linker named is gone: nothing keeps the game from being started.
  await rm(inner);
  await writeFile(inner, '#!/bin/sh\n', { mode: 0o755 });
  await writeFile(join(at.path, missingLibrary), await readFile('/bin/true'));
  await eventually(() => expect(it.power.report()).toMatchObject({ state: 'running', crashes: 0 }));
});

// Guarantee: while the agent waits for a program, a stop is obeyed at once and ends the wait, and a start looks at once.
test('a person who does not wait', async () => {
  const at = await place();
  const it = await at.open({ timing: never });
  await it.act('start');
  expect(it.power.report()).toMatchObject(absent('program-missing'));
  expect(await it.act('stop')).toMatchObject({ outcome: 'done' });
  expect(it.power.report()).toMatchObject({ state: 'stopped', wanted: 'stopped', detail: null });
  expect(it.power.report().program).toBeUndefined();
  await writeGame(at.game);
  expect(it.power.report()).toMatchObject({ state: 'stopped', wanted: 'stopped' });
  expect(await at.starts()).toBe(0);
  await rm(at.game);
  await it.act('start');
  await writeGame(at.game);
  expect(await it.act('start')).toMatchObject({ outcome: 'done' });
  expect(it.power.report()).toMatchObject({ state: 'running', wanted: 'running' });
});

// Guarantee: a stop while the agent waits stays a stop when the program appears.
test('a stop, then the program', async () => {
  const at = await place();
  const it = await at.open();
  await it.act('start');
  await it.act('stop');
  await writeGame(at.game);
  const looks = it.programLooks();
  await it.power.lookNow();
  await it.power.lookNow();
  expect(it.power.report()).toMatchObject({ state: 'stopped', wanted: 'stopped' });
  expect([it.programLooks(), await at.starts()]).toEqual([looks, 0]);
});

// Guarantee: an agent that starts again while the program is not there says the same again, writes no crash, and goes on looking.
test('another agent', async () => {
  const at = await place();
  const first = await at.open();
  await first.act('start');
  await first[Symbol.asyncDispose]();
  const second = await at.open();
  await eventually(() => expect(second.power.report()).toMatchObject(absent('program-missing')));
  expect(second.programLooks()).toBeGreaterThan(0);
  await writeGame(at.game);
  await eventually(() => expect(second.power.report()).toMatchObject({ state: 'running', crashes: 0 }));
  await eventually(async () => expect(await at.starts()).toBe(1));
});

// Guarantee: a missing library is remembered by the next agent, which starts nothing to find it again.
test('another agent, and a library', async () => {
  const at = await place();
  await writeProgramWithoutLibrary(at.game);
  const first = await at.open();
  await first.act('start');
  await first[Symbol.asyncDispose]();
  const launched = await readFile(join(first.powerFolder, 'holder.json'), 'utf8');
  const second = await at.open();
  await eventually(() => expect(second.programLooks()).toBeGreaterThan(2));
  expect(second.power.report()).toMatchObject(absent('library-missing'));
  expect(await readFile(join(second.powerFolder, 'holder.json'), 'utf8')).toBe(launched);
});

// Guarantee: a restart of a running game whose program is gone is refused before the game is down.
test('a restart without the program', async () => {
  const at = await place();
  await writeGame(at.game);
  const it = await at.open();
  await it.act('start');
  const { pid } = it.power.report();
  await rename(at.game, join(at.path, 'replaced'));
  expect(await it.act('restart')).toMatchObject({
    outcome: 'refused',
    value: { program: { code: 'program-missing', values: [at.game] } },
  });
  expect(it.power.report()).toMatchObject({ state: 'running', wanted: 'running', pid });
});

// Guarantee: a game that crashes after its program was replaced by nothing has crashed once; what follows is no crash.
test('a crash, and then no program', async () => {
  const at = await place();
  await writeFile(at.game, '#!/bin/sh\nrm game\nexit 3\n', { mode: 0o755 });
  const it = await at.open();
  await it.act('start');
  await eventually(() => expect(it.power.report()).toMatchObject({ program: { code: 'program-missing' } }));
  const looks = it.programLooks();
  await eventually(() => expect(it.programLooks()).toBeGreaterThan(looks + 2));
  expect(it.power.report()).toMatchObject({ state: 'stopped', crashes: 1, lastCrash: { exitCode: 3 } });
});

// Guarantee: the exit code of a program that has run is a crash, even one that shells use for a missing program.
test('a program that ends with 127', async () => {
  const at = await place();
  await writeFile(at.game, '#!/bin/sh\necho all is lost\nexit 127\n', { mode: 0o755 });
  const it = await at.open();
  expect(await it.act('start')).toMatchObject({ outcome: 'failed', value: null });
  await eventually(() => expect(it.power.report()).toMatchObject({ lastCrash: { exitCode: 127 } }));
});
