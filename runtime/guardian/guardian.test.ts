import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { isAlive, runScript } from '#harness/script.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { freezeNotePath, readFreezeNote } from './freeze-note.ts';

/** A supervisor with a guardian and its own child that ignores every polite request. */
const supervisor = (then: string, notesFreeze = 'undefined') => `
  import { spawn } from 'node:child_process';
  import { startGuardian } from './runtime/guardian/guardian.ts';
  const guardian = startGuardian(process.execPath, './runtime/guardian/main.ts', () => {}, ${notesFreeze});
  const stubborn = "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ['-e', stubborn], { stdio: 'ignore', detached: true });
  guardian.watch({ name: 'child', pid: child.pid });
  ${then}
  process.stdout.write(child.pid + '\\n');
  setInterval(() => {}, 1000);`;

// Guarantee: nothing outlives a supervisor that is killed, not even a child that ignores signals.
test('a killed supervisor leaves no child', async () => {
  await using script = runScript(supervisor(''));
  const child = Number(await script.line());
  process.kill(script.pid, 'SIGKILL');
  await script.exited;
  // The guardian may still be loading.
  await eventually(() => expect(isAlive(child)).toBe(false));
});

// Guarantee: a released child is not touched.
test('a forgotten child lives on', async () => {
  await using script = runScript(
    supervisor("guardian.watch({ name: 'other', pid: 0x3ffffff }); guardian.forget('child');"),
  );
  const child = Number(await script.line());
  process.kill(script.pid, 'SIGKILL');
  await script.exited;
  const deadline = Date.now() + 3000;
  while (Date.now() < deadline) {
    expect(isAlive(child)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  process.kill(child, 'SIGKILL');
});

// Guarantee: the guardian still acts for a supervisor that dies in the middle of a message.
test('half a message does not keep the guardian from its duty', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const gone = once(child, 'exit');
  try {
    const guardian = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = once(guardian, 'exit');
    const message = JSON.stringify({ type: 'watch', ward: { name: 'child', pid: child.pid } });
    guardian.stdin.end(`${message}\n${message.slice(0, 20)}`);
    expect(await ended).toEqual([0, null]);
    await eventually(() => expect(child.signalCode).toBe('SIGKILL'));
  } finally {
    child.kill('SIGKILL');
    await gone;
  }
});

// Guarantee: a supervisor that stops to react is noted and logged, and nothing is ended; the note goes when it reacts again.
test('a frozen supervisor', async () => {
  await using home = await temporaryFolder('home');
  const path = freezeNotePath(home.path, 'supervisor');
  await mkdir(dirname(path));
  await using script = runScript(supervisor('', JSON.stringify({ path, tickMs: 5 })));
  const child = Number(await script.line());
  const note = () => readFreezeNote(home.path, 'supervisor');
  process.kill(script.pid, 'SIGSTOP');
  await eventually(async () => expect(await note()).toMatchObject({ pid: script.pid }));
  expect(isAlive(child)).toBe(true);
  process.kill(script.pid, 'SIGCONT');
  await eventually(async () => expect(await note()).toBeNull());
  const log = await readFile(path.replace('.json', '.log'), 'utf8');
  expect(log).toMatch(/"level":"warn".* has not reacted since [\s\S]*"level":"info".* reacts again/);
  process.kill(script.pid, 'SIGKILL');
  await eventually(() => expect(isAlive(child)).toBe(false));
});
