import { expect, test } from 'vitest';
import { runScript } from '#harness/script.ts';

const program = (start: string, options = '') => `
  import { runProgram, StartupError } from './runtime/program.ts';
  import { ConfigError } from './runtime/env.ts';
  import { createLog } from './runtime/log.ts';
  const say = (text) => process.stdout.write(text + '\\n');
  await runProgram(async ({ resources, stopping, stop, localOwner }) => {
    setInterval(() => {}, 1000);
    ${start}
  }, { log: createLog({ component: 'test', level: 'silent' }), ${options} });`;

const disposing = `
  resources.defer(() => say('first opened'));
  resources.defer(() => say('last opened'));
  say('ready');`;

// Guarantee: however a program is asked to stop, it closes what it opened in reverse order and exits with 0.
test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s stops in order', async (signal) => {
  await using script = runScript(program(disposing));
  expect(await script.line()).toBe('ready');
  script.process.kill(signal);
  expect([await script.line(), await script.line()]).toEqual(['last opened', 'first opened']);
  expect(await script.exited).toBe(0);
});

// Guarantee: under a supervisor, only the supervisor stops a program; so does its death.
test('the stop message and the end of the channel stop it, Ctrl-C does not', async () => {
  for (const how of ['message', 'disconnect']) {
    await using script = runScript(program(disposing), { ipc: true });
    expect(await script.line()).toBe('ready');
    script.process.kill('SIGINT');
    const pong = new Promise((resolve) => script.process.once('message', resolve));
    script.process.send({ type: 'nonsense' });
    script.process.send({ type: 'ping', id: 7 });
    expect(await pong).toEqual({ type: 'pong', id: 7 });
    if (how === 'message') script.process.send({ type: 'stop' });
    else script.process.disconnect();
    expect(await script.exited).toBe(0);
  }
});

// Guarantee: a program whose supervisor ended while it was still loading does not stay behind.
test('a supervisor that is gone before anybody listens', async () => {
  const late = `
    process.stdout.write('loading\\n');
    await new Promise((resolve) => process.once('disconnect', resolve));
    const { runProgram } = await import('./runtime/program.ts');
    const { createLog } = await import('./runtime/log.ts');
    await runProgram(async () => void setInterval(() => {}, 1000), {
      log: createLog({ component: 'test', level: 'silent' }),
    });`;
  await using script = runScript(late, { ipc: true });
  expect(await script.line()).toBe('loading');
  script.process.disconnect();
  expect(await script.exited).toBe(0);
});

// Guarantee: what the supervisor says about the machine's owner is kept, in a form that no log shows.
test('the credential of the local owner', async () => {
  const start = `
    say(String(localOwner()));
    setInterval(() => localOwner() && say(JSON.stringify(localOwner()) + localOwner().credential.reveal()), 10);`;
  await using script = runScript(program(start), { ipc: true });
  expect(await script.line()).toBe('null');
  const credential = 'x'.repeat(43);
  script.process.send({ type: 'credential', credential: 'too short', user: 'somebody' });
  script.process.send({ type: 'credential', credential, user: 'somebody' });
  expect(await script.line()).toBe(`{"credential":"[secret]","user":"somebody"}${credential}`);
});

// Guarantee: a resource that never closes cannot keep a process alive.
test('the deadline ends what does not stop', async () => {
  const hang = "resources.defer(() => new Promise(() => {})); say('ready');";
  await using script = runScript(program(hang, 'stopDeadlineMs: 100'));
  expect(await script.line()).toBe('ready');
  script.process.kill('SIGTERM');
  expect(await script.exited).toBe(1);
});

// Guarantee: a program that is still starting can be stopped, too.
test('stopping during the start breaks it off', async () => {
  const start = `resources.defer(() => say('closed'));
    say('starting');
    await new Promise((_, reject) => stopping.addEventListener('abort', () => reject(new Error('broken off'))));`;
  await using script = runScript(program(start));
  expect(await script.line()).toBe('starting');
  script.process.kill('SIGTERM');
  expect(await script.line()).toBe('closed');
  expect(await script.exited).toBe(0);
});

// Guarantee: the exit code tells a wrong configuration, which a restart cannot fix, from other failures.
test.each([
  ["throw new ConfigError('x.env', [{ variable: 'A', message: 'is missing' }]);", 78],
  ["throw new StartupError('no space');", 1],
  ["setTimeout(() => { throw new Error('late'); }, 1);", 1],
  ["setTimeout(() => { Promise.reject(new Error('late')); }, 1);", 1],
])('%s', async (start, code) => {
  await using script = runScript(program(start));
  expect(await script.exited).toBe(code);
});
