import { expect, test } from 'vitest';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { call } from '../../kernel/testing/call.ts';
import {
  asOwner,
  buy,
  guild,
  handedLongAgo,
  made,
  newPerson,
  newProduct,
  ofRole,
  pending,
  port,
  refund,
  roleId,
  round,
  running,
  settle,
  switchOn,
  take,
  tellMembers,
} from './testing/roles-of-a-test.ts';

// Guarantee: a role that follows the store is only for its buyers, and is removed with the refund.
test('a role for who has bought it', async () => {
  const buyer = await newPerson();
  const byHand = await newPerson([roleId]);
  await switchOn({ ...ofRole, kind: 'bought' });
  expect(await made()).toEqual([`take ${byHand.discordId} not-earned`]);
  const orderId = await buy(buyer.memberId, await newProduct(), 1);
  expect(await made()).toEqual([`give ${buyer.discordId} bought`]);
  expect(await made()).toEqual([]);
  const { json } = await call(port(), ordersHttp.read, { ...asOwner, params: { id: orderId } });
  expect(json.deliveries).toMatchObject([{ state: 'delivered', certainty: 'proven', line: { quantity: 1 } }]);
  await refund(orderId);
  expect(await made()).toEqual([`take ${buyer.discordId} refunded`]);
  expect(await made()).toEqual([]);
});

// Guarantee: no role lets in someone who has not accepted the rules; it is given once they have, and the wait says why.
test('rules that are not accepted yet', async () => {
  const buyer = await newPerson();
  pending.add(buyer.discordId);
  await tellMembers();
  const orderId = await buy(buyer.memberId, await newProduct(), 1);
  expect(await made()).toEqual([]);
  const { json } = await call(port(), ordersHttp.read, { ...asOwner, params: { id: orderId } });
  expect(json.deliveries).toMatchObject([{ state: 'waiting', reason: { code: 'role-rules-first' } }]);
  pending.delete(buyer.discordId);
  await tellMembers();
  expect(await made()).toEqual([`give ${buyer.discordId} bought`]);
});

// Guarantee: a role is not charged if it would give nothing: twice at the same time, or to someone who has bought it already.
test('a role that is bought twice', async () => {
  const { memberId } = await newPerson();
  const productId = await newProduct();
  const refused = async (quantity: number) => {
    const body = { memberId, lines: [{ productId, quantity }] };
    const { json } = await call(port(), ordersHttp.place, { ...asOwner, body });
    expect(json.code).toBe('LIMIT_REACHED');
    return json.detail;
  };
  expect(await refused(2)).toBe('Veteran: The limit is 1 per member; this member has 0.');
  const first = await buy(memberId, productId, 1);
  expect(await refused(1)).toBe('Veteran: The limit is 1 per member; this member has 1.');
  await made();
  await refused(1);
  await refund(first);
  await buy(memberId, productId, 1);
});

// Guarantee: a person who is refunded while the bot gives the role does not keep it, whether the bot reports or not.
test.each([
  ['reported', 'at once'],
  ['reported after a long throttle', 'late'],
  ['not reported', 'never'],
])('a refund while the role is given, %s', async (_how, isReported) => {
  const buyer = await newPerson();
  const productId = await newProduct();
  const placed = await buy(buyer.memberId, productId, 1);
  const [change] = await take();
  expect(change).toMatchObject({ change: 'give', because: 'bought' });
  await refund(placed);
  await running().api.context.discord.roles.round();
  guild.set(buyer.discordId, [roleId]);
  if (isReported !== 'at once') await handedLongAgo();
  if (isReported === 'never') {
    await tellMembers();
    // The bot's next request shows that it is done with it.
    expect(await take()).toEqual([]);
    await round();
  } else {
    await round();
    await settle(change?.id ?? '');
  }
  expect(await made()).toEqual([`take ${buyer.discordId} refunded`]);
  expect(await made()).toEqual([]);
});

// Guarantee: a person who requests a role's delivery again does not wait for the back-off.
test('a purchase that is tried again', async () => {
  const buyer = await newPerson();
  const orderId = await buy(buyer.memberId, await newProduct(), 1);
  const [change] = await take();
  await settle(change?.id ?? '', 'role-refused');
  expect(await take()).toEqual([]);
  const { json } = await call(port(), ordersHttp.read, { ...asOwner, params: { id: orderId } });
  const [delivery] = json.deliveries as { id: string }[];
  const params = { id: delivery?.id ?? '' };
  const answer = await call(port(), deliveriesHttp.retry, { ...asOwner, params, body: {} });
  expect(answer.status, answer.text).toBe(200);
  expect(await take()).toEqual([change]);
});
