import { describe, expect, test } from 'vitest';
import type { GameConnection } from '#games/connection.ts';
import { gameOf } from '#games/games.ts';
import { Secret } from '#runtime/secret.ts';
import { startArk } from './ark-simulator.ts';
import { startMinecraft } from './minecraft-simulator.ts';
import { startSevenDays } from './seven-days-simulator.ts';
import type { Simulator } from './simulator.ts';

interface Case {
  readonly start: () => Promise<Simulator>;
  readonly player: string;
  readonly item: string;
  readonly verdict: 'done' | 'unproven';
}

const minecraft = { player: 'Steve', item: 'minecraft:torch', verdict: 'done' } as const;
const ark = { player: 'Otter, the 2nd', item: '1', verdict: 'unproven' } as const;
const sevenDays = { player: 'Otter, the 2nd', item: 'resourceWood', verdict: 'done' } as const;
const cases: Readonly<Record<string, Case>> = {
  Minecraft: { ...minecraft, start: () => startMinecraft({ quirks: { lineFeeds: 'none' } }) },
  'Minecraft, as Paper': { ...minecraft, start: () => startMinecraft({ quirks: { lineFeeds: 'after' } }) },
  'ARK SE': {
    ...ark,
    start: () =>
      startArk({ variant: 'se', quirks: { emptyFrameBeforeLoginReply: true, keepAliveBeforeReply: true } }),
  },
  'ARK ASA': {
    ...ark,
    start: () =>
      startArk({ quirks: { emptyFrameAfterFull: true, keepAliveBeforeReply: true, keepAliveId: 'stray' } }),
  },
  '7 Days to Die': { ...sevenDays, start: () => startSevenDays({ quirks: { logLinesWithinReplies: 2 } }) },
  '7 Days to Die without a password': { ...sevenDays, start: () => startSevenDays({ password: '' }) },
};

const limits = { timeoutMs: 20_000 };

const connect = async ({ game, port, password }: Simulator): Promise<GameConnection> => {
  const target = { host: '127.0.0.1', port, password: new Secret(password) };
  const opened = await gameOf(game).connect(target, { connectTimeoutMs: limits.timeoutMs });
  if ('failure' in opened) throw new Error(opened.failure.detail);
  return opened.connection;
};

const renderGive = (simulator: Simulator, player: string, item: string) => {
  const handle = simulator.game === 'minecraft' ? player : String(simulator.world.named(player)?.numericId);
  const input = { player: { name: player, handle }, item, quantity: 5 };
  const forms = gameOf(simulator.game).actions.give;
  const rendered = forms?.render(input);
  if (!forms || !rendered || 'refused' in rendered) throw new Error('the give was refused');
  return { command: rendered.command, read: (reply: string) => forms.read(reply, input) };
};

// Guarantee: the adapters understand the simulators, which were written independently of them.
describe.each(Object.entries(cases))('%s', (_, { start, player, item, verdict }) => {
  test.each(['none', 'bytes', 'random'] as const)(
    'whole conversation, fragmentation: %s',
    async (fragmentation) => {
      await using simulator = await start();
      const { quirks, world } = simulator;
      quirks.fragmentation = fragmentation;
      const game = gameOf(simulator.game);
      const { name, platformId } = world.join(player);
      world.join('Alex');
      using connection = await connect(simulator);

      const { reply } = await connection.run(game.listPlayers.command, limits);
      const list = game.listPlayers.read(reply ?? '');
      expect('value' in list && list.value.map((listed) => listed.name)).toEqual([name, 'Alex']);
      expect('value' in list && list.value[0]?.platformId?.split(':')[1]).toBe(
        platformId.replace('Steam_', ''),
      );

      // More than one frame, and with single bytes not more writes than that takes.
      const long = 'ä漢x'.repeat(fragmentation === 'bytes' ? 1024 : 4096);
      quirks.replies.set('long', long);
      expect(await connection.run('long', limits)).toMatchObject({ outcome: 'answered', reply: long });

      const give = renderGive(simulator, player, item);
      const given = await connection.run(give.command, limits);
      expect(give.read(given.reply ?? '').verdict).toBe(verdict);
      expect(world.given).toMatchObject([{ player, item, quantity: 5 }]);
    },
  );

  test.each([
    ['die-before', 0],
    ['die-after', 1],
    ['cut', 1],
  ] as const)('a give whose fate is %s reached the game, and nobody can tell more', async (fate, times) => {
    await using simulator = await start();
    simulator.world.join(player);
    const give = renderGive(simulator, player, item);
    simulator.quirks.fateOf = (command) => (command === give.command ? fate : 'answer');
    using connection = await connect(simulator);
    const result = await connection.run(give.command, limits);
    expect(result).toMatchObject({ outcome: 'connection lost', sent: true });
    expect(simulator.world.given).toHaveLength(times);
  });

  test('its log tells who came, talked and went', async () => {
    await using simulator = await start();
    const { world, log, game } = simulator;
    world.join(player);
    world.chat(player, 'Bob joined the game');
    world.leave(player);
    const told = log.lines.map((line) => gameOf(game).readLogLine(line)).filter((line) => line !== null);
    expect(told).toMatchObject([
      { kind: 'join', player: { name: player } },
      { kind: 'chat', player: { name: player }, text: 'Bob joined the game' },
      { kind: 'leave', player: { name: player } },
    ]);
  });
});
