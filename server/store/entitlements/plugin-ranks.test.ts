import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { type MinecraftSimulator, startMinecraft } from '../../../tests/simulators/minecraft-simulator.ts';
import { day, type LastingStore, openLastingStore, vip } from './testing/lasting-store.ts';

let lasting: LastingStore;
let game: MinecraftSimulator;
let serverId: string;
beforeAll(async () => {
  lasting = await openLastingStore();
  game = await startMinecraft({ quirks: { ranks: 'told' } });
  serverId = await lasting.store.server('minecraft', { port: game.port, password: game.password });
  await eventually(() => expect(lasting.store.ways.open(serverId)).not.toBeNull());
});
afterAll(async () => {
  await lasting[Symbol.asyncDispose]();
  await game[Symbol.asyncDispose]();
});

const inherits = ['*now inherits permissions*', '*already inherits*'];
const taken = ['*no longer inherits*', '*does not already inherit*'];
const round = () => lasting.entitlements.round();
const newPlayer = async (name: string) => {
  const { platformId } = game.world.join(name);
  const player = await lasting.store.member(name, 'minecraft', `minecraft:${platformId}`);
  lasting.store.join(serverId, player.playerId, name);
  return player;
};
const removals = (name: string) =>
  game.world.commands.filter((command) => command === `lp user ${name} parent remove vip`);

// Guarantee: over the console, a rank is given and taken back once, whether the plug-in replies, or works later and
// replies nothing, so that only its own log shows it; the record says which of the two it was.
test.each([
  ['told', 'proven'],
  ['silent', 'unconfirmed'],
] as const)('a plug-in for ranks: %s', async (replies, certainty) => {
  game.quirks.ranks = replies;
  const name = replies === 'told' ? 'Heron' : 'Otter';
  const { memberId } = await newPlayer(name);
  const line = vip();
  if (line.kind !== 'command' || !line.lasts) throw new Error('the rank is a command that lasts');
  // A plug-in that replies nothing cannot be checked by its replies.
  const success = replies === 'told' ? inherits : [];
  await lasting.buy(memberId, { ...line, success, lasts: { ...line.lasts, taken } });
  await lasting.buy(memberId, { ...line, success, lasts: { ...line.lasts, taken } });
  await round();
  expect(game.ranksOf(name)).toEqual(['vip']);
  await lasting.pass(31 * day);
  await round();
  expect(game.ranksOf(name)).toEqual(['vip']);
  await lasting.pass(30 * day);
  await round();
  await round();
  expect(game.ranksOf(name)).toEqual([]);
  expect(removals(name)).toHaveLength(1);
  expect(await lasting.places(memberId)).toMatchObject([{ state: 'taken', certainty }]);
});

// Guarantee: over the console alone, no one can tell the outcome of a command that a dead process has sent: it is not
// sent again, and a person is asked.
test('a kill between sending and the answer, without an agent', async () => {
  game.quirks.ranks = 'told';
  const { memberId } = await newPlayer('Raven');
  await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  game.quirks.fateOf = (command) => (command.includes('remove') ? 'silence' : 'answer');
  void round();
  await eventually(() => expect(removals('Raven')).toHaveLength(1));
  lasting.restart();
  await round();
  game.quirks.fateOf = () => 'answer';
  await lasting.pass(day);
  await round();
  expect(removals('Raven')).toHaveLength(1);
  expect(await lasting.places(memberId)).toMatchObject([{ state: 'unknown' }]);
});
