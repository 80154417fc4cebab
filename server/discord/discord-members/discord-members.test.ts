import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { discordUsersHttp } from '#contracts/discord/discord-users.ts';
import type { EndpointBody } from '#contracts/kernel/http.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { asDiscord } from '../../kernel/testing/discord-user.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();
const port = () => running().port;
const as = testDesktopCredential;
const db = () => running().api.context.database.db;

let made = 0;
const newDiscordId = () => {
  made += 1;
  return String(400_000_000_000_000_000n + BigInt(made));
};
/** A Discord account that is linked to a player with this many points. */
const linked = async (points: number) => {
  const id = newDiscordId();
  const name = `Player ${made}`;
  const identity = `minecraft:p${made}`;
  const player = await db()
    .insertInto('players')
    .values({
      identity,
      platform_id: identity,
      game: 'minecraft',
      name,
      name_key: name.toLowerCase(),
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  const { json } = await call(port(), membersHttp.ofPlayer, { as, params: { id: player.id } });
  const memberId = String(json.id);
  await db().updateTable('members').set({ discord_id: id }).where('id', '=', memberId).execute();
  if (points > 0)
    await call(port(), membersHttp.grant, { as, params: { id: memberId }, body: { kind: 'grant', points } });
  return { id, memberId, name };
};
let server: Promise<string> | null = null;
const newProduct = async (more: Partial<EndpointBody<(typeof storeHttp)['create']>> = {}) => {
  server ??= newServer(port());
  await server;
  const { json, text, status } = await call(port(), storeHttp.create, {
    as,
    body: {
      name: 'Diamonds',
      price: 10,
      game: 'minecraft',
      isEnabled: true,
      lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 3 }],
      ...more,
    },
  });
  if (status !== 200) throw new Error(text);
  return String(json.id);
};
type Order = EndpointBody<(typeof discordUsersHttp)['order']>;
const order = (id: string, key: string | null, body: Partial<Order> & { productId: string }) => {
  const acting = asDiscord({ id });
  return call(port(), discordUsersHttp.order, {
    ...acting,
    headers: { ...acting.headers, ...(key === null ? {} : { 'Idempotency-Key': key }) },
    body: { quantity: 1, receiverId: null, expectedTotal: 10, ...body },
  });
};
const balance = async (id: string) =>
  ((await call(port(), discordUsersHttp.me, asDiscord({ id }))).json.member as { balance: number } | null)
    ?.balance;

// Guarantee: one click is one order however often it arrives, paid by and delivered to the member of the account that clicked.
test('an order', async () => {
  const buyer = await linked(25);
  const productId = await newProduct();
  const answers = await Promise.all([1, 2, 3].map(() => order(buyer.id, 'click-1', { productId })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ json }) => json.orderId)).size).toBe(1);
  expect(await balance(buyer.id)).toBe(15);
  expect((await order(buyer.id, 'click-2', { productId })).json).toMatchObject({ total: 10, balance: 5 });
  expect((await order(buyer.id, 'click-3', { productId })).json.code).toBe('INSUFFICIENT_POINTS');
  expect((await order(buyer.id, null, { productId })).json.code).toBe('IDEMPOTENCY_KEY_INVALID');
  const dearer = await order(buyer.id, 'click-4', { productId, expectedTotal: 9 });
  expect(dearer.json.code).toBe('PRICE_CHANGED');
  // Another person's click with the same key is a different request.
  const other = await linked(10);
  expect((await order(other.id, 'click-1', { productId })).status).toBe(200);
  const rows = await db()
    .selectFrom('audit_logs')
    .select(['actor', 'actor_name'])
    .where('action', '=', 'orders.place')
    .where('actor', '=', `discord:${buyer.id}`)
    .execute();
  expect(rows).toEqual(Array(2).fill({ actor: `discord:${buyer.id}`, actor_name: 'Ada' }));
  const deliveries = await call(port(), discordUsersHttp.deliveries, asDiscord({ id: buyer.id }));
  expect(deliveries.json.rows).toMatchObject([
    { productName: 'Diamonds', quantity: 3, isRefunded: false },
    { productName: 'Diamonds', quantity: 3 },
  ]);
  // Points are shown as returned if any were paid: none were for what an external shop sold.
  const [newest, older] = deliveries.json.rows as { id: string }[];
  await sql`
    update deliveries set state = 'failed', waits_for = null, ended_at = now(), refunded_at = now(),
                          points = case when id = ${newest?.id}::uuid then 0 else points end
     where id in (${newest?.id}::uuid, ${older?.id}::uuid)`.execute(db());
  const later = await call(port(), discordUsersHttp.deliveries, asDiscord({ id: buyer.id }));
  expect(later.json.rows).toMatchObject([{ isRefunded: false }, { isRefunded: true }]);
  const ledger = await call(port(), discordUsersHttp.ledger, asDiscord({ id: buyer.id }));
  expect((ledger.json.rows as { change: number }[]).map(({ change }) => change)).toEqual([-10, -10, 25]);
});

// Guarantee: the giver pays for a gift and the recipient gets it; an unlinked person neither pays nor gets.
test('a gift', async () => {
  const [giver, receiver] = [await linked(10), await linked(0)];
  const productId = await newProduct();
  const stranger = newDiscordId();
  expect((await order(giver.id, 'g0', { productId, receiverId: stranger })).json.code).toBe(
    'RECEIVER_NOT_LINKED',
  );
  expect((await order(stranger, 'g0', { productId })).json.code).toBe('DISCORD_NOT_LINKED');
  expect((await order(giver.id, 'g1', { productId, receiverId: receiver.id })).status).toBe(200);
  expect([await balance(giver.id), await balance(receiver.id)]).toEqual([0, 0]);
  const got = await call(port(), discordUsersHttp.deliveries, asDiscord({ id: receiver.id }));
  expect(got.json.rows).toHaveLength(1);
  for (const endpoint of [discordUsersHttp.ledger, discordUsersHttp.deliveries])
    expect((await call(port(), endpoint, asDiscord({ id: stranger }))).json.code).toBe('DISCORD_NOT_LINKED');
});

// Guarantee: the shop shows what sells, page by page, and nothing of the commands that give it.
test('the shop', async () => {
  const { id } = await linked(7);
  await newProduct({ name: 'Ångström kit', category: 'Kits', stock: 2 });
  const command = { kind: 'command' as const, command: 'say canary-of-a-command {player}' };
  const secretId = await newProduct({ name: 'Zebra', category: 'Kits', lines: [command] });
  await newProduct({ name: 'Off', isEnabled: false });
  const list = async (query: string) => {
    const path = `${discordUsersHttp.products.path}?${query}`;
    return call(
      port(),
      { ...discordUsersHttp.products, path } as typeof discordUsersHttp.products,
      asDiscord({ id }),
    );
  };
  const all = await list('');
  expect(all.text).not.toContain('canary');
  expect(all.text).not.toContain('"Off"');
  const { rows, total } = all.json as { rows: { name: string }[]; total: number };
  expect(total).toBe(rows.length);
  const page = await list('offset=1&limit=1');
  expect(page.json).toEqual({ rows: [rows[1]], total });
  expect((await list(`text=${encodeURIComponent('ångSTR')}`)).json).toMatchObject({
    rows: [{ name: 'Ångström kit', category: 'Kits', price: 10, stock: 2, picture: null }],
    total: 1,
  });
  const preview = await call(port(), discordUsersHttp.preview, {
    ...asDiscord({ id }),
    body: { productId: secretId, quantity: 2, receiverId: null },
  });
  expect(preview.text).not.toContain('canary');
  expect(preview.json).toMatchObject({
    product: { name: 'Zebra' },
    total: 20,
    balance: 7,
    refusals: [{ kind: 'points', total: 20, balance: 7 }],
  });
});

// Guarantee: a whole name is found however many products come before it, and a picture or an offer reads only one product.
test('a name that many products hold', async () => {
  const { id } = await linked(0);
  for (let count = 0; count < 26; count += 1)
    await newProduct({ name: `A torch ${count}`, category: 'Light' });
  const wanted = await newProduct({ name: 'Torch', category: 'Light' });
  const path = `${discordUsersHttp.products.path}?text=TORCH`;
  const { json } = await call(
    port(),
    { ...discordUsersHttp.products, path } as typeof discordUsersHttp.products,
    asDiscord({ id }),
  );
  const { rows, total } = json as { rows: { id: string; name: string }[]; total: number };
  expect(total).toBe(27);
  expect(rows).toHaveLength(25);
  expect(rows.slice(0, 2).map(({ name }) => name)).toEqual(['Torch', 'A torch 0']);
  const body = { productId: wanted, quantity: 1, receiverId: null };
  const preview = await call(port(), discordUsersHttp.preview, { ...asDiscord({ id }), body });
  expect(preview.json.product).toMatchObject({ id: wanted });
});

// Guarantee: a person with players or points is told whose code it is before they join that member, and the code stays valid until then.
test('a code that someone was talked into typing', async () => {
  const victim = await linked(9);
  const other = await linked(0);
  await db().updateTable('members').set({ discord_id: null }).where('id', '=', other.memberId).execute();
  const issued = await call(port(), membersHttp.linkCode, { as, params: { id: other.memberId }, body: {} });
  const link = (isConfirmed?: boolean) =>
    call(port(), discordUsersHttp.link, {
      ...asDiscord({ id: victim.id }),
      body: { code: String(issued.json.code), ...(isConfirmed !== undefined && { isConfirmed }) },
    });
  for (const _time of [1, 2]) expect((await link()).json).toEqual({ linked: null, name: other.name });
  expect(await balance(victim.id)).toBe(9);
  expect((await link(true)).json).toMatchObject({ linked: 'member' });
  const { json } = await call(port(), membersHttp.read, { as, params: { id: victim.memberId } });
  expect(json).toMatchObject({ id: other.memberId, balance: 9, discordId: victim.id });
  expect((await link(true)).json.code).toBe('LINK_CODE_INVALID');
});
