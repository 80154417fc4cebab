import { afterAll, beforeAll, expect } from 'vitest';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { eventually } from '#harness/eventually.ts';
import { offlineUuid } from '../../../../tests/simulators/identities.ts';
import { type MinecraftSimulator, startMinecraft } from '../../../../tests/simulators/minecraft-simulator.ts';
import { apiForThisFile } from '../../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../../kernel/testing/call.ts';
import { grantPoints } from '../../../kernel/testing/store-rows.ts';
import { startTestApi, testDesktopCredential } from '../../../kernel/testing/test-api.ts';
import { trustChat } from '../../../kernel/testing/trust-chat.ts';
import { whenInUse } from '../../../kernel/testing/when-in-use.ts';

const owner = { as: testDesktopCredential };

/** For all tests of a file: an API and a Minecraft server, in whose chat players say what the test tells them to. */
export const chatForThisFile = () => {
  const running = apiForThisFile({ newcomerMs: 0 });
  let game: MinecraftSimulator;
  let serverId: string;
  /** Players who are there, including those from before. */
  const present: string[] = [];
  let said = 0;

  beforeAll(async () => {
    game = await startMinecraft();
    const { password } = game;
    serverId = await newServer(running().port, { host: '127.0.0.1', port: game.port, password });
    const { directory } = running().api.context.servers;
    await eventually(() => expect(directory.get(serverId)).not.toBeNull());
    await trustChat(running().port, serverId);
  });
  afterAll(() => game?.[Symbol.asyncDispose]());

  const context = () => running().api.context;
  const db = () => context().database.db;
  const parsePlatformId = (name: string) => `minecraft:${offlineUuid(name)}`;
  const whispers = (name: string) =>
    game.world.messages.filter(({ to }) => to === name).map(({ text }) => text);

  return {
    running,
    context,
    db,
    pool: () => context().database.pool,
    game: () => game,
    async setShop(values: Record<string, unknown>) {
      const { json } = await call(running().port, settingsHttp.list, owner);
      const sections = json.sections as { name: string; version: number }[];
      const version = sections.find(({ name }) => name === 'chat-shop')?.version ?? 0;
      const body = { version, values };
      const params = { section: 'chat-shop' };
      const changed = await call(running().port, settingsHttp.change, { ...owner, params, body });
      if (changed.status !== 200) throw new Error(changed.text);
    },
    /** @returns the player's member */
    async join(name: string, points = 0): Promise<string> {
      const { presence } = context().people;
      game.world.join(name);
      present.push(name);
      const list = present.map((one) => ({ name: one, platformId: parsePlatformId(one), handle: one }));
      presence.report(serverId, 'direct', list);
      await eventually(() =>
        expect(presence.read(serverId).players?.map((player) => player.name)).toContain(name),
      );
      const { member_id } = await db()
        .selectFrom('players')
        .select('member_id')
        .where('identity', '=', parsePlatformId(name))
        .executeTakeFirstOrThrow();
      if (points > 0) await grantPoints(context().database.pool, member_id, points);
      return member_id;
    },
    /** `isNamed`: by a name alone, as in Minecraft's log. */
    async say(
      name: string,
      text: string,
      { isNamed = false, key = '', at = new Date(), api = running().api } = {},
    ) {
      said += 1;
      const platformId = isNamed ? null : parsePlatformId(name);
      await api.context.people.presence.observe(serverId, [
        {
          kind: 'chat',
          player: { name, platformId },
          text,
          at,
          key: `${serverId}:${key === '' ? said : key}`,
        },
      ]);
    },
    whispers,
    /** The newest whisper once there are this many. */
    whisper: (name: string, count: number) =>
      eventually(() => {
        const all = whispers(name);
        expect(all).toHaveLength(count);
        return all[count - 1] ?? '';
      }),
    /** Another process on the same database, which knows that the player is there. */
    async startNext(name: string) {
      const next = await startTestApi({
        databaseUrl: running().databaseUrl,
        workers: [],
        newcomerMs: 0,
      });
      await whenInUse(next);
      const { presence } = next.context.people;
      await eventually(() => expect(presence.openSessions().map((one) => one.name)).toContain(name));
      return next;
    },
  };
};
