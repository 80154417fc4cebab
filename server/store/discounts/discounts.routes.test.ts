import { expect, test } from 'vitest';
import { discountsHttp } from '#contracts/store/discounts.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newApiKey } from '../../kernel/testing/call.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();
const port = () => running().port;
const as = testDesktopCredential;
const off = { kind: 'percent' as const, percent: 10 };
const create = (body: object) => call(port(), discountsHttp.create, { as, body: body as never });

// Guarantee: a discount is created, changed only from its newest version, listed newest first, and removed; each step
// is audited, without the code, which more people could read there than may see it.
test('the life of a discount', async () => {
  const made = await create({ name: 'First', off, code: 'SECRET-CANARY' });
  expect(made.json).toMatchObject({ version: 1, code: 'SECRET-CANARY', hasCode: true, uses: 0 });
  const id = String(made.json.id);
  const params = { id };
  const second = await create({ name: 'Second', off: { kind: 'points', points: 5 } });
  const change = { name: 'Renamed', off, code: 'SECRET-CANARY', version: 1 };
  const changed = await call(port(), discountsHttp.change, { as, params, body: change });
  expect(changed.json).toMatchObject({ version: 2, name: 'Renamed' });
  expect((await call(port(), discountsHttp.change, { as, params, body: change })).json.code).toBe('CONFLICT');

  const page = {
    ...discountsHttp.list,
    path: `${discountsHttp.list.path}?limit=1`,
  };
  const first = await call(port(), page, { as });
  expect(first.json.rows).toEqual([second.json]);
  const next = {
    ...discountsHttp.list,
    path: `${discountsHttp.list.path}?limit=1&cursor=${encodeURIComponent(String(first.json.nextCursor))}`,
  };
  expect((await call(port(), next, { as })).json).toEqual({ rows: [changed.json], nextCursor: null });

  expect((await call(port(), discountsHttp.remove, { as, params })).status).toBe(200);
  for (const gone of [
    await call(port(), discountsHttp.read, { as, params }),
    await call(port(), discountsHttp.remove, { as, params }),
    await call(port(), discountsHttp.change, { as, params, body: { ...change, version: 2 } }),
  ])
    expect(gone.json).toMatchObject({ code: 'NOT_FOUND' });
  const audit = await running()
    .api.context.database.db.selectFrom('audit_logs')
    .selectAll()
    .where('target', '=', `discount:${id}`)
    .orderBy('id')
    .execute();
  expect(audit.map(({ action }) => action)).toEqual([
    'discounts.create',
    'discounts.change',
    'discounts.remove',
  ]);
  expect(JSON.stringify(audit)).not.toContain('CANARY');
});

// Guarantee: an actor who may see the store but not change it sees no code, and changes nothing.
test('a key that may only read', async () => {
  const made = await create({ name: 'Hidden', off, code: 'HIDDEN-CANARY' });
  const { key } = await newApiKey(port(), as, {
    name: 'Reader',
    permissions: ['store.read'],
    expiresInDays: 1,
  });
  const listed = await call(port(), discountsHttp.list, { as: key });
  expect(listed.status, listed.text).toBe(200);
  expect(listed.text).not.toContain('CANARY');
  const params = { id: String(made.json.id) };
  expect((await call(port(), discountsHttp.read, { as: key, params })).json).toMatchObject({
    code: null,
    hasCode: true,
  });
  for (const refused of [
    await call(port(), discountsHttp.create, { as: key, body: { name: 'Mine', off } }),
    await call(port(), discountsHttp.remove, { as: key, params }),
  ])
    expect(refused.json).toMatchObject({ code: 'FORBIDDEN' });
});

// Guarantee: an impossible discount is refused before anything is written.
test.each([
  { off: { kind: 'percent', percent: 0 } },
  { off: { kind: 'percent', percent: 101 } },
  { off: { kind: 'percent', percent: 1.5 } },
  { off: { kind: 'points', points: 0 } },
  { off: { kind: 'points', points: -5 } },
  { off: { kind: 'percent', percent: 10, points: 5 } },
  { code: 'ab' },
  { code: 'a b c' },
  { code: 'a|b|c' },
  { code: '\u{20000}'.repeat(13) },
  { mostUses: 0 },
  { roleIds: ['everyone'] },
  { validFrom: '2026-02-01T00:00:00Z', validUntil: '2026-02-01T00:00:00Z' },
])('a discount with %j', async (draft) => {
  expect((await create({ name: 'Bad', off, ...draft })).json).toMatchObject({ code: 'INVALID_REQUEST' });
});
