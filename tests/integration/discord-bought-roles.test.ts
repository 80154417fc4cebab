import { expect, test } from 'vitest';
import { membersHttp } from '#contracts/people/members.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import {
  asOwner,
  audits,
  changesOf,
  db,
  discordRolesForThisFile,
  givePlayer,
  has,
  hasNot,
  joined,
  known,
  newRole,
  owedTo,
  patientMs,
  points,
  running,
  settled,
  stand,
} from '#harness/discord-roles.ts';
import { eventually } from '#harness/eventually.ts';
import { call } from '../../server/kernel/testing/call.ts';

discordRolesForThisFile();

const newProduct = async (role: { id: string; name: string }): Promise<string> => {
  const { status, json, text } = await call(running().port, storeHttp.create, {
    ...asOwner,
    body: {
      name: `Rank ${role.name}`,
      price: 10,
      game: 'minecraft',
      isEnabled: true,
      lines: [{ kind: 'role', roleId: role.id, roleName: role.name }],
    },
  });
  expect(status, text).toBe(200);
  return String(json.id);
};
const buy = async (memberId: string, productId: string, isTest = false) => {
  const { status, json, text } = await call(running().port, ordersHttp.place, {
    ...asOwner,
    body: { memberId, lines: [{ productId, quantity: 1 }], isTest },
  });
  expect(status, text).toBe(200);
  return String(json.id);
};
const refund = (id: string) =>
  call(running().port, ordersHttp.refund, { ...asOwner, params: { id }, body: {} });
const deliveriesOf = async (orderId: string) => {
  const { json } = await call(running().port, ordersHttp.read, { ...asOwner, params: { id: orderId } });
  return json.deliveries as { id: string; state: string; certainty: string | null; detail: string | null }[];
};
const delivered = (orderId: string) =>
  eventually(
    async () =>
      expect(await deliveriesOf(orderId)).toMatchObject([{ state: 'delivered', certainty: 'proven' }]),
    patientMs,
  );
const waits = (orderId: string, detail: string) =>
  eventually(
    async () => expect(await deliveriesOf(orderId)).toMatchObject([{ state: 'waiting', detail }]),
    patientMs,
  );

// Guarantee: a bought role is given and proven, restored when it is removed by hand, and removed with the last refund.
test('a role that is bought', async () => {
  const role = newRole();
  await known(role.id);
  const ada = await joined('Buyer');
  await points(ada.memberId, 100);
  const productId = await newProduct(role);
  const first = await buy(ada.memberId, productId);
  await delivered(first);
  await has(ada, role);
  stand.people.setRoles(ada, []);
  await has(ada, role);
  // Only a test order may give it twice.
  const second = await buy(ada.memberId, productId, true);
  await delivered(second);
  await refund(first);
  await running().api.context.discord.roles.round();
  await has(ada, role);
  // Without a rule, a person who got it by hand keeps it.
  const hand = await joined('Hand', [role.id]);
  expect((await refund(second)).status).toBe(200);
  await hasNot(ada, role);
  await settled();
  expect(changesOf(hand)).toEqual([]);
  expect((await audits(ada)).at(-1)).toBe('discord.take-role refunded');
  const { json } = await call(running().port, membersHttp.read, { ...asOwner, params: { id: ada.memberId } });
  expect(json.balance).toBe(100);
});

// Guarantee: obstacles for a bought role are reported, and it arrives once they are gone.
test('a bought role that waits', async () => {
  const role = newRole();
  await known(role.id);
  const productId = await newProduct(role);
  const playerId = await givePlayer(
    (await db().insertInto('members').defaultValues().returning('id').executeTakeFirstOrThrow()).id,
  );
  const { json } = await call(running().port, membersHttp.ofPlayer, { ...asOwner, params: { id: playerId } });
  const memberId = String(json.id);
  await points(memberId, 10);
  const orderId = await buy(memberId, productId);
  await waits(orderId, 'The recipient has not linked a Discord account.');

  stand.people.changeRole(role, { position: 12 });
  const ada = await joined('Later');
  await db().updateTable('members').set({ discord_id: null }).where('id', '=', ada.memberId).execute();
  await db().updateTable('members').set({ discord_id: ada.user.id }).where('id', '=', memberId).execute();
  await waits(
    orderId,
    'This role is not below the bot’s highest role, so Discord does not let the bot give it.',
  );
  stand.people.changeRole(role, { position: 1 });
  await delivered(orderId);
  await has(ada, role);
  // The account changes hands: the role follows the member.
  await db().updateTable('members').set({ discord_id: null }).where('id', '=', memberId).execute();
  await hasNot(ada, role);
});

// Guarantee: a purchase that is cancelled before the role was given gives no role, and its points are refunded.
test('a bought role that is cancelled', async () => {
  const role = newRole();
  await known(role.id);
  const productId = await newProduct(role);
  const ada = await joined('Cancels');
  await points(ada.memberId, 10);
  stand.people.leave(ada);
  const orderId = await buy(ada.memberId, productId);
  await waits(orderId, 'The recipient has not joined the Discord server.');
  const [delivery] = await deliveriesOf(orderId);
  const answer = await call(running().port, deliveriesHttp.cancel, {
    ...asOwner,
    params: { id: delivery?.id ?? '' },
    body: {},
  });
  expect(answer.json).toMatchObject({ state: 'cancelled' });
  stand.people.rejoin(ada);
  await eventually(async () => {
    const { left_at } = await db()
      .selectFrom('discord_guild_members')
      .select('left_at')
      .where('discord_id', '=', ada.user.id)
      .executeTakeFirstOrThrow();
    expect(left_at).toBeNull();
  }, patientMs);
  await running().api.context.discord.roles.round();
  expect(await owedTo(ada)).toEqual([]);
  // The bot may have tried before the API knew that she had left.
  expect(changesOf(ada).filter(({ status }) => status !== 404)).toEqual([]);
});
