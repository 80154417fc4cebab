import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { testIf } from '#harness/test-if.ts';
import { powerRule, powerRulePath } from '../../agent/service/systemd-unit.ts';
import { eventually } from '../harness/eventually.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const run = promisify(execFile);
const daemon = '/usr/lib/polkit-1/polkitd';
/** Next to the rule of a real installation. */
const rulePath = join(dirname(powerRulePath), '51-castellan-test.rules');
const cannotRun = process.getuid?.() !== 0;

/** The bus allows everything: polkit decides who may do what. */
const busConfig = (
  socket: string,
) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=${socket}</listen><auth>EXTERNAL</auth><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
</policy></busconfig>`;

const ended = (child: ChildProcess): AsyncDisposable => {
  const exited = once(child, 'exit');
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

// Guarantee: polkit itself lets the agent's account control the unit of its game with these verbs, and nothing else.
testIf(!cannotRun)('polkit obeys the rule', { tags: ['systemd'] }, async () => {
  await using folder = await temporaryFolder('polkit');
  await chmod(folder.path, 0o755);
  const socket = join(folder.path, 'bus');
  const config = join(folder.path, 'bus.conf');
  await writeFile(config, busConfig(socket));
  const env = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${socket}` };
  await using resources = new AsyncDisposableStack();
  const start = (program: string, args: string[], ids = {}) => {
    const child = spawn(program, args, { env, stdio: 'ignore', ...ids });
    resources.use(ended(child));
    return child;
  };
  start('dbus-daemon', [`--config-file=${config}`, '--nofork']);
  await eventually(() => expect(existsSync(socket)).toBe(true));
  resources.defer(() => rm(rulePath, { force: true }));
  await writeFile(rulePath, powerRule('games', ['mine.service']));
  start(daemon, ['--no-debug']);
  // Debian's own account for games.
  const { pid } = start('sleep', ['300'], { uid: 5, gid: 60, cwd: '/' });
  const started = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')[21];
  const mayControl = async (unit: string, verb: string, action = 'manage-units') => {
    const details = ['--detail', 'unit', unit, '--detail', 'verb', verb];
    const process = ['--process', `${pid},${started},5`];
    const args = ['--action-id', `org.freedesktop.systemd1.${action}`, ...process, ...details];
    return run('pkcheck', args, { env }).then(
      () => true,
      ({ code }: { code: number }) => {
        // 2: it would need a password. Any other code is not an answer.
        if (code === 2) return false;
        throw new Error(`pkcheck ends with ${code}`);
      },
    );
  };
  for (const verb of ['start', 'stop', 'restart', 'kill'])
    expect(await eventually(() => mayControl('mine.service', verb))).toBe(true);
  expect(await mayControl('mine.service', 'enable')).toBe(false);
  expect(await mayControl('ssh.service', 'stop')).toBe(false);
  expect(await mayControl('mine.service', 'start', 'manage-unit-files')).toBe(false);
});
