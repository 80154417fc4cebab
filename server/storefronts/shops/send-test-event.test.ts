import { expect, test } from 'vitest';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { shopKinds } from '#contracts/storefronts/shop-webhooks.ts';
import { type ListedShop, shopsHttp } from '#contracts/storefronts/shops.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call } from '../../kernel/testing/call.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();
const as = testDesktopCredential;

const setAddress = async (publicAddress: string) => {
  const { port } = running();
  const listed = await call(port, settingsHttp.list, { as });
  const sections = listed.json.sections as { name: string; version: number }[];
  const { version = 0 } = sections.find(({ name }) => name === 'general') ?? {};
  const body = { version, values: { publicAddress } };
  expect(await call(port, settingsHttp.change, { as, params: { section: 'general' }, body })).toMatchObject({
    status: 200,
  });
};

const newShop = async (fields: object) => {
  const body = { name: 'Shop', isEnabled: true, game: 'minecraft', ...fields } as const;
  const { json } = await call(running().port, shopsHttp.create, { as, body: body as never });
  return String(json.id);
};
const sendTo = async (id: string) =>
  (await call(running().port, shopsHttp.sendTestEvent, { as, params: { id } })).json;

// Guarantee: a test event is sent along the same path as a shop's own, reports its result, and has no other effect, however often
// it is sent.
test('a test event', async () => {
  const { port } = running();
  const secret = 'whsec_of_a_shop_0123456789';
  const bare = await newShop({ kind: 'generic' });
  expect(await sendTo(bare)).toMatchObject({ outcome: 'no-secret' });
  const shops = await Promise.all(shopKinds.map((kind) => newShop({ kind, secret })));
  const [generic = ''] = shops;
  expect(await sendTo(generic)).toEqual({ outcome: 'no-address', code: null, check: null });

  await setAddress(`http://127.0.0.1:${port}`);
  for (const id of [...shops, generic])
    expect(await sendTo(id)).toMatchObject({ outcome: 'received', check: { fault: null } });
  const listed = async () => (await call(port, shopsHttp.list, { as })).json.rows as ListedShop[];
  const ofGeneric = (await listed()).find(({ id }) => id === generic);
  expect(ofGeneric).toMatchObject({ lastEvent: { type: 'test' }, refusals: [], hasOrders: false });
  expect((await call(port, shopsHttp.orders, { as })).json.rows).toEqual([]);

  const checking = await newShop({ kind: 'tebex', secret, checksAddress: true });
  expect(await sendTo(checking)).toMatchObject({ outcome: 'senders-checked' });
  const off = await newShop({ kind: 'generic', secret, isEnabled: false });
  expect(await sendTo(off)).toMatchObject({ outcome: 'off' });
  await setAddress('http://nothing.invalid');
  expect(await sendTo(generic)).toMatchObject({
    outcome: 'unreachable',
    check: { fault: 'unknown-name' },
  });
  await eventually(async () => expect((await listed()).flatMap(({ refusals }) => refusals)).toEqual([]));
});
