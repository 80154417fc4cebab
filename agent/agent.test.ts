import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HeartbeatFrame } from '#contracts/servers/agent-protocol.ts';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { Secret } from '#runtime/secret.ts';
import { startMinecraft } from '../tests/simulators/minecraft-simulator.ts';
import type { Fate } from '../tests/simulators/quirks.ts';
import { startSevenDays } from '../tests/simulators/seven-days-simulator.ts';
import { type ApiPeer, peerSecret, startApiPeer } from './testing/api-peer.ts';
import { startTestAgent } from './testing/test-agent.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder('agent');
});
afterAll(() => folder[Symbol.asyncDispose]());

const target = (game: { port: number; password: string }) => ({
  host: '127.0.0.1',
  port: game.port,
  password: new Secret(game.password),
});
const beats = (peer: ApiPeer) =>
  peer.heard.flatMap(({ frame }) => (frame.type === 'heartbeat' ? [frame] : [])) satisfies HeartbeatFrame[];

// Guarantee: the agent reports the players and each change of them, and nothing twice; events are numbered and sent once, even if
// they happened while the API was away.
test('players and events', async () => {
  const logFile = join(folder.path, 'minecraft/latest.log');
  await using game = await startMinecraft({ logFile });
  await using peer = await startApiPeer();
  game.world.join('Steve');
  await using _agent = await startTestAgent({
    config: { apiUrl: peer.url, console: target(game), stateFolder: join(folder.path, 'players'), logFile },
  });
  await eventually(() => expect(beats(peer).at(-1)).toMatchObject({ state: 'online', detail: null }));
  const listings = () =>
    beats(peer).flatMap(({ players }) => (players ? [players.map(({ name }) => name)] : []));
  // They are listed again until the list is acknowledged.
  await eventually(() => {
    expect(listings().at(-1)).toEqual(['Steve']);
    expect(beats(peer).at(-1)?.players).toBeUndefined();
  });
  const counted = listings().length;
  const heard = beats(peer).length;
  await eventually(() => expect(beats(peer).length).toBeGreaterThan(heard + 5));
  expect(listings().length).toBe(counted);

  await peer.goAway();
  game.world.join('Alex');
  game.world.chat('Alex', 'hello there');
  game.world.leave('Steve');
  await peer.comeBack();
  await eventually(() => expect(listings().at(-1)).toEqual(['Alex']));
  await eventually(() =>
    expect(peer.events.map(({ number, kind, player, text }) => [number, kind, player.name, text])).toEqual([
      [1, 'join', 'Alex', null],
      [2, 'chat', 'Alex', 'hello there'],
      [3, 'leave', 'Steve', null],
    ]),
  );
  expect(peer.faults).toEqual([]);
});

// Guarantee: only a game that answers is reported as online; one that is off is reported as offline, with the reason, which is logged once.
test('honest states', async () => {
  await using game = await startMinecraft();
  await using peer = await startApiPeer();
  await game.goOffline();
  const agent = await startTestAgent({
    config: { apiUrl: peer.url, console: target(game), stateFolder: join(folder.path, 'states') },
  });
  await using _agent = agent;
  await eventually(() => {
    const last = beats(peer).at(-1);
    expect(last).toMatchObject({ state: 'offline' });
    expect(last?.detail).toContain('Nothing listens');
  });
  expect(beats(peer).every(({ state }) => state !== 'online')).toBe(true);
  await game.comeBack();
  await eventually(() => expect(beats(peer).at(-1)).toMatchObject({ state: 'online' }));
  expect(agent.logged.filter((line) => line.includes('Nothing listens')).length).toBe(1);
});

// Guarantee: an observation that arrives by log file and by telnet is reported once; lines are sent only while they are watched.
test('telnet and log file', async () => {
  const logFile = join(folder.path, 'seven-days/output_log.txt');
  await using game = await startSevenDays({ logFile });
  await using peer = await startApiPeer();
  await using _agent = await startTestAgent({
    config: {
      apiUrl: peer.url,
      console: target(game),
      game: 'seven-days-to-die',
      stateFolder: join(folder.path, 'telnet'),
      logFile,
    },
  });
  const lines = () => peer.heard.flatMap(({ frame }) => (frame.type === 'lines' ? frame.lines : []));
  await eventually(() => expect(beats(peer).at(-1)).toMatchObject({ state: 'online' }));
  game.world.join('Eve');
  await eventually(() => expect(peer.events.length).toBeGreaterThan(0));
  expect(lines()).toEqual([]);
  peer.say({ v: 1, type: 'watch', seconds: 60 });
  await eventually(() => {
    game.world.chat('Eve', 'is anybody there');
    expect(lines().some(({ text }) => text.includes('is anybody there'))).toBe(true);
  });
  const chats = game.log.lines.filter((line) => line.includes('is anybody there')).length;
  await eventually(() => expect(peer.events.filter(({ kind }) => kind === 'chat').length).toBe(chats));
  expect(peer.events.filter(({ kind }) => kind === 'join').length).toBe(1);
  peer.say({ v: 1, type: 'watch', seconds: 0 });
  expect(peer.faults).toEqual([]);
});

// Guarantee: without a log file, the console's output is observed.
test('telnet alone', async () => {
  await using game = await startSevenDays();
  await using peer = await startApiPeer();
  await using _agent = await startTestAgent({
    config: {
      apiUrl: peer.url,
      console: target(game),
      game: 'seven-days-to-die',
      stateFolder: join(folder.path, 'telnet-alone'),
    },
  });
  await eventually(() => expect(beats(peer).at(-1)).toMatchObject({ state: 'online' }));
  game.world.join('Eve');
  await eventually(() => {
    game.world.chat('Eve', 'is anybody there');
    expect(peer.events.map(({ kind, player }) => [kind, player.name])).toContainEqual(['chat', 'Eve']);
  });
  expect(peer.faults).toEqual([]);
});

// Guarantee: commands are carried out in order, each once however often it is sent, and each is answered with its result until that
// is acknowledged; the agent's secrets are in no log.
test('commands', async () => {
  await using game = await startMinecraft();
  await using peer = await startApiPeer();
  const stateFolder = join(folder.path, 'commands');
  const agent = await startTestAgent({
    config: { apiUrl: peer.url, console: target(game), stateFolder },
  });
  await using _agent = agent;
  game.world.join('Steve');
  await eventually(() => expect(peer.sockets.size).toBe(1));
  const ids = Array.from({ length: 40 }, (_, index) => `command-${index}`);
  for (const [index, id] of ids.entries()) {
    peer.command(id, `give Steve minecraft:iron_ingot ${index + 1}`);
    peer.command(id, `give Steve minecraft:iron_ingot ${index + 1}`);
  }
  // Each is written to disk twice, one after the other.
  await eventually(() => expect([...peer.results.keys()]).toEqual(ids), 30_000);
  expect(game.world.given.map(({ quantity }) => quantity)).toEqual(ids.map((_, index) => index + 1));
  expect(peer.results.get('command-0')?.[0]).toMatchObject({ outcome: 'answered', sent: true });
  // Sent again after the agent knows that its result was received: still not carried out, and answered without the reply.
  await eventually(async () =>
    expect(await readFile(join(stateFolder, 'commands.journal'), 'utf8')).toContain(
      '"forgotten","id":"command-7"',
    ),
  );
  peer.command('command-7', 'give Steve minecraft:iron_ingot 8');
  await eventually(() =>
    expect(peer.results.get('command-7')?.at(-1)).toMatchObject({ reply: null, sent: true }),
  );
  expect(game.world.given.length).toBe(ids.length);
  const log = agent.logged.join('');
  for (const secret of [peerSecret, game.password]) expect(log).not.toContain(secret);
  expect(peer.faults).toEqual([]);
});

// Guarantee: each connection begins with the journal's name, which survives restarts; an older API does not receive it. A command
// that the API knows as accepted and that the journal has lost is not run.
test('the journal is named', async () => {
  await using game = await startMinecraft();
  const config = { console: target(game), stateFolder: join(folder.path, 'named') };
  const names = [];
  for (const useWebSocket of [true, false, true]) {
    await using peer = await startApiPeer();
    await using _agent = await startTestAgent({ config: { ...config, apiUrl: peer.url, useWebSocket } });
    await eventually(() => expect(beats(peer).length).toBeGreaterThan(1));
    names.push(peer.heard[0]?.frame);
    expect(peer.heard.filter(({ frame }) => frame.type === 'command-journal')).toHaveLength(1);
    expect(peer.faults).toEqual([]);
  }
  expect(names[0]).toMatchObject({ type: 'command-journal' });
  expect(new Set(names.map((frame) => JSON.stringify(frame))).size).toBe(1);

  await using old = await startApiPeer({ capabilities: [] });
  await using _agent = await startTestAgent({ config: { ...config, apiUrl: old.url } });
  await eventually(() => expect(beats(old).length).toBeGreaterThan(1));
  expect(old.heard.some(({ frame }) => frame.type === 'command-journal')).toBe(false);
  old.say({
    v: 1,
    type: 'command',
    id: 'cut',
    command: 'say cut',
    timeoutMs: 5000,
    expiresInMs: 60_000,
    accepted: true,
  });
  await eventually(() => expect(old.results.get('cut')).toMatchObject([{ outcome: 'unknown', sent: true }]));
  expect(game.world.received.filter((line) => line.startsWith('say'))).toEqual([]);
});

// Guarantee: a command that could not start in time is not started; for a game that is off the result says so and leaves no doubt.
test('commands that cannot run', async () => {
  await using game = await startMinecraft();
  await using peer = await startApiPeer();
  await using _agent = await startTestAgent({
    config: { apiUrl: peer.url, console: target(game), stateFolder: join(folder.path, 'cannot') },
  });
  await eventually(() => expect(beats(peer).at(-1)).toMatchObject({ state: 'online' }));
  peer.command('late', 'say late', { expiresInMs: 0 });
  await eventually(() =>
    expect(peer.results.get('late')).toMatchObject([{ outcome: 'expired', sent: false }]),
  );
  await game.goOffline();
  await eventually(() => expect(beats(peer).at(-1)).toMatchObject({ state: 'offline' }));
  peer.command('off', 'say off');
  await eventually(() =>
    expect(peer.results.get('off')).toMatchObject([{ outcome: 'connection refused', sent: false }]),
  );
  expect(game.world.received.filter((line) => line.startsWith('say'))).toEqual([]);
});

// Guarantee: when an answer of 7 Days to Die is lost, the log line that proves the execution comes with the result: from the log
// file or from the console itself, for exactly this command and not a similar one, and only to an API that understands it.
test.each([true, false])('the log of a lost answer (log file: %s)', async (hasFile) => {
  const logFile = join(folder.path, `lost-${hasFile}/output_log.txt`);
  await using game = await startSevenDays({ logFile });
  await using peer = await startApiPeer();
  const config = {
    console: target(game),
    game: 'seven-days-to-die' as const,
    stateFolder: join(folder.path, `lost-${hasFile}`),
    logFile: hasFile ? logFile : null,
  };
  const fates: Record<string, Fate> = {
    'say ignored': 'ignore',
    'say lost': 'silence',
    'say again': 'answer',
  };
  let isAnswering = true;
  game.quirks.fateOf = (command) => {
    const fate = fates[command] ?? 'answer';
    // The fence that marks the end of a reply is also a command.
    if (!command.startsWith('fence')) isAnswering = fate === 'answer';
    return isAnswering ? fate : fate === 'answer' ? 'ignore' : fate;
  };
  {
    await using _agent = await startTestAgent({ config: { ...config, apiUrl: peer.url } });
    await eventually(() => expect(beats(peer).at(-1)).toMatchObject({ state: 'online' }));
    const resultOf = async (id: string, command: string) => {
      peer.command(id, command, { timeoutMs: 500 });
      return eventually(() => {
        const [result] = peer.results.get(id) ?? [];
        if (!result) throw new Error('no result yet');
        return result;
      });
    };
    expect(await resultOf('first', 'say again')).not.toHaveProperty('logLine');
    const logLine = expect.stringMatching(/ INF Executing command 'say lost' by Telnet from \S+$/);
    expect(await resultOf('lost', 'say lost')).toMatchObject({ outcome: 'timeout', sent: true, logLine });
    expect(await resultOf('ignored', 'say ignored')).not.toHaveProperty('logLine');
    // The first one's line does not count for the second.
    fates['say again'] = 'ignore';
    expect(await resultOf('second', 'say again')).not.toHaveProperty('logLine');
    await peer.goAway();
  }
  await using old = await startApiPeer({ capabilities: ['command-journal'] });
  await using _agent = await startTestAgent({ config: { ...config, apiUrl: old.url } });
  await eventually(() => expect(beats(old).at(-1)).toMatchObject({ state: 'online' }));
  old.command('for-old', 'say lost', { timeoutMs: 500 });
  await eventually(() => expect(old.results.get('for-old')).toHaveLength(1));
  expect(Object.keys(old.results.get('for-old')?.[0] ?? {}).sort()).toEqual([
    'durationMs',
    'outcome',
    'reply',
    'sent',
    'truncated',
  ]);
  expect([...peer.faults, ...old.faults]).toEqual([]);
});

// Guarantee: results name the connection that carried them, the same one while it lasts.
test('the connection of a result', async () => {
  await using game = await startMinecraft();
  await using peer = await startApiPeer();
  await using _agent = await startTestAgent({
    config: { apiUrl: peer.url, console: target(game), stateFolder: join(folder.path, 'connection') },
  });
  const connectionOf = async (id: string) => {
    await eventually(() => expect(beats(peer).at(-1)).toMatchObject({ state: 'online' }));
    peer.command(id, 'list');
    await eventually(() => expect(peer.results.get(id)).toMatchObject([{ outcome: 'answered' }]));
    return peer.results.get(id)?.[0]?.connection;
  };
  const first = await connectionOf('one');
  expect(first).toEqual(expect.any(String));
  expect(await connectionOf('two')).toBe(first);
  await game.goOffline();
  await eventually(() => expect(beats(peer).at(-1)).toMatchObject({ state: 'offline' }));
  await game.comeBack();
  expect(await connectionOf('three')).not.toBe(first);
});
