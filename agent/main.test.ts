// @module-tag slow

import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startMinecraft } from '../tests/simulators/minecraft-simulator.ts';
import { startAgentProcess, startOnSmallDisk, writeConfig } from './testing/agent-process.ts';
import { type ApiPeer, peerSecret, startApiPeer } from './testing/api-peer.ts';

const configOf = (peer: ApiPeer, game: { port: number; password: string }) => ({
  apiUrl: String(peer.url),
  serverId: 'server-1',
  secret: peerSecret,
  game: 'minecraft',
  console: { port: game.port, password: game.password },
});

// Guarantee: an agent that is killed while the game executes a command reports it as unknown after its restart, and never sends it
// a second time, even when the API asks again.
test('killed between start and result', async () => {
  await using folder = await temporaryFolder('agent');
  await using game = await startMinecraft();
  await using peer = await startApiPeer();
  game.world.join('Steve');
  game.quirks.fateOf = (command) => (command.startsWith('give') ? 'silence' : 'answer');
  const path = await writeConfig(folder.path, configOf(peer, game));
  {
    await using agent = startAgentProcess('--config', path);
    peer.command('gift', 'give Steve minecraft:iron_ingot 5');
    peer.command('behind', 'say behind');
    await eventually(() => expect(game.world.given.length).toBe(1));
    agent.kill('SIGKILL');
    expect(await agent.exited).toBe('SIGKILL');
  }
  expect(peer.results.size).toBe(0);
  game.quirks.fateOf = () => 'answer';
  await using agent = startAgentProcess('--config', path);
  await eventually(() =>
    expect(peer.results.get('gift')).toMatchObject([{ outcome: 'unknown', sent: true }]),
  );
  await eventually(() => expect(peer.results.get('behind')).toMatchObject([{ outcome: 'answered' }]));
  peer.command('gift', 'give Steve minecraft:iron_ingot 5');
  await eventually(() => expect(peer.results.get('gift')?.length).toBeGreaterThan(1));
  expect(game.world.given.length).toBe(1);
  for (const secret of [peerSecret, game.password]) expect(agent.stderr()).not.toContain(secret);
  agent.kill('SIGTERM');
  expect(await agent.exited).toBe(0);
});

// Guarantee: help is no failure, and needs no configuration.
test('help', async () => {
  await using agent = startAgentProcess('--help');
  expect(await agent.exited).toBe(0);
  expect(agent.stdout()).toContain('--config');
  expect(agent.stderr()).toBe('');
});

// Guarantee: kills at any moment, of the agent and of connections, neither lose a command nor carry one out twice.
test('killed again and again', { timeout: 180_000 }, async () => {
  await using folder = await temporaryFolder('agent');
  await using game = await startMinecraft();
  await using peer = await startApiPeer();
  const path = await writeConfig(folder.path, configOf(peer, game));
  const ids = Array.from({ length: 120 }, (_, index) => `id-${index}`);
  const results = () => ids.filter((id) => peer.results.has(id)).length;
  for (let round = 0; round < 6; round += 1) {
    await using agent = startAgentProcess('--config', path);
    await eventually(() => expect(peer.sockets.size).toBe(1), 30_000);
    for (const id of ids.slice(round * 20, round * 20 + 20)) peer.command(id, `say ${id}`);
    const until = results() + 1 + Math.floor(Math.random() * 15);
    await eventually(() => expect(results()).toBeGreaterThanOrEqual(until), 30_000);
    agent.kill('SIGKILL');
    await agent.exited;
    await eventually(() => expect(peer.sockets.size).toBe(0));
  }
  await using _agent = startAgentProcess('--config', path);
  await eventually(() => expect(results()).toBe(ids.length), 30_000);
  for (const id of ids) {
    const executed = game.world.received.filter((command) => command === `say ${id}`).length;
    expect(executed).toBeLessThanOrEqual(1);
    const [first] = peer.results.get(id) ?? [];
    if (first?.outcome === 'answered') expect(executed).toBe(1);
    else expect(first).toMatchObject({ outcome: 'unknown', sent: true });
  }
  expect(peer.faults).toEqual([]);
});

// Guarantee: when stopped in the middle of a command, the agent exits in order; the command is not sent again.
test('stopped during a command', async () => {
  await using folder = await temporaryFolder('agent');
  await using game = await startMinecraft();
  await using peer = await startApiPeer();
  game.quirks.fateOf = (command) => (command === 'save-all' ? 'silence' : 'answer');
  const path = await writeConfig(folder.path, configOf(peer, game));
  await using agent = startAgentProcess('--config', path);
  peer.command('slow', 'save-all', { timeoutMs: 600_000 });
  await eventually(() => expect(game.world.received).toContain('save-all'));
  agent.kill('SIGTERM');
  expect(await agent.exited).toBe(0);
  await using again = startAgentProcess('--config', path);
  await eventually(() => expect(peer.results.get('slow')).toMatchObject([{ sent: true, reply: null }]));
  expect(game.world.received.filter((command) => command === 'save-all').length).toBe(1);
  again.kill('SIGTERM');
  await again.exited;
});

// Guarantee: two agents never share a state folder; the key in it is kept, private, and never silently replaced.
test('the state folder', async () => {
  await using folder = await temporaryFolder('agent');
  await using game = await startMinecraft();
  await using peer = await startApiPeer();
  const path = await writeConfig(folder.path, configOf(peer, game));
  const keyFile = join(folder.path, 'agent-key.pem');
  {
    await using first = startAgentProcess('--config', path);
    await eventually(() => expect(peer.sockets.size).toBe(1));
    await using second = startAgentProcess('--config', path);
    expect(await second.exited).toBe(69);
    expect(second.stderr()).toContain('already running');
    await using check = startAgentProcess('--config', path, '--check');
    expect(await check.exited).toBe(0);
    expect(check.stdout()).toContain('the agent is already running');
    expect(peer.sockets.size).toBe(1);
    first.kill('SIGTERM');
    expect(await first.exited).toBe(0);
  }
  const key = await readFile(keyFile, 'utf8');
  for (const name of await readdir(folder.path))
    expect((await stat(join(folder.path, name))).mode & 0o077, name).toBe(0);
  await using check = startAgentProcess('--config', path, '--check');
  expect(await check.exited).toBe(0);
  expect(check.stdout()).toMatch(/ok {4}API: accepts this agent for the server "Test server"/);
  expect(new Set(peer.hellos.map(({ agentKey }) => agentKey)).size).toBe(1);

  await writeFile(keyFile, key.slice(0, 40));
  await using damaged = startAgentProcess('--config', path);
  expect(await damaged.exited).toBe(1);
  expect(damaged.stderr()).toContain('is damaged');
  expect(await readFile(keyFile, 'utf8')).toBe(key.slice(0, 40));
});

// Guarantee: faults are reported in plain words with the documented exit code, and without any secret.
test('arguments and faults', async () => {
  await using folder = await temporaryFolder('agent');
  await using game = await startMinecraft();
  await using peer = await startApiPeer({ secret: 'quite-another-secret' });
  await using usage = startAgentProcess('--secret', 'hush-hush-secret');
  expect(await usage.exited).toBe(2);
  expect(usage.stderr()).not.toContain('hush');
  await using absent = startAgentProcess('--config', join(folder.path, 'none.json'));
  expect(await absent.exited).toBe(78);
  const path = await writeConfig(folder.path, {
    ...configOf(peer, game),
    console: { port: game.port, password: 'not-the-password' },
  });
  await chmod(path, 0o644);
  await using check = startAgentProcess('--config', path, '--check');
  expect(await check.exited).toBe(3);
  expect(check.stdout()).toContain('chmod 600');
  expect(check.stdout()).toContain('FAULT API: AGENT_PROOF_WRONG');
  expect(check.stdout()).toContain('FAULT Minecraft:');
  for (const secret of [peerSecret, 'not-the-password']) expect(check.stdout()).not.toContain(secret);
});

// Guarantee: a full disk ends the agent with a clear message; a command that is not written down is neither accepted nor run.
test('a full disk', async () => {
  await using folder = await temporaryFolder('agent');
  await using game = await startMinecraft();
  await using peer = await startApiPeer();
  const path = await writeConfig(folder.path, configOf(peer, game));
  await using agent = startOnSmallDisk('--config', path);
  await eventually(() => expect(peer.sockets.size).toBe(1));
  for (let index = 0; index < 8; index += 1) peer.command(`id-${index}`, `say ${index} ${'x'.repeat(1300)}`);
  expect(await agent.exited).toBe(1);
  expect(agent.stderr()).toContain('is the disk full?');
  const said = game.world.received.filter((command) => command.startsWith('say'));
  expect(said.length).toBeLessThan(8);
  const journal = await readFile(join(folder.path, 'commands.journal'), 'utf8');
  for (const command of said) expect(journal).toContain(command);
  for (const id of peer.accepted) expect(journal).toContain(`"id":"${id}"`);
});
