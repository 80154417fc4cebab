import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedShop, Shop } from '#contracts/storefronts/shops.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { genericPaid, tebexValidation } from './testing/documented-events.ts';
import { type ShopsOfATest, shopSecret, shopsOfATest } from './testing/shops-of-a-test.ts';

let play: ShopsOfATest;
beforeAll(async () => {
  play = await shopsOfATest();
});
afterAll(() => play[Symbol.asyncDispose]());

const body = JSON.stringify(genericPaid('refused', [{ product: 'vip', quantity: 1 }]));
const wrong = { 'Castellan-Signature': 't=1,v1=00' };

const refusalsOf = async ({ id }: Shop): Promise<ListedShop['refusals']> => {
  const { json } = await ask(play.port, '/api/store/shops');
  const { rows } = json as unknown as { rows: ListedShop[] };
  return rows.find((row) => row.id === id)?.refusals ?? [];
};
/** The answer to a refused event does not wait until the refusal is recorded. */
const noted = (shop: Shop, kinds: readonly string[]) =>
  eventually(async () => {
    expect((await refusalsOf(shop)).map(({ kind }) => kind)).toEqual(kinds);
  });

// Guarantee: the reasons why a shop's events were refused are listed, each with its time, newest first, and nothing of the events.
test('events that are refused', async () => {
  const shop = await play.newShop('generic');
  expect(await refusalsOf(shop)).toEqual([]);
  const other = new Secret('another secret of that length');
  await play.sendRaw(shop, body, { 'Castellan-Signature': signed(body, play.now(), other) });
  await noted(shop, ['signature']);
  play.advance(1000);
  const late = new Date(play.now().getTime() - 301_000);
  await play.sendRaw(shop, body, { 'Castellan-Signature': signed(body, late, shopSecret) });
  await noted(shop, ['time', 'signature']);
  play.advance(1000);
  const at = play.now();
  const misshapen = '{"secret-word": 1}';
  await play.sendRaw(shop, misshapen, play.signatureOf(shop, misshapen));
  await noted(shop, ['shape', 'time', 'signature']);
  const [newest] = await refusalsOf(shop);
  expect(newest?.field).toBe('type');
  expect(Date.parse(newest?.at ?? '')).toBeGreaterThanOrEqual(at.getTime());
  expect(JSON.stringify(await play.store.query('select * from shops'))).not.toContain('secret-word');
  // The newest fault names its field, however deep.
  play.advance(61_000);
  const odd = JSON.stringify(genericPaid('odd', [{ product: 'vip', quantity: 1.5 }]));
  await play.sendRaw(shop, odd, play.signatureOf(shop, odd));
  await eventually(async () => expect((await refusalsOf(shop))[0]?.field).toBe('lines.0.quantity'));
  play.advance(31 * 86_400_000);
  expect(await refusalsOf(shop)).toEqual([]);
});

// Guarantee: an address that is not Tebex's is distinguished from a wrong signature.
test('an event from elsewhere', async () => {
  const shop = await play.newShop('tebex', { checksAddress: true });
  const validation = JSON.stringify(tebexValidation());
  await play.sendRaw(shop, validation, play.signatureOf(shop, validation));
  await noted(shop, ['address']);
});

// Guarantee: however much strangers send, they make the database write once a minute per shop, and do not hide that the
// shop's own events are refused.
test('many refusals', async () => {
  const shop = await play.newShop('generic');
  await play.store.query('create table writes (id text)');
  await play.store.query(
    `create function count_write() returns trigger language plpgsql as
       $$ begin insert into writes values (new.id); return null; end $$`,
  );
  await play.store.query(
    'create trigger count_write after update on shops for each row execute function count_write()',
  );
  await Promise.all(Array.from({ length: 40 }, () => play.sendRaw(shop, body, wrong)));
  play.advance(1000);
  await play.sendRaw(shop, '{}', play.signatureOf(shop, '{}'));
  await noted(shop, ['shape', 'signature']);
  const writes = () => play.store.query<{ id: string }>('select id from writes');
  expect(await writes()).toHaveLength(2);
  play.advance(59_000);
  await play.sendRaw(shop, body, wrong);
  await noted(shop, ['signature', 'shape']);
  expect(await writes()).toHaveLength(3);
});
