import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { entitlementsHttp } from '#contracts/store/entitlements.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import {
  asOwner,
  buy,
  db,
  made,
  newPerson,
  newProduct,
  port,
  roleId,
  running,
} from '../../discord/discord-roles/testing/roles-of-a-test.ts';
import { call } from '../../kernel/testing/call.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

const lasts = { key: 'role:veteran', seconds: 30 * 86_400, extends: true };
const round = () => running().api.context.store.entitlements.round();
const ofMember = async (id: string) => {
  const { json, status, text } = await call(port(), entitlementsHttp.ofMember, {
    ...asOwner,
    params: { id },
  });
  expect(status, text).toBe(200);
  return json.rows as { id: string; endsAt: string; endedAt: string | null; grants: unknown[] }[];
};
const pass = (days: number) =>
  sql`update entitlement_grants set given_at = given_at - make_interval(days => ${days}::integer)`.execute(
    db(),
  );

// Guarantee: a role bought for a limited time is removed at its end and not before, for that reason, can be bought
// again while it lasts, and comes back when it is bought again afterwards.
test('a role for a time', async () => {
  const { memberId, discordId } = await newPerson();
  const productId = await newProduct(lasts);
  await buy(memberId, productId, 1);
  expect(await made()).toEqual([`give ${discordId} bought`]);
  await round();
  await buy(memberId, productId, 1);
  await made();
  await round();
  const [found] = await ofMember(memberId);
  expect(found?.grants).toHaveLength(2);
  expect(Math.round((Date.parse(found?.endsAt ?? '') - Date.now()) / 86_400_000)).toBe(60);
  await pass(31);
  await db()
    .insertInto('entitlement_news')
    .values({ entitlement_id: found?.id ?? '' })
    .execute();
  await round();
  expect(await made()).toEqual([]);
  await pass(30);
  await db()
    .insertInto('entitlement_news')
    .values({ entitlement_id: found?.id ?? '' })
    .execute();
  await round();
  expect(await made()).toEqual([`take ${discordId} ended`]);
  expect(await made()).toEqual([]);
  await buy(memberId, productId, 1);
  expect(await made()).toEqual([`give ${discordId} bought`]);
  await round();
  expect(await made()).toEqual([]);
});

// Guarantee: only a person who has just confirmed who they are ends something; what has ended is shown as such.
test('ended over HTTP', async () => {
  const { memberId, discordId } = await newPerson();
  await buy(memberId, await newProduct(lasts), 1);
  await made();
  await round();
  const [found] = await ofMember(memberId);
  const params = { id: found?.id ?? '' };
  const end = (as: string, confirmed = true) =>
    call(port(), entitlementsHttp.end, { as, params, body: {}, confirmed });
  expect((await end(testDesktopCredential, false)).json.code).toBe('STEP_UP_REQUIRED');
  const ended = await end(testDesktopCredential);
  expect(ended.json).toMatchObject({ id: params.id, endedAt: expect.any(String), kind: 'role' });
  expect((await end(testDesktopCredential)).json.code).toBe('DELIVERY_STATE');
  expect(await made()).toEqual([`take ${discordId} ended`]);
  const list = async (state: string) => {
    const { json } = await call(
      port(),
      { ...entitlementsHttp.list, path: `/api/entitlements?state=${state}` },
      asOwner,
    );
    return (json.rows as { id: string }[]).map(({ id }) => id);
  };
  expect(await list('ended')).toContain(params.id);
  expect(await list('active')).not.toContain(params.id);
  expect(await list('unknown')).toEqual([]);
  const done = await call(port(), entitlementsHttp.done, {
    ...asOwner,
    params: { id: '00000000-0000-4000-8000-000000000000' },
    body: {},
  });
  expect(done.json.code).toBe('NOT_FOUND');
});

// Guarantee: what could not be taken back is not sold for a limited time, and two lines of a product never share what lasts.
test.each([
  [{ kind: 'command', command: 'lp user {player} parent add vip', lasts }, 'needs a removal command'],
  [{ kind: 'role', roleId, roleName: 'Veteran', lasts }, 'has the same shared name'],
])('a product that cannot last', async (line, why) => {
  const { json } = await call(port(), storeHttp.create, {
    ...asOwner,
    body: {
      name: 'Impossible',
      price: 0,
      game: 'minecraft',
      lines: [{ kind: 'role', roleId, roleName: 'Veteran', lasts }, line] as never,
    },
  });
  expect([json.code, json.detail]).toEqual(['PRODUCT_INVALID', expect.stringContaining(why)]);
});
