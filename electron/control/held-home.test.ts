import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat, symlink, unlink } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ZodError } from 'zod';
import { stackControl } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { writeMark } from '../data-folder/move-marks.ts';
import { describeFailure } from '../headless/exit-codes.ts';
import type { Stack } from '../stack/stack.ts';
import { callSupervisor, SupervisorFrozenError, untilReleased } from './control-client.ts';
import { controlRoutes } from './control-routes.ts';
import { HomeHeldError, holdHome } from './held-home.ts';

let home: TemporaryFolder;
beforeEach(async () => {
  home = await temporaryFolder('home');
});
afterEach(() => home[Symbol.asyncDispose]());

const holder = `
import { holdHome } from ${JSON.stringify(resolve(import.meta.dirname, 'held-home.ts'))};
await holdHome(process.argv[1], 'another program');
process.stdout.write('held');
setInterval(() => undefined, 1000);
`;

// Guarantee: one program holds a data folder, by whatever path it is named; others are told who holds it, and since when.
test('a held home refuses a second holder', async () => {
  const held = await holdHome(home.path, 'the first');
  const link = `${home.path}-link`;
  await symlink(home.path, link);
  try {
    const error = await holdHome(link, 'the second').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(HomeHeldError);
    expect((error as Error).message).toContain(`the first (pid ${process.pid}, since 20`);
    expect((await stat(join(home.path, 'supervisor.json'))).mode & 0o777).toBe(0o600);
  } finally {
    await held[Symbol.asyncDispose]();
    await unlink(link);
  }
  await using again = await holdHome(home.path, 'the second');
  expect(again.token.reveal()).not.toBe(held.token.reveal());
});

// Guarantee: a killed holder leaves nothing behind that keeps the next one out.
test('a killed holder frees the home', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', holder, home.path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(holdHome(home.path, 'me')).rejects.toThrow(`another program (pid ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await using held = await eventually(() => holdHome(home.path, 'me'));
  const record = JSON.parse(await readFile(join(home.path, 'supervisor.json'), 'utf8'));
  expect(record).toMatchObject({ pid: process.pid, heldBy: 'me', token: held.token.reveal() });
});

// Guarantee: what runs as services is stopped and restarted only as services; a caller that asks otherwise is told so, with the
// exit code for a stack that another program holds.
test.each(['stop', 'restart'] as const)('%s of what runs as services', async (call) => {
  await using held = await holdHome(home.path, 'the services');
  const refused = () => Promise.reject(new Error('not to be reached'));
  const stack = { log: createLog({ component: 'test' }), stop: refused, restart: refused };
  held.serve(
    controlRoutes({
      stack: stack as unknown as Stack,
      token: held.token,
      onStopped: () => expect.unreachable(),
      powerRefusal: 'use castellan services',
    }),
  );
  const error = await callSupervisor(home.path, stackControl[call]).catch((caught: unknown) => caught);
  expect(describeFailure(error)).toEqual({ text: 'use castellan services', exitCode: 3 });
});

// Guarantee: when the holder moves a data folder away while another program waits to hold it, that program does not hold it
// afterwards: whether it was moved is checked once no one else can move it.
test('a home that is moved meanwhile', async () => {
  const held = await holdHome(home.path, 'a move');
  await writeMark(home.path, 'moved', '/elsewhere');
  await expect(holdHome(home.path, 'me')).rejects.toThrow(HomeHeldError);
  await held[Symbol.asyncDispose]();
  await expect(holdHome(home.path, 'me')).rejects.toThrow('was moved to /elsewhere');
  // A refused holder holds nothing.
  await rm(join(home.path, 'moved.json'));
  await (await holdHome(home.path, 'me'))[Symbol.asyncDispose]();
});

// Guarantee: a missing holder is an answer, not an error.
test('a home without a holder', async () => {
  expect(await callSupervisor(home.path, stackControl.status)).toBeNull();
  expect(await callSupervisor(join(home.path, 'nowhere'), stackControl.status)).toBeNull();
  await untilReleased(home.path);
});

// Guarantee: no command waits for ever for a supervisor that does not react; it names it, and ends nothing.
test('a frozen holder', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', holder, home.path]);
  try {
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    for (const endpoint of [stackControl.status, stackControl.stop]) {
      const error = await callSupervisor(home.path, endpoint, {}, 100).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(SupervisorFrozenError);
      expect(describeFailure(error)).toMatchObject({
        exitCode: 3,
        text: expect.stringContaining(`(another program, process ${child.pid}) does not react`),
      });
    }
    await expect(untilReleased(home.path, 100)).rejects.toThrow(SupervisorFrozenError);
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

// Guarantee: what a supervisor does may take longer than its answer to how it is.
test('a slow stop', async () => {
  await using held = await holdHome(home.path, 'a test');
  let stopping: ServerResponse | undefined;
  let states = 0;
  held.serve((asked, response) => {
    if (asked.url === stackControl.stop.path) stopping = response;
    else response.end('{}');
    states += asked.url === stackControl.status.path ? 1 : 0;
    if (states === 3) stopping?.end('{}');
  });
  // An answer that is no state, but an answer.
  await expect(callSupervisor(home.path, stackControl.stop, {}, 1000)).rejects.toThrow(ZodError);
});
