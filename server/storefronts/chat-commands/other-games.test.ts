import { expect, test } from 'vitest';
import { settingsHttp } from '#contracts/operations/settings.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { startArk } from '../../../tests/simulators/ark-simulator.ts';
import { startSevenDays } from '../../../tests/simulators/seven-days-simulator.ts';
import type { World } from '../../../tests/simulators/world.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { grantPoints } from '../../kernel/testing/store-rows.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { trustChat } from '../../kernel/testing/trust-chat.ts';

const running = apiForThisFile({ pollingIntervalMs: 200, newcomerMs: 0 });
const owner = { as: testDesktopCredential };
const context = () => running().api.context;
const db = () => context().database.db;

interface Game {
  readonly game: GameId;
  readonly port: number;
  readonly password: string;
  readonly world: World;
}

const setShop = async (values: Record<string, unknown>) => {
  const { json } = await call(running().port, settingsHttp.list, owner);
  const sections = json.sections as { name: string; version: number }[];
  const version = sections.find(({ name }) => name === 'chat-shop')?.version ?? 0;
  const body = { version, values };
  const changed = await call(running().port, settingsHttp.change, {
    ...owner,
    params: { section: 'chat-shop' },
    body,
  });
  if (changed.status !== 200) throw new Error(changed.text);
};

/** A running server and one player on it, who has 100 points. */
const enter = async ({ game, port, password, world }: Game, name: string) => {
  await setShop({ isOpen: true, broadcastsWithoutPrivate: false });
  const serverId = await newServer(running().port, { game, host: '127.0.0.1', port, password });
  await trustChat(running().port, serverId);
  world.join(name);
  const { presence } = context().people;
  const playerId = await eventually(() => {
    const player = presence.openSessions().find((one) => one.serverId === serverId);
    if (!player) throw new Error('the player is not seen yet');
    return player.playerId;
  }, 30_000);
  const { member_id: memberId } = await db()
    .selectFrom('players')
    .select('member_id')
    .where('id', '=', playerId)
    .executeTakeFirstOrThrow();
  await grantPoints(context().database.pool, memberId, 100);
  return { serverId, playerId, memberId };
};
const told = (world: World, name: string | null) =>
  world.messages.filter(({ to }) => to === name).map(({ text }) => text);
const ordersOf = (memberId: string) =>
  db().selectFrom('orders').select('total').where('member_id', '=', memberId).execute();

// Guarantee: in 7 Days to Die a line of the console that comes three times buys once; without `pm` nothing is spent,
// and public chat hears at most that nothing was done, and no price, no points and no number. The same line again does
// not count as consent while the player may have been told another price before the API was started.
test('7 Days to Die', async () => {
  await using game = await startSevenDays();
  const { memberId } = await enter(game, 'Ann');
  const body = productDraft.parse({
    name: 'Wood',
    price: 7,
    game: game.game,
    lines: [{ kind: 'command', command: 'say {quantity}', needsPlayer: false }],
    isEnabled: true,
  });
  await call(running().port, storeHttp.create, { ...owner, body });
  const { world, quirks } = game;

  quirks.hasPrivateMessages = false;
  world.chat('Ann', '!buy wood 3');
  const unknown = () => world.received.filter((command) => command.startsWith('pm ')).length;
  await eventually(() => expect(unknown()).toBe(1));
  await setShop({ broadcastsWithoutPrivate: true });
  world.chat('Ann', '!buy wood 3');
  const apology = 'Ann: private messages do not work on this server, so nothing was done.';
  await eventually(() => expect(told(world, null)).toEqual([apology]));
  expect(await ordersOf(memberId)).toEqual([]);

  quirks.hasPrivateMessages = true;
  // No price has reached the player yet.
  world.chat('Ann', '!buy wood 3');
  const question = expect.stringMatching(/^3x Wood: 21 points\. To buy it, type !buy \d{6}$/);
  await eventually(() => expect(told(world, 'Ann')).toEqual([question]));
  world.chat('Ann', '!buy wood 3');
  await eventually(() => expect(told(world, 'Ann')).toEqual([question, question]));
  expect(await ordersOf(memberId)).toEqual([]);
  const number = /(\d{6})$/.exec(told(world, 'Ann').at(-1) ?? '')?.[1];
  quirks.timesSent = (line) => (line.includes('!buy') ? 3 : 1);
  world.chat('Ann', `!buy ${number}`);
  await eventually(() =>
    expect(told(world, 'Ann').at(-1)).toBe('Bought 3x Wood for 21 points. You have 79 left.'),
  );
  expect(await ordersOf(memberId)).toEqual([{ total: '21' }]);
});

// Guarantee: the number of a survivor is stored only after the account it was typed for has typed back what was
// whispered to it, even if that survivor's number has six digits; then the deliveries that waited for the number
// continue.
test('the survivor number in ARK', async () => {
  await using game = await startArk();
  const { world } = game;
  const { serverId, playerId } = await enter(game, 'Bob');
  const { presence } = context().people;
  let lines = 0;
  const say = async (text: string) => {
    lines += 1;
    const player = { name: 'Bob', platformId: null };
    await presence.observe(serverId, [{ kind: 'chat', player, text, at: new Date(), key: `ark ${lines}` }]);
  };
  const whisper = (count: number) =>
    eventually(() => {
      const all = told(world, 'Bob');
      expect(all).toHaveLength(count);
      return all[count - 1] ?? '';
    });
  const stored = () =>
    db()
      .selectFrom('survivor_numbers')
      .select(['number', 'source'])
      .where('player_id', '=', playerId)
      .execute();

  await say('!survivor');
  expect(await whisper(1)).toContain('Type it: !survivor 123456789');
  await say('!survivor 234567');
  const asked = await whisper(2);
  expect(asked).toContain('survivor 234567 here');
  const number = /!survivor (\d{6})$/.exec(asked)?.[1] ?? '';
  await say(`!survivor ${number === '234567' ? '234568' : '234567'}`);
  expect(await whisper(3)).toBe('This number is wrong or too old. Ask again to get a new one.');
  expect(await stored()).toEqual([]);
  await say(`!survivor ${number}`);
  expect(await whisper(4)).toContain('is stored');
  expect(await stored()).toEqual([{ number: '234567', source: 'player' }]);
});
