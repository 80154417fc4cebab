import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isAlive } from '#runtime/live-process.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type GameView, openGameView } from '../game/game-view.ts';
import { lastHeldLines } from './held-lines.ts';
import { readHolderRecord } from './holder/holder-record.ts';
import { powerTask } from './power-task.ts';
import { powerTiming } from './power-timing.ts';
import { bootId } from './process/process-identity.ts';
import { endLaunched, startTestPower, type TestPowerOptions } from './testing/test-power.ts';

const simulator = resolve(import.meta.dirname, '../../tests/simulators/main.ts');
const password = 'simulated-admin-password';

/** A simulated Minecraft in a separate process, under a holder and with its console. */
const startMinecraft = async (options: Partial<TestPowerOptions> = {}) => {
  const folder = await temporaryFolder('power');
  onTestFinished(async () => {
    await endLaunched(folder.path);
    await folder[Symbol.asyncDispose]();
  });
  const port = await freePort();
  const passwordFile = join(folder.path, 'password');
  await writeFile(passwordFile, password);
  const logFile = join(folder.path, 'latest.log');
  const view: GameView = openGameView({
    game: gameOf('minecraft'),
    target: { host: '127.0.0.1', port, password: new Secret(password) },
    log: createLog({ component: 'agent', destination: { write: () => undefined } }),
    linkTiming: { retryDelayMs: () => 50, leastGapMs: 0 },
    askMs: 200,
  });
  onTestFinished(() => view[Symbol.asyncDispose]());
  const given: TestPowerOptions = {
    folder: folder.path,
    command: [
      process.execPath,
      simulator,
      ...[
        '--game',
        'minecraft',
        '--port',
        String(port),
        '--password-file',
        passwordFile,
        '--log-file',
        logFile,
      ],
    ],
    console: view,
    ...options,
  };
  const it = await startTestPower(given);
  const answers = () => eventually(() => expect(view.reading().state).toBe('online'), 20_000);
  return { it, view, answers, given, logFile, folder: folder.path };
};
const logOf = (path: string) => readFile(path, 'utf8');

// Guarantee: a stop announces the remaining time, saves, and shuts the game down with its own command; the process exits without a
// signal, and a restart starts another one.
test('announced, saved, shut down', async () => {
  const { it, answers, logFile } = await startMinecraft();
  expect(await it.act('start')).toMatchObject({ outcome: 'done' });
  await answers();
  const { pid } = it.power.report();
  expect(await it.act('restart', { seconds: 2, text: 'Restart in {time}' })).toEqual({
    outcome: 'done',
    detail: null,
    value: null,
  });
  const said = await logOf(logFile);
  expect(said).toMatch(/Restart in 2 s.*Restart in 1 s.*Stopping the server/s);
  await answers();
  expect(it.power.report()).toMatchObject({ state: 'running', crashes: 0, lastCrash: null });
  expect(it.power.report().pid).not.toBe(pid);
  expect(await it.act('stop')).toEqual({ outcome: 'done', detail: null, value: null });
  expect(it.power.report()).toMatchObject({ state: 'stopped', wanted: 'stopped', lastCrash: null });
  await it[Symbol.asyncDispose]();
});

// Guarantee: one action at a time: an identical one is joined, another one is refused, and a kill aborts a stop.
test('two at once', async () => {
  const { it, answers } = await startMinecraft();
  await it.act('start');
  await answers();
  const { pid } = it.power.report();
  const first = it.act('stop', { seconds: 60, text: 'Stop in {time}' });
  await eventually(() => expect(it.power.report().detail).toContain('60 s'));
  expect(it.power.report()).toMatchObject({ state: 'stopping', wanted: 'stopped' });
  const second = it.act('stop');
  expect(await it.act('start')).toMatchObject({
    outcome: 'refused',
    detail: expect.stringContaining('stop'),
  });
  expect(await it.act('kill')).toMatchObject({ outcome: 'done' });
  expect(await first).toMatchObject({ outcome: 'cancelled' });
  expect(await second).toMatchObject({ outcome: 'cancelled' });
  expect(isAlive(pid ?? 0)).toBe(false);
  expect(it.power.report()).toMatchObject({
    state: 'stopped',
    wanted: 'stopped',
    crashes: 0,
    lastCrash: null,
  });
  await it[Symbol.asyncDispose]();
});

// Guarantee: a stop is not a crash even if the agent ends in the middle of it: the next agent continues it, with the rest of its
// countdown. A restart brings the game back, and no crash is counted.
test.each(['stop', 'restart'] as const)('the agent ends during a %s', async (action) => {
  const { it, answers, given, logFile } = await startMinecraft();
  await it.act('start');
  await answers();
  const { pid } = it.power.report();
  const asked = it.act(action, { seconds: 8, text: 'Down in {time}' });
  await eventually(() => expect(it.power.report().detail).toContain('8 s'));
  await it[Symbol.asyncDispose]();
  expect(await asked).toMatchObject({ outcome: 'cancelled' });
  expect(isAlive(pid ?? 0)).toBe(true);
  await using next = await startTestPower(given);
  await eventually(() => expect(next.power.report().detail).toMatch(/^\d s until the stop/));
  expect(isAlive(pid ?? 0)).toBe(true);
  const [state, wanted] = action === 'stop' ? ['stopped', 'stopped'] : ['running', 'running'];
  await eventually(() => {
    expect(isAlive(pid ?? 0)).toBe(false);
    expect(next.power.report()).toMatchObject({ state, wanted, crashes: 0, lastCrash: null });
  }, 20_000);
  expect(await logOf(logFile)).toMatch(/Down in 2 s.*Down in 1 s.*Stopping the server/s);
});

// Guarantee: a countdown whose end passed while no agent was running ends with a last warning, and cancelling its task at that
// point still works.
test('a countdown that passed without an agent', async () => {
  const { it, answers, given, logFile } = await startMinecraft();
  await it.act('start');
  await answers();
  const { pid } = it.power.report();
  const ask = (power: typeof it.power, signal: AbortSignal) =>
    power.act({
      action: 'stop',
      countdown: { seconds: 30, text: 'Down in {time}' },
      task: 'task-1',
      signal,
      onStep: () => undefined,
    });
  void ask(it.power, new AbortController().signal);
  await eventually(() => expect(it.power.report().detail).toContain('30 s'));
  await it[Symbol.asyncDispose]();
  const kept = join(it.powerFolder, 'power.json');
  const record = JSON.parse(await readFile(kept, 'utf8'));
  record.action.countdown.endMs = 1;
  await writeFile(kept, JSON.stringify(record));
  await using next = await startTestPower(given);
  const cancelling = new AbortController();
  const joined = ask(next.power, cancelling.signal);
  await eventually(async () => expect(await logOf(logFile)).toContain('Down in 10 s'));
  expect(isAlive(pid ?? 0)).toBe(true);
  cancelling.abort();
  expect(await joined).toMatchObject({ outcome: 'cancelled' });
  expect(next.power.report()).toMatchObject({ state: 'running', wanted: 'running', pid });
  expect(next.power.resultOf('task-1')).toMatchObject({ outcome: 'cancelled' });
});

// Guarantee: an agent that stops neither cancels nor hurries a stop that a task requested: the next agent's task continues with the
// rest of the countdown, and can still be cancelled.
test('the agent stops during the countdown of a task', async () => {
  const { it, answers, given } = await startMinecraft();
  await it.act('start');
  await answers();
  const { pid } = it.power.report();
  const task = { kind: 'power', action: 'stop', countdown: { seconds: 60, text: 'Soon' } } as const;
  const runOf = (stopping: AbortController, cancelling: AbortController) => ({
    id: 'task-1',
    signal: AbortSignal.any([stopping.signal, cancelling.signal]),
    cancelled: cancelling.signal,
    stopping: stopping.signal,
    progress: () => undefined,
    upload: () => Promise.resolve(),
  });
  const stopping = new AbortController();
  const asked = powerTask(it.power, true).run(task, runOf(stopping, new AbortController()));
  await eventually(() => expect(it.power.report().detail).toContain('60 s'));
  stopping.abort();
  expect(await asked).toMatchObject({ outcome: 'cancelled' });
  expect(it.power.report()).toMatchObject({ state: 'stopping', wanted: 'stopped' });
  await it[Symbol.asyncDispose]();
  await using next = await startTestPower(given);
  const cancelling = new AbortController();
  const recovered = powerTask(next.power, true).recover(task, runOf(new AbortController(), cancelling));
  await eventually(() => expect(next.power.report().detail).toMatch(/^\d\d s until the stop/));
  cancelling.abort();
  expect(await recovered).toMatchObject({ outcome: 'cancelled' });
  expect(next.power.report()).toMatchObject({ state: 'running', wanted: 'running', pid });
});

// Guarantee: the signal to exit is how a game without a console saves; it gets at least as much time as systemd would give.
test('time to save', () => {
  expect(powerTiming.terminateMs).toBeGreaterThanOrEqual(90_000);
});

// Guarantee: a stop that is cancelled during its countdown leaves the game in its wanted state.
test('cancelled', async () => {
  const { it, answers } = await startMinecraft();
  await it.act('start');
  await answers();
  const { pid } = it.power.report();
  const cancelling = new AbortController();
  const asked = it.power.act({
    action: 'stop',
    countdown: { seconds: 60, text: 'Soon' },
    task: 'task-1',
    signal: cancelling.signal,
    onStep: () => undefined,
  });
  await eventually(() => expect(it.power.report().detail).toContain('60 s'));
  cancelling.abort();
  expect(await asked).toMatchObject({ outcome: 'cancelled' });
  await delay(200);
  expect(it.power.report()).toMatchObject({ state: 'running', wanted: 'running', pid });
  await it[Symbol.asyncDispose]();
});

// Guarantee: a game without a console is stopped by the system's signal, or by a command typed into it, and killed when it does not
// obey; each of these is reported.
test('no console', async () => {
  const folder = await temporaryFolder('power');
  onTestFinished(async () => {
    await endLaunched(folder.path);
    await folder[Symbol.asyncDispose]();
  });
  const stubborn = `trap 'echo not now' TERM; echo up; while read -r line; do echo "typed $line"; done; while :; do sleep 0.1; done`;
  await using it = await startTestPower({
    folder: folder.path,
    command: ['bash', '-c', stubborn],
    timing: { shutdownMs: 300, terminateMs: 300 },
  });
  await it.act('start');
  const { outcome, detail } = await it.act('stop');
  expect(outcome).toBe('done');
  expect(detail).toMatch(/console did not answer.*shutdown command.*killed/s);
  expect(await lastHeldLines(it.powerFolder, 1, 50)).toContain('typed stop');
});

// Guarantee: a game that was started by hand is not started a second time, neither by a person nor because it is wanted.
test('runs elsewhere', async () => {
  const { it, answers, given } = await startMinecraft();
  await it.act('start');
  await answers();
  const other = await temporaryFolder('power');
  onTestFinished(() => other[Symbol.asyncDispose]());
  await using second = await startTestPower({ ...given, folder: other.path });
  expect(await second.act('start')).toMatchObject({
    outcome: 'refused',
    detail: expect.stringContaining('answers already'),
  });
  const third = await temporaryFolder('power');
  onTestFinished(() => third[Symbol.asyncDispose]());
  await mkdir(join(third.path, 'power'), { mode: 0o700 });
  const kept = { wanted: 'running', action: null, launch: null, crashes: [], boot: bootId() };
  await writeFile(
    join(third.path, 'power', 'power.json'),
    JSON.stringify({ ...kept, hasGivenUp: false, lastTask: null }),
  );
  await using wanting = await startTestPower({ ...given, folder: third.path });
  await eventually(() =>
    expect(wanting.power.report()).toMatchObject({
      state: 'unknown',
      wanted: 'running',
      detail: expect.stringContaining('console answers'),
    }),
  );
  expect(await readHolderRecord(wanting.powerFolder)).toBe(null);
  await it[Symbol.asyncDispose]();
});
