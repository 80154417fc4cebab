import { expect, test } from 'vitest';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../server/kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../server/kernel/testing/call.ts';
import { grantPoints } from '../../server/kernel/testing/store-rows.ts';
import { testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { trustChat } from '../../server/kernel/testing/trust-chat.ts';
import { offlineUuid } from '../simulators/identities.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';

const running = apiForThisFile({ newcomerMs: 0 });
const owner = { as: testDesktopCredential };
const context = () => running().api.context;
const idOf = (name: string) => `minecraft:${offlineUuid(name)}`;

/** A Minecraft server and the players on it. */
const openServer = async (names: readonly string[]) => {
  const game = await startMinecraft();
  const { password, port, world } = game;
  const serverId = await newServer(running().port, { host: '127.0.0.1', port, password });
  const {
    servers,
    people: { presence },
  } = context();
  await eventually(() => expect(servers.directory.get(serverId)).not.toBeNull());
  await trustChat(running().port, serverId);
  for (const name of names) world.join(name);
  presence.report(
    serverId,
    'direct',
    names.map((name) => ({ name, platformId: idOf(name), handle: name })),
  );
  await eventually(() => expect(presence.read(serverId).players).toHaveLength(names.length));
  let said = 0;
  return {
    world,
    serverId,
    async say(name: string, text: string) {
      said += 1;
      const player = { name, platformId: idOf(name) };
      const key = `${serverId}:${said}`;
      await presence.observe(serverId, [{ kind: 'chat', player, text, at: new Date(), key }]);
    },
    told: (name: string) => world.messages.filter(({ to }) => to === name),
    [Symbol.asyncDispose]: () => game[Symbol.asyncDispose](),
  };
};

const memberOf = async (name: string): Promise<string> => {
  const found = await context()
    .database.db.selectFrom('players')
    .select('member_id')
    .where('identity', '=', idOf(name))
    .executeTakeFirstOrThrow();
  return found.member_id;
};

/** Makes one person of the players. */
const join = async ([first = '', ...others]: readonly string[]) => {
  const id = await memberOf(first);
  await grantPoints(context().database.pool, id, 1000);
  for (const name of others) {
    const body = { mergedId: await memberOf(name) };
    const merged = await call(running().port, membersHttp.merge, { ...owner, params: { id }, body });
    if (merged.status !== 200) throw new Error(merged.text);
  }
};

// Guarantee: what a player buys by chat goes to that player on that server, even if other players of the same member are
// there, too, or the member plays on two servers at once.
test('fifty purchases of members with several players each', async () => {
  const onFirst = ['Ann', 'Abe', 'Bea', 'Bob', 'Cal', 'Dan', 'Eve'];
  const onSecond = ['Gus', 'Gil', 'Hal', 'Hue', 'Kim', 'Dot', 'Liz'];
  await using first = await openServer(onFirst);
  await using second = await openServer(onSecond);
  const people = [
    ['Ann', 'Abe'],
    ['Bea', 'Bob'],
    ['Gus', 'Gil'],
    ['Hal', 'Hue'],
    // These play on two servers.
    ['Cal', 'Kim'],
    ['Dan', 'Dot'],
    ['Eve', 'Liz'],
  ];
  for (const names of people) await join(names);
  const { json } = await call(running().port, settingsHttp.list, owner);
  const sections = json.sections as { name: string; version: number }[];
  const version = sections.find(({ name }) => name === 'chat-shop')?.version ?? 0;
  await call(running().port, settingsHttp.change, {
    ...owner,
    params: { section: 'chat-shop' },
    body: { version, values: { isOpen: true } },
  });
  const body = productDraft.parse({
    name: 'Diamond',
    price: 1,
    shortCode: 'DIA',
    game: 'minecraft',
    lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 1 }],
    isEnabled: true,
  });
  await call(running().port, storeHttp.create, { ...owner, body });

  const typed = [
    ...onFirst.map((name) => ({ server: first, name })),
    ...onSecond.map((name) => ({ server: second, name })),
  ];
  const pieces = 4;
  for (const { server, name } of typed) await server.say(name, '!shop');
  await eventually(() => {
    for (const { server, name } of typed) expect(server.told(name)).toHaveLength(1);
  });
  for (let piece = 1; piece <= pieces; piece += 1) {
    for (const { server, name } of typed) await server.say(name, '!buy DIA');
    await eventually(() => {
      for (const { server, name } of typed) expect(server.told(name)).toHaveLength(1 + piece);
    });
  }
  const given = () => [...first.world.given, ...second.world.given];
  await eventually(() => expect(given()).toHaveLength(pieces * typed.length), 30_000);
  for (const { server, name } of typed)
    expect({ name, given: server.world.given.filter(({ player }) => player === name).length }).toEqual({
      name,
      given: pieces,
    });
});
