import { expect, test } from 'vitest';
import { minecraft } from '#games/minecraft/minecraft.ts';
import type { GiveGuard, GuardedGift, GuardForm } from '#games/store-forms.ts';
import { Secret } from '#runtime/secret.ts';
import type { MinecraftPlugins, MinecraftVersion } from './minecraft-commands.ts';
import { type MinecraftQuirks, type MinecraftSimulator, startMinecraft } from './minecraft-simulator.ts';

const guard = minecraft.store.guard as GiveGuard;
const limits = { timeoutMs: 20_000 };

const connect = async ({ port, password }: MinecraftSimulator) => {
  const target = { host: '127.0.0.1', port, password: new Secret(password) };
  const opened = await minecraft.connect(target, { connectTimeoutMs: limits.timeoutMs });
  if ('failure' in opened) throw new Error(opened.failure.detail);
  return opened.connection;
};

/** A game with a probed form of the guard, and the actions with one gift. */
const guardedGame = async (
  quirks: Partial<MinecraftQuirks>,
  id = '0b9f2c1e-5a77-4d0e-9a51-3f1a5c2d7e60-1',
) => {
  const game = await startMinecraft({ quirks });
  const connection = await connect(game);
  const run = (command: string) => connection.run(command, limits);
  const probed = await guard.probe(run);
  const form: GuardForm = 'form' in probed ? probed.form : 'plain';
  const gift = (name: string): GuardedGift => ({
    id,
    give: { player: { name, platformId: known(game, name) }, item: 'minecraft:torch', quantity: 5 },
  });
  return {
    game,
    probed,
    form,
    mark: async () => guard.query.read((await run(guard.query.command(id, form))).reply ?? ''),
    withdraw: () => run(guard.withdraw(id, form)),
    forget: () => run(guard.forget(id, form)),
    clock: async () => guard.clock.read((await run(guard.clock.command(form))).reply ?? ''),
    async give(name: string) {
      const rendered = guard.render(gift(name), form);
      if ('refused' in rendered) throw new Error(rendered.refused);
      const { reply } = await run(rendered.command);
      return guard.read(reply ?? '', gift(name)).verdict;
    },
    run,
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
      await game[Symbol.asyncDispose]();
    },
  };
};

const known = ({ world }: MinecraftSimulator, name: string): string | undefined => {
  const id = world.named(name)?.platformId;
  return id === undefined ? undefined : `minecraft:${id}`;
};

const variants: readonly (readonly [MinecraftVersion, MinecraftPlugins, GuardForm | null])[] = [
  ['1.21', 'none', 'plain'],
  ['26.1', 'none', 'plain'],
  ['1.21', 'reached', 'namespaced'],
  ['1.21', 'apart', 'plain'],
  ['1.14', 'none', null],
  ['1.14', 'apart', null],
];

// Guarantee: the guard is used only if the game itself supports it; the probe gives nothing and leaves nothing behind.
test.each(variants.flatMap((variant) => [[...variant, false] as const, [...variant, true] as const]))(
  'probe of %s, plug-ins %s: %s (tells what fails: %s)',
  async (version, plugins, expected, tellsForks) => {
    await using guarded = await guardedGame({ version, plugins, tellsForks });
    expect(guarded.probed).toEqual(
      expected === null ? { unfit: expect.stringMatching(/namespaced: .*plain: /) } : { form: expected },
    );
    expect(guarded.game.world.given).toEqual([]);
    expect([...guarded.game.level.storage.values()].flatMap((marks) => [...marks])).toEqual([]);
    if (expected !== null) expect(await guarded.clock()).toBeTypeOf('number');
  },
);

// Guarantee: a plug-in's own give is never mistaken for the game's.
test('a plug-in that replaces give fails the plain probe', async () => {
  await using guarded = await guardedGame({ plugins: 'reached' });
  const plainOnly = await guard.probe((command) =>
    guarded.run(command.startsWith('minecraft:') ? 'nonsense' : command),
  );
  expect(plainOnly).toEqual({ unfit: expect.stringContaining('Player not found') });
});

// Guarantee: no matter how often a gift is sent, it is given once, and the mark shows its outcome.
test.each([
  ['1.21', false, 'unproven'],
  ['1.21', true, 'later'],
  ['26.1', false, 'unproven'],
] as const)('one gift, %s (tells what fails: %s)', async (version, tellsForks, absent) => {
  await using guarded = await guardedGame({ version, tellsForks });
  const { world, level } = guarded.game;
  expect(await guarded.mark()).toBe('absent');
  expect(await guarded.give('Steve')).toBe(absent);
  expect(await guarded.mark()).toBe('refused');
  world.join('Steve');
  expect(await guarded.give('Steve')).toBe('done');
  expect(await guarded.mark()).toBe('given');
  for (let time = 0; time < 3; time += 1) expect(await guarded.give('Steve')).toBe('unproven');
  await guarded.withdraw();
  expect(await guarded.mark()).toBe('given');
  expect(world.given).toHaveLength(1);
  expect(level.inventories.get('Steve')).toHaveLength(1);
  await guarded.forget();
  expect(await guarded.mark()).toBe('absent');
});

test.each([
  [false, ''],
  [true, 'No entity was found'],
])('by UUID, an absent player leaves no mark (tells what fails: %s)', async (tellsForks, said) => {
  await using guarded = await guardedGame({ tellsForks });
  const { world } = guarded.game;
  world.join('Steve');
  const gift: GuardedGift = {
    id: 'away-1',
    give: { player: { platformId: known(guarded.game, 'Steve') }, item: 'minecraft:torch', quantity: 5 },
  };
  world.leave('Steve');
  const rendered = guard.render(gift, guarded.form);
  if ('refused' in rendered) throw new Error(rendered.refused);
  expect((await guarded.run(rendered.command)).reply?.trim()).toBe(said);
  const asked = await guarded.run(guard.query.command('away-1', guarded.form));
  expect(guard.query.read(asked.reply ?? '')).toBe('absent');
  expect(world.given).toEqual([]);
});

// Guarantee: a lost answer is settled by asking for the mark, and sending again gives nothing twice.
test.each([
  ['die-before', 'absent', 'done'],
  ['die-after', 'given', 'unproven'],
  ['cut', 'given', 'unproven'],
] as const)('an answer lost by %s leaves the mark %s', async (fate, mark, again) => {
  await using game = await startMinecraft();
  const { world, quirks } = game;
  world.join('Steve');
  const gift: GuardedGift = {
    id: 'lost-1',
    give: {
      player: { name: 'Steve', platformId: known(game, 'Steve') },
      item: 'minecraft:torch',
      quantity: 5,
    },
  };
  const rendered = guard.render(gift, 'plain');
  if ('refused' in rendered) throw new Error(rendered.refused);
  quirks.fateOf = (command) => (command === rendered.command ? fate : 'answer');
  using first = await connect(game);
  expect(await first.run(rendered.command, limits)).toMatchObject({ outcome: 'connection lost', sent: true });
  quirks.fateOf = () => 'answer';
  using second = await connect(game);
  const asked = await second.run(guard.query.command('lost-1', 'plain'), limits);
  expect(guard.query.read(asked.reply ?? '')).toBe(mark);
  const { reply } = await second.run(rendered.command, limits);
  expect(guard.read(reply ?? '', gift).verdict).toBe(again);
  expect(world.given).toEqual([{ player: 'Steve', item: 'minecraft:torch', quantity: 5, quality: null }]);
});

// Guarantee: after a withdrawal no gift arrives, even if it was in progress.
test('a gift that was withdrawn is not given', async () => {
  await using guarded = await guardedGame({});
  guarded.game.world.join('Steve');
  await guarded.withdraw();
  expect(await guarded.mark()).toBe('withdrawn');
  expect(await guarded.give('Steve')).toBe('unproven');
  expect(await guarded.mark()).toBe('withdrawn');
  expect(guarded.game.world.given).toEqual([]);
});

test('an item that the game does not know leaves no mark', async () => {
  await using guarded = await guardedGame({});
  guarded.game.world.join('Steve');
  const gift = { id: 'nope-1', give: { player: { name: 'Steve' }, item: 'minecraft:nope', quantity: 1 } };
  const rendered = guard.render(gift, guarded.form);
  if ('refused' in rendered) throw new Error(rendered.refused);
  const { reply } = await guarded.run(rendered.command);
  expect(guard.read(reply ?? '', gift)).toEqual({
    verdict: 'failed',
    reason: 'The game does not know this item.',
  });
  const asked = await guarded.run(guard.query.command('nope-1', guarded.form));
  expect(guard.query.read(asked.reply ?? '')).toBe('absent');
});

// Guarantee: a kill between saves reverts mark, item and time together; a player who left keeps the item without its mark.
test('a game that is killed between saves', async () => {
  await using game = await startMinecraft();
  const { world, level } = game;
  const give = async (id: string, name: string) => {
    using connection = await connect(game);
    const gift = { id, give: { player: { name }, item: 'minecraft:torch', quantity: 1 } };
    const rendered = guard.render(gift, 'plain');
    if ('refused' in rendered) throw new Error(rendered.refused);
    await connection.run(rendered.command, limits);
  };
  world.join('Steve');
  world.join('Alex');
  await give('saved-1', 'Steve');
  level.save();
  const savedTime = level.gameTime;
  await give('lost-1', 'Steve');
  await give('kept-1', 'Alex');
  world.leave('Alex');
  const killedMs = performance.now();
  await game.kill();
  await game.restart();
  expect(performance.now() - killedMs).toBeGreaterThanOrEqual(1999);
  // The game time stood still for those seconds.
  expect(level.gameTime - savedTime).toBeLessThan(20);
  expect([...(level.storage.get('castellan:deliveries') ?? [])]).toEqual([['saved-1', 1]]);
  expect(level.inventories.get('Steve')).toHaveLength(1);
  expect(level.inventories.get('Alex')).toHaveLength(1);
  expect(world.given).toHaveLength(3);
  expect(world.players).toEqual([]);
});
