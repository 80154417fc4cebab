import { Rcon } from 'rcon-client';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { startArk } from './ark-simulator.ts';
import { startMinecraft } from './minecraft-simulator.ts';
import type { Simulator } from './simulator.ts';

/** An independent client that others use with the real games. */
const openRcon = ({ port, password }: Simulator, wrongPassword?: string): Promise<Rcon> =>
  Rcon.connect({ host: '127.0.0.1', port, password: wrongPassword ?? password, timeout: 10_000 });

// Guarantee: the simulators speak Source RCON as an independent client understands it, not only as ours does.
test.each([
  ['Minecraft', () => startMinecraft(), 'list', () => 'There are 1 of a max of 20 players online: Otter'],
  ['ARK', () => startArk({ variant: 'se' }), 'ListPlayers', (id: string) => `0. Otter, ${id} \n `],
] as const)('rcon-client and %s', async (_, start, command, expected) => {
  await using game = await start();
  const reply = expected(game.world.join('Otter').platformId);
  await expect(openRcon(game, 'wrong')).rejects.toThrow('Authentication failed');
  const client = await openRcon(game);
  expect(await client.send(command)).toBe(reply);
  expect(await Promise.all([client.send(command), client.send(command)])).toEqual([reply, reply]);
  game.quirks.replies.set('umlauts', 'Grüße, 漢字');
  expect(await client.send('umlauts')).toBe('Grüße, 漢字');
  expect(game.world.commands).toHaveLength(4);
  await client.end();
  await eventually(() => expect(game.sessions).toBe(0));
});

// Guarantee: the quirks are realistic enough to expose the known faults of a client that ignores them.
test('rcon-client takes the first frame of a long reply for the whole', async () => {
  await using game = await startMinecraft();
  game.quirks.replies.set('long', 'x'.repeat(10_000));
  const client = await openRcon(game);
  expect(await client.send('long')).toHaveLength(4096);
  await client.end();
});

test('rcon-client takes the empty frame in front of a refused login for success', async () => {
  await using game = await startArk({ quirks: { emptyFrameBeforeLoginReply: true } });
  const client = await openRcon(game, 'wrong');
  expect(client.authenticated).toBe(true);
  expect(game.world.received).toEqual([]);
  await client.end();
});
