import { expect, test } from 'vitest';
import { discordRolesHttp, type RoleChangeOutcome } from '#contracts/discord/discord-roles.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import {
  asOwner,
  buy,
  db,
  guild,
  handedLongAgo,
  made,
  newPerson,
  newPlayer,
  newProduct,
  next,
  ofRole,
  owed,
  port,
  roleId,
  round,
  running,
  settle,
  switchOn,
  take,
  tellMembers,
} from './testing/roles-of-a-test.ts';

// Guarantee: hours count over all players of a member and all servers, and those of others do not.
test('a role for hours', async () => {
  const serverId = await newServer(port());
  const veteran = await newPerson();
  const newcomer = await newPerson();
  for (const [{ memberId }, hours] of [
    [veteran, 10],
    [newcomer, 9],
  ] as const) {
    const playerId = await newPlayer(memberId);
    await db()
      .insertInto('player_sessions')
      .values({
        player_id: playerId,
        server_id: serverId,
        handle: '',
        joined_at: new Date(Date.now() - hours * 3_600_000 - 1000),
        confirmed_at: new Date(),
        left_at: new Date(),
      })
      .execute();
  }
  await switchOn({ ...ofRole, kind: 'hours', amount: 10 });
  expect(await made()).toEqual([`give ${veteran.discordId} hours`]);
  expect(await made()).toEqual([]);
});

// Guarantee: neither changes that fail nor one that is always in doubt delay a purchase or another change, and each is retried.
test('changes that fail', async () => {
  await switchOn({ ...ofRole, kind: 'linked' });
  const [doubted, gone] = [await newPerson(), await newPerson()];
  await newPlayer(doubted.memberId);
  await newPlayer(gone.memberId);
  const settledAs = async (outcome: RoleChangeOutcome) => {
    const [change] = await next();
    await settle(change?.id ?? '', outcome);
    return change?.discordId;
  };
  await round();
  const failed = [await settledAs('in-doubt'), await settledAs('member-gone')];
  expect(failed.sort()).toEqual([doubted.discordId, gone.discordId].sort());
  expect(await next()).toEqual([]);
  // They are due again, and have been for a long time.
  await db()
    .updateTable('discord_role_changes')
    .set({ next_try_at: new Date(Date.now() - 3_600_000) })
    .execute();
  const [fresh, buyer] = [await newPerson(), await newPerson()];
  await newPlayer(fresh.memberId);
  await buy(buyer.memberId, await newProduct(), 1);
  await round();
  expect(await settledAs('done')).toBe(buyer.discordId);
  expect(await settledAs('done')).toBe(fresh.discordId);
  expect((await made()).length).toBe(2);
  expect(await owed()).toEqual([]);
});

// Guarantee: a change that is reported twice is audited once, and one that is given out again stays the same.
test('a report that comes twice', async () => {
  const ada = await newPerson();
  await newPlayer(ada.memberId);
  await switchOn({ ...ofRole, kind: 'linked' });
  const [change] = await take();
  expect(await take()).toEqual([change]);
  await Promise.all([settle(change?.id ?? ''), settle(change?.id ?? '')]);
  await settle(change?.id ?? '');
  const rows = await db()
    .selectFrom('audit_logs')
    .select(['action', 'actor', 'after'])
    .where('target', '=', `discord-user:${ada.discordId}`)
    .execute();
  expect(rows).toEqual([
    {
      action: 'discord.give-role',
      actor: expect.stringMatching(/^bot:/),
      after: { role: 'Veteran', roleId, because: 'linked' },
    },
  ]);
  expect(await take()).toEqual([]);
});

// Guarantee: a change that is no longer wanted is forgotten; if the bot has made it in the meantime, it is audited, even without a report.
test('a change that is not wanted any more', async () => {
  const ada = await newPerson();
  const playerId = await newPlayer(ada.memberId);
  const id = await switchOn({ ...ofRole, kind: 'linked' });
  await take();
  await db().deleteFrom('players').where('id', '=', playerId).execute();
  // The bot had it, and may have made it.
  expect(await take()).toEqual([]);
  await round();
  expect(await owed()).toHaveLength(1);
  guild.set(ada.discordId, [roleId]);
  await tellMembers();
  await handedLongAgo();
  await running().api.context.discord.roles.round();
  expect(await made()).toEqual([`take ${ada.discordId} not-earned`]);
  const rows = await db()
    .selectFrom('audit_logs')
    .select('action')
    .where('target', '=', `discord-user:${ada.discordId}`)
    .orderBy('id')
    .execute();
  expect(rows.map(({ action }) => action)).toEqual(['discord.give-role', 'discord.take-role']);
  await call(port(), discordRolesHttp.disable, { ...asOwner, params: { id }, body: {} });
});

// Guarantee: without a license nothing is given or taken.
test('without a license', async () => {
  const ada = await newPerson();
  await newPlayer(ada.memberId);
  await switchOn({ ...ofRole, kind: 'linked' });
  running().api.license.set('rejected');
  // After a check that had begun before.
  await round();
  await db().deleteFrom('discord_role_changes').execute();
  await running().api.context.discord.roles.round();
  expect(await db().selectFrom('discord_role_changes').selectAll().execute()).toEqual([]);
  running().api.license.set('valid');
  expect(await made()).toEqual([`give ${ada.discordId} linked`]);
});
