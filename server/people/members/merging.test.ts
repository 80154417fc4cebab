import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { ledgerSum } from '../../store/points/store-accounts.ts';
import { memberToday } from './held-members.ts';
import { readMemberNames } from './member-names.ts';
import { byOwner, type MembersOfATest, membersOfATest } from './testing/members-of-a-test.ts';

let bench: MembersOfATest;
beforeAll(async () => {
  bench = await membersOfATest();
});
afterAll(async () => {
  expect(await ledgerSum(bench.database.db)).toBe(0);
  await bench[Symbol.asyncDispose]();
});

const read = async (id: string) => {
  const found = await bench.members.read(id);
  if (isRefusal(found)) throw new Error(found.refused);
  return found;
};
const setDiscord = (id: string, discordId: string) =>
  bench.query('update members set discord_id = $2 where id = $1', [id, discordId]);
const spend = (id: string, points: number) =>
  bench.points.grant(id, { kind: 'correction', points, note: '' }, byOwner);

// Guarantee: a merge moves players, points, the Discord account and earlier merges to one member, in one step each.
test('a merge, and one after it', async () => {
  const [first, second, third] = [await bench.member(5), await bench.member(7), await bench.member(1)];
  await setDiscord(first, 'd1');
  expect(await bench.members.merge(second, first, byOwner)).toMatchObject({
    id: second,
    balance: 12,
    discordId: 'd1',
    version: 2,
  });
  const merged = await bench.members.merge(third, second, byOwner);
  expect(merged).toMatchObject({ id: third, balance: 13, discordId: 'd1' });
  expect(
    await bench.query('select id, merged_into, discord_id from members where id = any ($1) order by id', [
      [first, second],
    ]),
  ).toEqual([
    { id: first, merged_into: third, discord_id: null },
    { id: second, merged_into: third, discord_id: null },
  ]);
  expect((await read(first)).players).toHaveLength(3);
  expect(await bench.balance(first)).toBe(0);
  expect(await bench.database.db.transaction().execute((trx) => memberToday(trx, first))).toEqual({
    id: third,
    isErased: false,
  });
  const names = await readMemberNames(bench.database.db, [first, third, '999999']);
  expect(names.size).toBe(2);
  expect(names.get(first)).toBe((await read(third)).name);
  const audited = await bench.query(
    `select action, target from audit_logs where action = 'members.merge' order by id`,
  );
  expect(audited).toEqual([second, third].map((id) => ({ action: 'members.merge', target: `member:${id}` })));
});

// Guarantee: orders and open deliveries of a merged member lead to the remaining one, and a refund reaches its wallet.
test('a delivery of a merged member', async () => {
  const [kept, merged] = [await bench.member(), await bench.member()];
  const delivery = await bench.deliver(merged, 'waiting');
  await bench.members.merge(kept, merged, byOwner);
  expect(
    await bench.query('select castellan_member_today(member_id) as today from deliveries where id = $1', [
      delivery,
    ]),
  ).toEqual([{ today: kept }]);
});

// Guarantee: once an order has looked up the remaining member, no concurrent merge takes that member away.
test('a member that an order holds', async () => {
  const [kept, merged] = [await bench.member(), await bench.member(4)];
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = bench.database.db.transaction().execute(async (trx) => {
    const today = await memberToday(trx, merged);
    held.resolve();
    await release.promise;
    return today;
  });
  await held.promise;
  let isMerged = false;
  const merging = bench.members.merge(kept, merged, byOwner).then(() => {
    isMerged = true;
  });
  await eventually(async () =>
    expect(
      await bench.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    ).toHaveLength(1),
  );
  expect(isMerged).toBe(false);
  release.resolve();
  expect(await holding).toEqual({ id: merged, isErased: false });
  await merging;
  expect(await bench.balance(kept)).toBe(4);
});

// Guarantee: a refused merge leaves everything unchanged.
test('refused merges', async () => {
  const [one, other, gone, erased] = [
    await bench.member(3),
    await bench.member(4),
    await bench.member(),
    await bench.member(),
  ];
  const merge = (kept: string, merged: string) => bench.members.merge(kept, merged, byOwner);
  await merge(one, gone);
  await bench.members.erase(erased, 1, byOwner);
  await setDiscord(one, 'd2');
  await setDiscord(other, 'd3');
  expect(await merge(one, one)).toMatchObject({ refused: 'MERGE_REFUSED' });
  expect(await merge(one, other)).toEqual({
    refused: 'MERGE_REFUSED',
    detail: 'Both members have a Discord account.',
  });
  for (const [kept, merged, refused] of [
    [one, gone, 'MEMBER_GONE'],
    [gone, other, 'MEMBER_GONE'],
    [one, erased, 'MEMBER_GONE'],
    [erased, other, 'MEMBER_GONE'],
    [one, '999999', 'NOT_FOUND'],
  ] as const)
    expect(await merge(kept, merged)).toMatchObject({ refused });
  expect([await bench.balance(one), await bench.balance(other)]).toEqual([3, 4]);
  expect(await read(other)).toMatchObject({ discordId: 'd3', version: 1 });
});

// Guarantee: when many merge the same members at the same time, one succeeds; nothing is moved twice.
test('two admins at once', async () => {
  const [one, other] = [await bench.member(10), await bench.member(20)];
  const tries = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? bench.members.merge(one, other, byOwner) : bench.members.merge(other, one, byOwner),
    ),
  );
  expect(tries.filter((result) => !isRefusal(result))).toHaveLength(1);
  expect(tries.filter(isRefusal).map(({ refused }) => refused)).toEqual(Array(9).fill('MEMBER_GONE'));
  expect((await bench.balance(one)) + (await bench.balance(other))).toBe(30);
  expect((await read(one)).players).toHaveLength(2);
});

// Guarantee: an undo restores players, earlier merges, the Discord account and the points.
test('an undone merge', async () => {
  const [former, merged, kept] = [await bench.member(1), await bench.member(2), await bench.member(4)];
  await setDiscord(merged, 'd4');
  await bench.members.merge(merged, former, byOwner);
  await bench.members.merge(kept, merged, byOwner);
  const [merge] = (await read(kept)).merges;
  const undone = await bench.members.undoMerge(kept, merge?.id ?? '', byOwner);
  expect(undone).toMatchObject({
    id: kept,
    balance: 4,
    discordId: null,
    merges: [{ mergedId: merged, points: 3, pointsReturned: 3, undoneAt: expect.any(String) }],
  });
  expect(await read(former)).toMatchObject({ id: merged, balance: 3, discordId: 'd4' });
  expect((await read(merged)).players).toHaveLength(2);
  expect((await read(kept)).players).toHaveLength(1);
  expect(await bench.members.undoMerge(kept, merge?.id ?? '', byOwner)).toEqual({
    refused: 'MERGE_REFUSED',
    detail: 'This merge was undone already.',
  });
});

// Guarantee: points spent since are not taken from the remaining member: its wallet never drops below zero.
test('an undo after spending', async () => {
  const [kept, merged] = [await bench.member(1), await bench.member(10)];
  await bench.members.merge(kept, merged, byOwner);
  await spend(kept, 8);
  const [merge] = (await read(kept)).merges;
  expect(await bench.members.undoMerge(kept, merge?.id ?? '', byOwner)).toMatchObject({
    balance: 0,
    merges: [{ points: 10, pointsReturned: 3 }],
  });
  expect(await bench.balance(merged)).toBe(3);
});

// Guarantee: refunds since the merge go back to the member who paid, as far as the wallet holds them, along with what a
// second charge took of it; refunds of the kept member's own orders stay.
test('an undo after refunds', async () => {
  const [kept, merged, former] = [await bench.member(50), await bench.member(50), await bench.member(50)];
  const [before, own, later, charged, oldest] = [
    await bench.buy(merged, 5),
    await bench.buy(kept, 7),
    await bench.buy(merged, 10),
    await bench.buy(merged, 20),
    await bench.buy(former, 4),
  ];
  await bench.refund(before);
  await bench.members.merge(merged, former, byOwner);
  const { merges } = await bench.members.merge(kept, merged, byOwner).then(() => read(kept));
  for (const id of [own, later, charged, oldest]) await bench.refund(id);
  await bench.query(`select castellan_charge_again($1, 'test', null)`, [charged]);
  expect(await bench.balance(kept)).toBe(43 + 20 + 46 + 7 + 10 + 4);
  const undone = await bench.members.undoMerge(kept, merges[0]?.id ?? '', byOwner);
  expect(undone).toMatchObject({ balance: 50, merges: [{ points: 66, pointsReturned: 80 }] });
  const [second] = (await read(merged)).merges;
  expect(await bench.members.undoMerge(merged, second?.id ?? '', byOwner)).toMatchObject({
    balance: 30,
    merges: [{ points: 46, pointsReturned: 50 }],
  });
});

// Guarantee: a merge is undone only from the member that holds the players, and only by the number of one of its own merges.
test('refused undoing', async () => {
  const [merged, kept, last] = [await bench.member(1), await bench.member(2), await bench.member()];
  await bench.members.merge(kept, merged, byOwner);
  const [first] = (await read(kept)).merges;
  const undo = (id: string, mergeId = first?.id ?? '') => bench.members.undoMerge(id, mergeId, byOwner);
  expect(await undo(last)).toEqual({ refused: 'NOT_FOUND' });
  await bench.members.merge(last, kept, byOwner);
  expect(await undo(kept)).toMatchObject({ refused: 'MEMBER_GONE' });
  const [second] = (await read(last)).merges;
  expect(await undo(last, second?.id)).toMatchObject({ balance: 0 });
  expect(await undo(kept)).toMatchObject({ balance: 2 });
  expect(await bench.balance(merged)).toBe(1);
});

// Guarantee: a merge whose players were replaced or erased since is not undone.
test('an undo without players', async () => {
  const [kept, merged] = [await bench.member(), await bench.member(6)];
  await bench.members.merge(kept, merged, byOwner);
  const [merge] = (await read(kept)).merges;
  await bench.query(
    'delete from players where id = any (select unnest(player_ids) from member_merges where id = $1)',
    [merge?.id],
  );
  expect(await bench.members.undoMerge(kept, merge?.id ?? '', byOwner)).toMatchObject({
    refused: 'MERGE_REFUSED',
  });
  expect(await bench.balance(kept)).toBe(6);
});

// Guarantee: points on their way to a member while it is merged do not end in a wallet that no one owns.
test('an entry for a member that was merged', async () => {
  const [kept, merged] = [await bench.member(), await bench.member()];
  await bench.members.merge(kept, merged, byOwner);
  await expect(
    bench.query(
      `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
       values ('refund', 'sales', 'wallet', $1, 5, 'test')`,
      [merged],
    ),
  ).rejects.toMatchObject({ code: '40001' });
  expect(await bench.balance(merged)).toBe(0);
});

// Guarantee: unlinking a Discord account from its players is retried after a deadlock.
test('unlinking within a deadlock', async () => {
  const id = await bench.member();
  await bench.query(`update members set discord_id = 'deadlocked' where id = $1`, [id]);
  await bench.members.linkCode(id, byOwner);
  const other = await bench.database.pool.connect();
  try {
    // The other session waits longer, so that Postgres ends the unlinking; under load it may have checked too early and
    // keeps waiting.
    await other.query(`set deadlock_timeout = '60s'`);
    await other.query(`set lock_timeout = '3s'`);
    await other.query('begin');
    await other.query('select from member_link_codes where member_id = $1 for update', [id]);
    const unlinked = bench.members.unlinkDiscord('deadlocked', byOwner);
    await eventually(async () => {
      const waiting = await bench.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from "member_link_codes"%'`,
      );
      expect(waiting).toHaveLength(1);
    });
    await other.query('update members set version = version where id = $1', [id]).catch(() => undefined);
    await other.query('rollback');
    expect(await unlinked).toBe(true);
  } finally {
    other.release(true);
  }
  expect(await bench.members.ofDiscord('deadlocked')).toBeNull();
});
