import { expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import type { RunSystemProgram } from '../windows/system-program.ts';
import { openCluster } from './cluster.ts';
import { familyOf, parseProcesses, postgresProcesses } from './family.ts';

// As Windows's own wmic and Wine's write it: UTF-16, read as bytes.
const byWmic = Buffer.from(
  '\ufeffName            ParentProcessId  ProcessId\r\nservices.exe    40               48       \r\n' +
    'postgres.exe    512              1034     \r\nmypostgres.exe  1                2        \r\npostgres.exe    1034             2056     \r\n',
  'utf16le',
).toString('utf8');
const byPowershell = 'postgres.exe 512 1034\r\npostgres.exe 1034 2056\r\n';
const both = [
  { pid: 1034, parent: 512 },
  { pid: 2056, parent: 1034 },
];

// Guarantee: processes of Postgres are found in what either program of Windows prints, and no others.
test('lists of Windows', () => {
  expect(parseProcesses(byWmic)).toEqual(both);
  expect(parseProcesses(byPowershell)).toEqual(both);
  expect(parseProcesses('No Instance(s) Available.\r\n')).toEqual([]);
});

// Guarantee: a Windows without wmic is asked through PowerShell, and no answer at all is never taken for "none".
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
  await expect(postgresProcesses(answering(missing))).rejects.toThrow(/does not say/);
});

// Guarantee: a cluster's family is its own postmaster and children, whatever other Postgres runs on the machine; of a folder
// that is not there, or that only looks the same, nothing is found.
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
