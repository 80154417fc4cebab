import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { packageAgent } from '../../build/package/agent.ts';
import { completeDelayedStart } from './delayed-start.ts';
import { openWindowsLab, type WindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

/** A crashed service is restarted after a delay, and Wine starts it slowly. */
const patienceMs = 180_000;
const downloaded = 'C:\\Downloads\\castellan-agent-win-x64.exe';
const home = 'C:\\ProgramData\\Castellan Agent ü';
const installed = 'castellan-agent.exe';

const onLinux = (lab: WindowsLab, path: string) => join(lab.drive, ...path.split('\\').slice(1));

const putConfig = async (lab: WindowsLab, id: string) => {
  const path = onLinux(lab, `${home}\\servers\\${id}\\config.json`);
  await mkdir(dirname(path), { recursive: true });
  const config = {
    apiUrl: 'http://127.0.0.1:9',
    serverId: id,
    secret: 'a-secret-long-enough',
    game: 'minecraft',
    console: { port: 9, password: 'x' },
  };
  await writeFile(path, JSON.stringify(config));
};

// Guarantee: the single file installs itself with its embedded service host; Windows starts it after a crash and after a
// reboot; a stop ends the agent; every command may be repeated.
testOnWindows('the Game Agent as a Windows Service', [], async () => {
  await using folder = await temporaryFolder('agent-windows');
  const [made] = await packageAgent({ folder: folder.path, systems: ['win'] });
  if (!made) throw new Error('nothing was made');
  await using lab = await openWindowsLab();
  await mkdir(dirname(onLinux(lab, downloaded)), { recursive: true });
  await writeFile(onLinux(lab, downloaded), await readFile(made.file), { mode: 0o755 });
  await putConfig(lab, 'one');
  const agent = (...args: string[]) => lab.run(downloaded, [...args, '--home', home]);
  const running = () => lab.pids(installed, 'run');
  const log = () => readFile(join(onLinux(lab, home), 'agent.log'), 'utf8');

  expect(await agent('status')).toMatchObject({
    code: 3,
    out: expect.stringContaining('No service is installed'),
  });
  expect(await agent('start')).toMatchObject({
    code: 1,
    err: expect.stringContaining('castellan-agent install'),
  });
  expect(await agent('install')).toMatchObject({ code: 0, out: expect.stringContaining('It is running.') });
  await eventually(async () => expect(await log()).toContain('running server="one"'), patienceMs);
  expect(await agent('status')).toMatchObject({ code: 0, out: expect.stringContaining('is running') });
  expect(await agent('start')).toMatchObject({ code: 0 });

  const [before = 0] = await running();
  process.kill(before, 'SIGKILL');
  await eventually(async () => {
    const [after = before] = await running();
    expect(after).not.toBe(before);
  }, patienceMs);

  await completeDelayedStart(lab, ['CastellanAgent']);
  await lab.cutPower();
  await lab.boot();
  await eventually(async () => expect(await running()).toHaveLength(1), patienceMs);

  expect(await agent('install')).toMatchObject({ code: 0 });
  for (let time = 0; time < 2; time += 1) expect(await agent('stop')).toMatchObject({ code: 0 });
  expect(await running()).toEqual([]);
  expect(await agent('status')).toMatchObject({ code: 3, out: expect.stringContaining('is stopped') });
  expect(await agent('start')).toMatchObject({ code: 0 });
  expect(await agent('uninstall', '--remove-data')).toMatchObject({ code: 0 });
  expect(await running()).toEqual([]);
  await expect(readFile(onLinux(lab, `${home}\\servers\\one\\config.json`))).rejects.toThrow('ENOENT');
});
