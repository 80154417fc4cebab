import { expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import type { RunSystemProgram } from '../windows/system-program.ts';
import { openCluster } from './cluster.ts';
import { familyAmong, familyOf, parseLock, parseProcesses, postgresProcesses } from './family.ts';

// As Windows's own wmic and Wine's write it: UTF-16, read as bytes.
const byWmic = Buffer.from(
  '\ufeffCreationDate               Name            ParentProcessId  ProcessId\r\n' +
    '                           services.exe    40               48       \r\n' +
    '20261122161234.123456+060  postgres.exe    512              1034     \r\n' +
    '20261122151200.000000+000  mypostgres.exe  1                2        \r\n' +
    '                           postgres.exe    1034             2056     \r\n',
  'utf16le',
).toString('utf8');
const byPowershell = '134398339540000000 postgres.exe 512 1034\r\n postgres.exe 1034 2056\r\n';
const createdMs = Date.UTC(2026, 10, 22, 15, 12, 34);
const both = [
  { pid: 1034, parent: 512, createdMs },
  { pid: 2056, parent: 1034, createdMs: null },
];

// Guarantee: processes of Postgres are found in the output of either Windows program, and no others.
test('lists of Windows', () => {
  expect(parseProcesses(byWmic)).toEqual(both);
  expect(parseProcesses(byPowershell)).toEqual(both);
  expect(parseProcesses('No Instance(s) Available.\r\n')).toEqual([]);
});

// Guarantee: the postmaster that the lock file names is the one that wrote it: a process that got its pid after a power cut is left
// alone, with its children. Where the times are unknown, the pid decides.
test.each<[string, number | null, boolean]>([
  ['written in its first moments', createdMs + 2000, true],
  ['written after a slow start', createdMs + 25_000, true],
  ['a listing with the wrong daylight saving', createdMs + 3_600_000 + 1000, true],
  ['left by an earlier one', createdMs - 40_000, false],
  ['left weeks before', createdMs - 40 * 86_400_000, false],
  ['half written', null, true],
])('a lock file: %s', (_name, startedMs, isOurs) => {
  const started = startedMs === null ? '' : `${Math.floor(startedMs / 1000)}\n5432\n`;
  const lock = parseLock(`1034\nC:/ProgramData/Castellan/postgres/data\n${started}`);
  expect(familyAmong(both, lock)).toEqual(
    isOurs ? { postmaster: 1034, children: [2056] } : { postmaster: null, children: [] },
  );
});

// Guarantee: children of a postmaster that is gone are found by its pid, and none when another program has it.
test('a lock file without its postmaster', () => {
  const child = { pid: 2056, parent: 0x3ffffff, createdMs };
  expect(familyAmong([child], { pid: 0x3ffffff, startedMs: createdMs })).toEqual({
    postmaster: null,
    children: [2056],
  });
  const taken = { ...child, parent: process.pid };
  expect(familyAmong([taken], { pid: process.pid, startedMs: createdMs }).children).toEqual([]);
  expect(familyAmong([child], parseLock(''))).toEqual({ postmaster: null, children: [] });
});

// Guarantee: a Windows without wmic is queried through PowerShell, and a failed query never counts as "none".
test('a Windows without wmic', async () => {
  const asked: string[] = [];
  const answering =
    (answer: (program: string) => string): RunSystemProgram =>
    async (program) => {
      asked.push(program);
      return answer(program);
    };
  const missing = (): string => {
    throw new Error('ENOENT');
  };
  const withoutWmic = answering((program) => (program.includes('wmic') ? missing() : byPowershell));
  expect(await postgresProcesses(withoutWmic)).toEqual(both);
  expect(asked.map((program) => program.split('\\').at(-1))).toEqual(['wmic.exe', 'powershell.exe']);
  await expect(postgresProcesses(answering(missing))).rejects.toThrow('ENOENT');
  const withoutDates: RunSystemProgram = async (_program, args) =>
    args.includes('Name,ParentProcessId,ProcessId') ? 'postgres.exe 512 1034\r\n' : missing();
  expect(await postgresProcesses(withoutDates)).toEqual([{ pid: 1034, parent: 512, createdMs: null }]);
});

// Guarantee: a cluster's family is its own postmaster and children, whatever other Postgres runs on the machine; nothing is found
// for a folder that is missing, or that only looks the same.
test.runIf(process.platform === 'linux')('two clusters on one machine', async () => {
  await using folder = await temporaryFolder('family');
  const open = async (name: string) =>
    openCluster({ folder: `${folder.path}/${name}`, port: await freePort() });
  const [one, other] = [await open('one'), await open('other')];
  const [running, beside] = [await one.start(), await other.start()];
  try {
    const [family, second] = [await familyOf(one.dataFolder), await familyOf(other.dataFolder)];
    expect([family.postmaster, second.postmaster]).toEqual([running.pid, beside.pid]);
    expect(family.children.length).toBeGreaterThan(3);
    expect(second.children.filter((pid) => family.children.includes(pid))).toEqual([]);
    expect(await familyOf(`${folder.path}/nowhere/data`)).toEqual({ postmaster: null, children: [] });

    process.kill(running.pid, 'SIGKILL');
    await running.exited;
    await one.stop();
    expect(await familyOf(one.dataFolder)).toEqual({ postmaster: null, children: [] });
    expect((await familyOf(other.dataFolder)).postmaster).toBe(beside.pid);
  } finally {
    await one.stop();
    await other.stop();
  }
});
