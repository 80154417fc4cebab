import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentFrame } from '#contracts/servers/agent-protocol.ts';
import type { AgentTask } from '#contracts/servers/agent-tasks.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isAlive } from '#runtime/live-process.ts';
import { Secret } from '#runtime/secret.ts';
import type { ServerConfig } from '../configuration/server-section.ts';
import { startApiPeer } from '../testing/api-peer.ts';
import { startTestAgent } from '../testing/test-agent.ts';
import { endLaunched, holderProgram, quickTiming } from './testing/test-power.ts';

const setUp = async (server: Partial<ServerConfig> | null) => {
  const folder = await temporaryFolder('power');
  onTestFinished(async () => {
    await endLaunched(folder.path);
    await folder[Symbol.asyncDispose]();
  });
  const peer = await startApiPeer();
  onTestFinished(() => peer[Symbol.asyncDispose]());
  const gameFolder = join(folder.path, 'game');
  await mkdir(gameFolder);
  const config = {
    apiUrl: peer.url,
    stateFolder: folder.path,
    console: { host: '127.0.0.1', port: await freePort(), password: new Secret('pw') },
    server: server && {
      folder: gameFolder,
      start: { by: 'holder', command: ['bash', '-c', 'echo up; exec sleep 1000'], account: null } as const,
      allow: { power: true, files: false, mods: false },
      ...server,
    },
  };
  const start = () => startTestAgent({ config, holderProgram, powerTiming: quickTiming });
  const frames = <Type extends AgentFrame['type']>(type: Type) =>
    peer.heard.flatMap(({ frame }) =>
      frame.type === type ? [frame as Extract<AgentFrame, { type: Type }>] : [],
    );
  const ask = async (id: string, action: Extract<AgentTask, { kind: 'power' }>['action']) => {
    peer.say({
      v: 1,
      type: 'task',
      id,
      task: { kind: 'power', action, countdown: null },
      expiresInMs: 60_000,
    });
    return eventually(() => {
      const found = frames('task-result').find(({ taskId }) => taskId === id);
      if (!found) throw new Error('no result');
      return found.result;
    }, 20_000);
  };
  const connected = () => eventually(() => expect(peer.sockets.size).toBe(1));
  return { peer, start, frames, ask, connected };
};

// Guarantee: a task starts and stops the game over the wire; the API learns the state of the process, and the settings of the machine.
test('start and stop', async () => {
  const { start, frames, ask, connected, peer } = await setUp({});
  await using _agent = await start();
  await connected();
  expect(await ask('a', 'start')).toEqual({ outcome: 'done', detail: null, value: null });
  const running = await eventually(() => {
    const last = frames('process').at(-1)?.process;
    expect(last).toMatchObject({ state: 'running', wanted: 'running', crashes: 0 });
    return last;
  });
  expect(isAlive(running?.pid ?? 0)).toBe(true);
  expect(await ask('b', 'stop')).toMatchObject({ outcome: 'done' });
  expect(isAlive(running?.pid ?? 0)).toBe(false);
  await eventually(() =>
    expect(frames('process').at(-1)?.process).toMatchObject({
      state: 'stopped',
      wanted: 'stopped',
      pid: null,
    }),
  );
  expect(frames('machine').at(-1)?.machine).toMatchObject({
    startMethod: 'holder',
    allows: { power: true },
    tasks: expect.arrayContaining(['power']),
  });
  expect(peer.faults).toEqual([]);
});

// Guarantee: a crash reveals no password that the game wrote: its report contains the lines without passwords, and the result of
// the start, which people without access to the console can see too, contains none of the lines.
test('the lines of a crash', async () => {
  const said = '[Server thread/INFO]: Steve issued server command: /login hunter2';
  const write = `echo '${said}'; echo rcon.password=geheim; exit 1`;
  const { start, frames, ask, connected } = await setUp({
    start: { by: 'holder', command: ['bash', '-c', write], account: null },
  });
  await using _agent = await start();
  await connected();
  const result = await ask('a', 'start');
  expect(result).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('exit code 1') });
  expect(JSON.stringify(result)).not.toMatch(/login|rcon/);
  await eventually(() => expect(frames('process').at(-1)?.process.lastCrash?.lines).toHaveLength(2));
  const told = JSON.stringify(frames('process'));
  expect(told).toContain('Steve issued server command');
  expect(told).not.toMatch(/hunter2|geheim/);
});

// Guarantee: anything that the machine's owner does not allow, or has not set up, is refused with a sentence, and nothing is
// started. A task that carries its own command, folder or account changes nothing.
test.each([
  ['not allowed', { allow: { power: false, files: true, mods: true } }, /owner/],
  ['no way to start', { start: { by: 'none' as const } }, /how this server is started/],
  ['nothing said', null, /how this server is started/],
])('%s', async (_, server, expected) => {
  const { start, ask, connected, frames } = await setUp(server);
  await using _agent = await start();
  await connected();
  for (const action of ['start', 'stop', 'restart', 'kill'] as const)
    expect(await ask(action, action)).toMatchObject({
      outcome: 'refused',
      detail: expect.stringMatching(expected),
    });
  expect(frames('process').at(-1)?.process.state).not.toBe('running');
});

test('a task with more than it may say', async () => {
  const { peer, start, ask, connected, frames } = await setUp({});
  await using _agent = await start();
  await connected();
  const more = {
    command: ['touch', '/tmp/never'],
    folder: '/',
    account: 'root',
    unit: 'ssh.service',
    shell: true,
  };
  peer.say({
    v: 1,
    type: 'task',
    id: 'more',
    task: { kind: 'power', action: 'start', countdown: null, ...more },
    expiresInMs: 60_000,
  });
  await eventually(() => expect(frames('task-result').map(({ taskId }) => taskId)).toContain('more'), 20_000);
  expect(frames('machine').at(-1)?.machine).toMatchObject({
    startDetail: expect.stringContaining('sleep 1000'),
  });
  expect(await ask('end', 'kill')).toMatchObject({ outcome: 'done' });
});
