import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LedgerEntry, membersHttp } from '#contracts/people/members.ts';
import { mostPoints } from '#contracts/store/store.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import {
  byOwner,
  type MembersOfATest,
  membersOfATest,
} from '../../people/members/testing/members-of-a-test.ts';
import { ledgerSum, readStoreAccounts } from './store-accounts.ts';

let bench: MembersOfATest;
beforeAll(async () => {
  bench = await membersOfATest();
});
afterAll(() => bench[Symbol.asyncDispose]());

const grant = (id: string, points: number, kind: 'grant' | 'correction' = 'grant') =>
  bench.points.grant(id, { kind, points, note: '' }, byOwner);
const transfer = (id: string, toMemberId: string, points: number) =>
  bench.points.transfer(id, { toMemberId, points, note: '' }, byOwner);

// Guarantee: each change moves exactly its points, and the store's accounts reflect it.
test('grants, corrections, transfers', async () => {
  const { db } = bench.database;
  const [one, other] = [await bench.member(), await bench.member()];
  const before = await readStoreAccounts(db);
  expect(await grant(one, 100)).toMatchObject({ id: one, balance: 100 });
  expect(await grant(one, 30, 'correction')).toMatchObject({ balance: 70 });
  expect(await transfer(one, other, 20)).toMatchObject({ id: one, balance: 50 });
  expect(await bench.balance(other)).toBe(20);
  const { issued, sales } = await readStoreAccounts(db);
  expect([issued - before.issued, sales - before.sales]).toEqual([70, 0]);
  expect(await ledgerSum(db)).toBe(0);
  const audited = await bench.query('select action, target from audit_logs order by id');
  expect(audited).toEqual(
    ['points.grant', 'points.correction', 'points.transfer'].map((action) => ({
      action,
      target: `member:${one}`,
    })),
  );
});

// Guarantee: a wallet without enough points is refused, and no entry, note or audit row remains.
test('too few points', async () => {
  const [one, other] = [await bench.member(10), await bench.member()];
  const traces = () =>
    bench.query(
      'select (select count(*) from ledger) as ledger, (select count(*) from ledger_notes) as notes, (select count(*) from audit_logs) as audit',
    );
  const before = await traces();
  expect(await grant(one, 11, 'correction')).toEqual({ refused: 'INSUFFICIENT_POINTS' });
  expect(await transfer(one, other, 11)).toEqual({ refused: 'INSUFFICIENT_POINTS' });
  expect(await traces()).toEqual(before);
  expect(await bench.balance(one)).toBe(10);
});

// Guarantee: nothing goes to or from a member that was merged, erased or never existed.
test('members that are gone', async () => {
  const [kept, merged, erased] = [await bench.member(10), await bench.member(), await bench.member(3)];
  await bench.members.merge(kept, merged, byOwner);
  await bench.members.erase(erased, 1, byOwner);
  for (const id of [merged, erased]) {
    expect(await grant(id, 1)).toMatchObject({ refused: 'MEMBER_GONE' });
    expect(await grant(id, 1, 'correction')).toMatchObject({ refused: 'MEMBER_GONE' });
    expect(await transfer(kept, id, 1)).toMatchObject({ refused: 'MEMBER_GONE' });
    expect(await transfer(id, kept, 1)).toMatchObject({ refused: 'MEMBER_GONE' });
  }
  expect(await grant('999999', 1)).toEqual({ refused: 'NOT_FOUND' });
  expect(await transfer(kept, '999999', 1)).toEqual({ refused: 'NOT_FOUND' });
  expect(await transfer(kept, kept, 1)).toMatchObject({ refused: 'INVALID_REQUEST' });
  expect([await bench.balance(kept), await bench.balance(erased)]).toEqual([10, 3]);
});

// Guarantee: a grant concurrent with a merge of its member either moves along with it or is refused: no point is stranded.
test('grants beside a merge', async () => {
  const [kept, merged] = [await bench.member(), await bench.member()];
  const results = await Promise.all([
    ...Array.from({ length: 10 }, () => grant(merged, 1)),
    bench.members.merge(kept, merged, byOwner),
    ...Array.from({ length: 10 }, () => grant(merged, 1)),
  ]);
  const granted = results.filter((result) => !isRefusal(result)).length - 1;
  expect(await bench.balance(merged)).toBe(0);
  expect(await bench.balance(kept)).toBe(granted);
});

// Guarantee: page by page, every change of a wallet comes once, newest first, and together they are its balance.
test('the ledger of a member', async () => {
  const [one, other] = [await bench.member(), await bench.member()];
  for (let points = 1; points <= 10; points += 1) {
    await grant(one, points * 2);
    await transfer(one, other, points);
  }
  const rows: LedgerEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await bench.points.ledger(one, { limit: 3, cursor });
    if (isRefusal(page)) throw new Error(page.refused);
    rows.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  const ids = rows.map(({ id }) => Number(id));
  expect(ids).toHaveLength(20);
  expect(ids).toEqual(ids.toSorted((left, right) => right - left));
  expect(rows.reduce((sum, { change }) => sum + change, 0)).toBe(55);
  expect(rows[0]).toMatchObject({ kind: 'transfer', change: -10, otherMemberId: other, actorName: 'Owner' });
  expect(await bench.points.ledger('999999', { limit: 3 })).toEqual({ refused: 'NOT_FOUND' });
});

// Guarantee: every answer has the shape of its contract; invalid amounts and ids are refused.
test('requests', async () => {
  const { port } = bench.api;
  const [id, toMemberId] = [await bench.member(), await bench.member()];
  const params = { id };
  const note = 'For the event';
  const granted = await call(port, membersHttp.grant, {
    params,
    body: { kind: 'grant', points: mostPoints, note },
  });
  expect(membersHttp.grant.response.parse(granted.json)).toMatchObject({ id, balance: mostPoints });
  const moved = await call(port, membersHttp.transfer, { params, body: { toMemberId, points: 1, note: '' } });
  expect(membersHttp.transfer.response.parse(moved.json).balance).toBe(mostPoints - 1);
  const ledger = await call(port, membersHttp.ledger, { params });
  expect(membersHttp.ledger.response.parse(ledger.json).rows).toMatchObject([
    { change: -1, note: null },
    { change: mostPoints, note },
  ]);
  const post = (path: string, body: unknown) =>
    ask(port, path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const points of [-1, 0, 0.5, mostPoints + 1, 1e300, '1', null, {}]) {
    const answer = await post(`/api/members/${id}/points`, { kind: 'grant', points });
    expect([points, answer.json.code]).toEqual([points, 'INVALID_REQUEST']);
    const transferred = await post(`/api/members/${id}/transfer`, { toMemberId, points });
    expect([points, transferred.json.code]).toEqual([points, 'INVALID_REQUEST']);
  }
  for (const wrong of ['0', '-1', '01', 'x', '9'.repeat(19), `${id};`])
    expect((await post(`/api/members/${wrong}/points`, { kind: 'grant', points: 1 })).json.code).toBe(
      'INVALID_REQUEST',
    );
  expect((await post(`/api/members/${id}/points`, { kind: 'grant', points: 1, note: 'a\0' })).json.code).toBe(
    'INVALID_REQUEST',
  );
  expect((await ask(port, `/api/members/${id}/ledger?cursor=x`)).json.code).toBe('INVALID_REQUEST');
  expect(await bench.balance(id)).toBe(mostPoints - 1);
});
