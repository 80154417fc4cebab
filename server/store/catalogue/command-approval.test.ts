import { expect, test } from 'vitest';
import { adminsHttp } from '#contracts/identity/admins.ts';
import type { Permission } from '#contracts/identity/permissions.ts';
import { catalogueTransferHttp } from '#contracts/store/catalogue-transfer.ts';
import type { Product, ProductDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { ask } from '../../kernel/testing/ask.ts';
import {
  call,
  changeAdmin,
  customRole,
  newApiKey,
  newServer,
  person,
  signIn,
} from '../../kernel/testing/call.ts';
import { testDesktopCredential as owner } from '../../kernel/testing/test-api.ts';
import { draftOf } from '../orders/testing/store-of-a-test.ts';

const api = apiForThisFile();
const seller: Permission[] = ['store.read', 'store.write'];
const approver: Permission[] = [...seller, 'console.write'];

const opMallory = (draft: Partial<ProductDraft> = {}) =>
  draftOf({
    name: 'Free',
    price: 0,
    lines: [{ kind: 'command', command: 'op Mallory', success: [], failure: [], needsPlayer: false }],
    ...draft,
  });
const stopArk = draftOf({
  name: 'Stop',
  price: 0,
  game: 'ark-se',
  lines: [{ kind: 'command', command: 'DoExit', needsPlayer: false }],
});

const create = async (as: string, body: ProductDraft) =>
  (await call(api().port, storeHttp.create, { as, body })).json;
const made = async (as: string, body: ProductDraft): Promise<Product> => {
  const json = await create(as, body);
  expect(json.code).toBeUndefined();
  return json as unknown as Product;
};
const change = async (as: string, id: string, body: ProductDraft & { version: number }) =>
  (await call(api().port, storeHttp.change, { as, params: { id }, body })).json;
const approve = async (as: string, { id, version }: Pick<Product, 'id' | 'version'>) =>
  (await call(api().port, storeHttp.approve, { as, params: { id }, body: { version } })).json;
const read = async (id: string) =>
  (await call(api().port, storeHttp.read, { as: owner, params: { id } })).json as unknown as Product;
const importFile = (as: string, ...products: object[]) =>
  ask(api().port, catalogueTransferHttp.import.path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${as}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ format: 'castellan-catalogue', version: 1, products }),
  });

// Guarantee: a command reaches a product only by a person who may give it on the console of every server that the product
// is delivered on, and who has just confirmed who they are; by no other door of the store either.
test('who writes a command into a product', async () => {
  const { port } = api();
  const mine = await newServer(port, { game: 'minecraft' });
  const clerk = await person(port, { role: await customRole(port, seller) });
  expect((await create(clerk.token, opMallory())).code).toBe('FORBIDDEN');
  expect((await create(clerk.token, stopArk)).code).toBe('FORBIDDEN');
  const removal = { kind: 'command', command: 'say hi', counterCommand: 'op Mallory' } as const;
  expect((await create(clerk.token, draftOf({ lines: [removal] }))).code).toBe('FORBIDDEN');

  const plain = await made(clerk.token, draftOf());
  const body = { ...opMallory(), version: 1 };
  expect((await change(clerk.token, plain.id, body)).code).toBe('FORBIDDEN');
  const imported = { name: 'By file', price: 0, game: 'minecraft', lines: opMallory().lines };
  expect((await importFile(clerk.token, imported)).json.errors).toMatchObject([
    { path: 'products.0.lines', reason: { code: 'command-right' } },
  ]);

  const chief = await person(port, { role: await customRole(port, approver) });
  const approved = await made(chief.token, opMallory());
  expect(approved).toMatchObject({ approval: { state: 'approved', by: chief.name }, notForSale: null });
  const copy = { as: clerk.token, params: { id: approved.id }, body: {} };
  expect((await call(port, storeHttp.duplicate, copy)).json.code).toBe('FORBIDDEN');
  expect((await call(port, storeHttp.duplicate, { ...copy, as: chief.token })).json.code).toBeUndefined();
  expect((await importFile(chief.token, imported)).json).toMatchObject({ created: 1 });

  const here = await customRole(port, ['console.write']);
  const role = await customRole(port, seller);
  const helper = await person(port, { role, serverGrants: [{ serverId: mine, role: here }] });
  expect((await create(helper.token, opMallory({ serverIds: [mine] }))).approval).toBeDefined();
  await newServer(port, { game: 'minecraft' });
  expect((await create(helper.token, opMallory())).code).toBe('FORBIDDEN');

  const unconfirmed = await signIn(port, chief.name, chief.password);
  expect((await create(unconfirmed, opMallory())).code).toBe('STEP_UP_REQUIRED');
  const { key } = await newApiKey(port, owner, {
    name: 'script',
    permissions: ['store.read', 'store.write', 'console.write'],
    expiresInDays: 1,
  });
  expect((await create(key, opMallory())).code).toBe('PERSON_REQUIRED');
  expect((await create(key, draftOf({ name: 'Plain' }))).code).toBeUndefined();
});

// Guarantee: a command that stays as it was approved needs no new approval when others change the rest; another command, or more servers, does.
test('what an approval covers', async () => {
  const { port } = api();
  const [one, other] = [
    await newServer(port, { game: 'minecraft' }),
    await newServer(port, { game: 'minecraft' }),
  ];
  const clerk = await person(port, { role: await customRole(port, seller) });
  const chief = await person(port, { role: await customRole(port, approver) });
  const draft = opMallory({ name: 'Covered', serverIds: [one, other] });
  const { id } = await made(chief.token, draft);
  const cheaper = { ...draft, price: 5, serverIds: [one], version: 1 };
  expect(await change(clerk.token, id, cheaper)).toMatchObject({
    version: 2,
    approval: { state: 'approved', by: chief.name },
  });
  for (const wider of [{ serverIds: [one, other] }, { serverIds: [] }])
    expect((await change(clerk.token, id, { ...cheaper, ...wider, version: 2 })).code).toBe('FORBIDDEN');
  const archive = { as: clerk.token, params: { id }, body: { version: 2, archived: true } };
  expect((await call(port, storeHttp.archive, archive)).json).toMatchObject({
    version: 3,
    approval: { state: 'approved', by: chief.name },
  });
});

// Guarantee: when the approver loses the right, the product is no longer sold, alone or in a bundle, and says so until a person
// with the right approves it.
test('an approver who loses the right', async () => {
  const { port } = api();
  await newServer(port, { game: 'minecraft' });
  const clerk = await person(port, { role: await customRole(port, seller) });
  const chief = await person(port, { role: await customRole(port, approver) });
  const product = await made(chief.token, opMallory({ name: 'Ended' }));
  const bundle = await made(
    clerk.token,
    draftOf({ name: 'Bundle', lines: [{ kind: 'product', productId: product.id, quantity: 1 }] }),
  );
  expect(bundle).toMatchObject({ approval: null, notForSale: null });

  const demoted = { as: owner, id: chief.id, edit: { role: await customRole(port, seller) } };
  expect((await changeAdmin(port, demoted)).status).toBe(200);
  expect(await read(product.id)).toMatchObject({
    approval: { state: 'ended', by: chief.name },
    notes: [{ kind: 'approval-ended' }],
    notForSaleWhy: { code: 'line-fault' },
  });
  expect((await read(bundle.id)).notes).toMatchObject([{ kind: 'approval-ended' }]);

  expect((await approve(clerk.token, product)).code).toBe('FORBIDDEN');
  const second = await person(port, { role: await customRole(port, approver) });
  const unconfirmed = await signIn(port, second.name, second.password);
  expect((await approve(unconfirmed, product)).code).toBe('STEP_UP_REQUIRED');
  expect(await approve(second.token, product)).toMatchObject({
    version: 2,
    approval: { state: 'approved', by: second.name },
    notForSale: null,
  });
  expect((await read(bundle.id)).notForSale).toBeNull();

  await call(port, adminsHttp.remove, { as: owner, params: { id: second.id } });
  expect((await read(product.id)).approval).toMatchObject({ state: 'ended', by: second.name });
});

// Guarantee: an approver who is removed while their import waits approves nothing by it: what it brings is not sold until a
// person with the right approves it.
test('an approver who is removed during an import', async () => {
  const { port } = api();
  const { pool } = api().api.context.database;
  await newServer(port, { game: 'minecraft' });
  const chief = await person(port, { role: await customRole(port, approver) });
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query("select pg_advisory_xact_lock(hashtext('castellan: catalogue import'))");
    const { lines } = opMallory();
    const going = importFile(chief.token, {
      id: 'raced',
      name: 'Raced',
      price: 0,
      game: 'minecraft',
      isEnabled: true,
      lines,
    });
    await eventually(async () => {
      const { rows } = await pool.query("select from pg_locks where locktype = 'advisory' and not granted");
      expect(rows.length).toBeGreaterThan(0);
    });
    await call(port, adminsHttp.remove, { as: owner, params: { id: chief.id } });
    await holder.query('commit');
    await going;
  } finally {
    holder.release();
  }
  const raced = await call(port, storeHttp.read, { as: owner, params: { id: 'raced' } });
  expect(raced.json).toMatchObject({ approval: { state: 'ended' }, notForSaleWhy: { code: 'line-fault' } });
});

// Guarantee: a bundle brings no command to anyone: none with a command of its own, none in another bundle, and none of the file
// is imported.
test('a bundle that carries a command', async () => {
  const { port } = api();
  const clerk = await person(port, { role: await customRole(port, seller) });
  const chief = await person(port, { role: await customRole(port, approver) });
  const { lines } = opMallory();
  const holding = (productId: string) => ({ kind: 'product' as const, productId, quantity: 1 });
  const plain = await made(clerk.token, draftOf({ name: 'Plain part' }));
  const mixed = { name: 'Mixed', lines: [holding(plain.id), ...lines] };
  for (const { token } of [clerk, chief]) {
    expect((await create(token, draftOf(mixed))).code).toBe('PRODUCT_INVALID');
    expect((await importFile(token, { price: 0, game: 'minecraft', ...mixed })).json.errors).toContainEqual(
      expect.objectContaining({
        path: 'products.0.lines',
        reason: expect.objectContaining({ code: 'bundle-mixed' }),
      }),
    );
  }
  const nested = [
    { id: 'inner', name: 'Inner', lines },
    { id: 'middle', name: 'Middle', lines: [holding('inner')] },
    { id: 'outer', name: 'Outer', lines: [holding('middle')] },
  ].map((product) => ({ price: 0, game: 'minecraft', ...product }));
  for (const [token, faults] of [
    [clerk.token, ['products.2.lines.0', 'products.0.lines']],
    [chief.token, ['products.2.lines.0']],
  ] as const) {
    const { json } = await importFile(token, ...nested);
    expect((json.errors as { path: string }[]).map(({ path }) => path)).toEqual(faults);
  }
  for (const { id } of nested)
    expect((await call(port, storeHttp.read, { as: owner, params: { id: String(id) } })).status).toBe(404);
});
