import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCount } from '#harness/kill-count.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { isOverdrawn } from '../../store/points/check-violation.ts';
import { ledgerSum } from '../../store/points/store-accounts.ts';
import { upsertPlayers } from '../players/player-rows.ts';
import { byOwner, type MembersOfATest, membersOfATest } from './testing/members-of-a-test.ts';

let bench: MembersOfATest;
beforeAll(async () => {
  bench = await membersOfATest();
});
afterAll(() => bench[Symbol.asyncDispose]());

const memberCount = 5;
const runs = runCount({ day: 15, night: 60 });
const seed = 15;
const anyMember = fc.nat(memberCount - 1);
const anyPoints = fc.integer({ min: 1, max: 40 });
type Act =
  | { readonly kind: 'grant' | 'correction'; readonly of: number; readonly points: number }
  | { readonly kind: 'transfer'; readonly of: number; readonly to: number; readonly points: number }
  | { readonly kind: 'merge'; readonly of: number; readonly merged: number }
  | { readonly kind: 'undo'; readonly merge: number }
  | { readonly kind: 'buy'; readonly of: number; readonly points: number }
  | { readonly kind: 'refund'; readonly order: number };
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('grant' as const, 'correction' as const),
    of: anyMember,
    points: anyPoints,
  }),
  fc.record({ kind: fc.constant('transfer' as const), of: anyMember, to: anyMember, points: anyPoints }),
  fc.record({ kind: fc.constant('merge' as const), of: anyMember, merged: anyMember }),
  fc.record({ kind: fc.constant('undo' as const), merge: fc.nat(4) }),
  fc.record({ kind: fc.constant('buy' as const), of: anyMember, points: anyPoints }),
  fc.record({ kind: fc.constant('refund' as const), order: fc.nat(4) }),
);

/** The expected result, in memory. */
class Expected {
  readonly balances = Array<number>(memberCount).fill(0);
  readonly into = Array<number | null>(memberCount).fill(null);
  readonly merges: {
    kept: number;
    merged: number;
    points: number;
    former: number[];
    isOpen: boolean;
    /** Refunds made before it. */
    refunds: number;
  }[] = [];
  readonly orders: { id: string; payer: number; points: number; isRefunded: boolean }[] = [];
  readonly refunds: { payer: number; points: number }[] = [];

  /** @returns whether it took effect */
  apply(act: Act): boolean {
    if (act.kind === 'undo') return this.#undo(act.merge);
    if (act.kind === 'refund') return this.#refund(act.order);
    if (act.kind === 'buy') return this.into[act.of] === null && this.#change(act.of, -act.points);
    const other = act.kind === 'transfer' ? act.to : act.kind === 'merge' ? act.merged : null;
    if (act.of === other || [act.of, other].some((one) => one !== null && this.into[one] !== null))
      return false;
    if (act.kind === 'merge') return this.#merge(act.of, act.merged);
    if (act.kind === 'grant') return this.#change(act.of, act.points);
    if (!this.#change(act.of, -act.points)) return false;
    return other === null || this.#change(other, act.points);
  }

  #change(member: number, points: number): boolean {
    const after = (this.balances[member] ?? 0) + points;
    if (after < 0) return false;
    this.balances[member] = after;
    return true;
  }

  #merge(kept: number, merged: number): boolean {
    const points = this.balances[merged] ?? 0;
    const former = this.into.flatMap((into, member) => (into === merged ? [member] : []));
    for (const member of [...former, merged]) this.into[member] = kept;
    this.balances[merged] = 0;
    this.merges.push({ kept, merged, points, former, isOpen: true, refunds: this.refunds.length });
    return this.#change(kept, points);
  }

  #refund(index: number): boolean {
    const order = this.orders[index];
    if (!order || order.isRefunded) return false;
    order.isRefunded = true;
    this.refunds.push(order);
    return this.#change(this.into[order.payer] ?? order.payer, order.points);
  }

  #undo(index: number): boolean {
    const merge = this.merges[index];
    if (!merge?.isOpen || this.into[merge.kept] !== null) return false;
    merge.isOpen = false;
    this.into[merge.merged] = null;
    for (const member of merge.former) this.into[member] = merge.merged;
    const theirs = this.refunds
      .slice(merge.refunds)
      .filter(({ payer }) => payer === merge.merged || merge.former.includes(payer));
    const owed = theirs.reduce((sum, refund) => sum + refund.points, merge.points);
    const points = Math.min(owed, this.balances[merge.kept] ?? 0);
    return this.#change(merge.kept, -points) && this.#change(merge.merged, points);
  }
}

/** A refused purchase leaves its order unpaid; nothing refunds it. */
const buy = async (of: number, paid: number, ids: readonly string[], expected: Expected) => {
  if (expected.into[of] !== null) return { refused: 'MEMBER_GONE' as const };
  try {
    const id = await bench.buy(ids[of] ?? '', paid);
    expected.orders.push({ id, payer: of, points: paid, isRefunded: false });
    return null;
  } catch (error) {
    if (isOverdrawn(error)) return { refused: 'INSUFFICIENT_POINTS' as const };
    throw error;
  }
};

/** @returns whether it took effect */
const carryOut = async (act: Act, ids: readonly string[], expected: Expected): Promise<boolean> => {
  const id = (member: number) => ids[member] ?? '';
  const { members, points } = bench;
  const carry = async () => {
    if (act.kind === 'buy') return buy(act.of, act.points, ids, expected);
    if (act.kind === 'refund') {
      const order = expected.orders[act.order];
      if (!order || order.isRefunded) return { refused: 'NOT_FOUND' as const };
      return bench.refund(order.id);
    }
    if (act.kind === 'merge') return members.merge(id(act.of), id(act.merged), byOwner);
    if (act.kind === 'transfer')
      return points.transfer(id(act.of), { toMemberId: id(act.to), points: act.points, note: '' }, byOwner);
    if (act.kind !== 'undo')
      return points.grant(id(act.of), { kind: act.kind, points: act.points, note: '' }, byOwner);
    const merge = expected.merges[act.merge];
    const rows = await bench.query<{ id: string }>(
      'select id from member_merges where kept_id = any ($1::bigint[]) order by id',
      [ids],
    );
    return merge
      ? members.undoMerge(id(merge.kept), rows[act.merge]?.id ?? '', byOwner)
      : { refused: 'NOT_FOUND' };
  };
  return !isRefusal(await carry());
};

// Guarantee: after grants, transfers, purchases, refunds, merges and undos in any order, every wallet holds exactly what it should.
test(`any order of things, ${runs} runs`, { tags: 'kills' }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 30 }), async (acts) => {
      const ids = await Promise.all(Array.from({ length: memberCount }, () => bench.member()));
      const expected = new Expected();
      for (const act of acts) {
        const isDone = await carryOut(act, ids, expected);
        expect(isDone).toBe(expected.apply(act));
      }
      const rows = await bench.query<{ balance: string; merged_into: string | null; players: number }>(
        `select balance, merged_into, (select count(*)::int from players where member_id = member.id) as players
         from unnest($1::bigint[]) with ordinality as given (id, place)
           join members as member using (id) join wallets on wallets.member_id = member.id order by place`,
        [ids],
      );
      expect(rows.map(({ balance }) => Number(balance))).toEqual(expected.balances);
      expect(rows.map(({ merged_into }) => (merged_into === null ? null : ids.indexOf(merged_into)))).toEqual(
        expected.into,
      );
      // Each member came with one player, who now belongs to the remaining member.
      expect(rows.map(({ players }) => players)).toEqual(
        expected.into.map((into, member) =>
          into === null ? 1 + expected.into.filter((other) => other === member).length : 0,
        ),
      );
    }),
    { numRuns: runs, seed },
  );
  expect(await ledgerSum(bench.database.db)).toBe(0);
});

/** The same numbers on every run. */
const numbersFrom = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

// Guarantee: while 200 members transfer, merge and are seen by game servers at the same time, no caller meets a deadlock and
// no point is lost.
test('200 members at once', async () => {
  const { db } = bench.database;
  const players = await Promise.all(
    Array.from({ length: 200 }, (_, index) => bench.see(`Many ${index}`, `steam:many-${index}`)),
  );
  const ids = players.map(({ memberId }) => memberId);
  await bench.query(
    `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
     select 'grant', 'issued', 'wallet', id, 100, 'test' from unnest($1::bigint[]) as given (id)`,
    [ids],
  );
  const results = await Promise.all(
    ids.map(async (id, index) => {
      const next = numbersFrom(index + 1);
      const other = () => ids[next(ids.length)] ?? '';
      const done: boolean[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        const kind = next(10);
        if (kind < 6) {
          const transfer = { toMemberId: other(), points: 1 + next(60), note: '' };
          done.push(!isRefusal(await bench.points.transfer(id, transfer, byOwner)));
        } else if (kind < 8) done.push(!isRefusal(await bench.members.merge(id, other(), byOwner)));
        else if (kind < 9) {
          const [merge] = await bench.query<{ id: string }>(
            'select id from member_merges where kept_id = $1 and undone_at is null limit 1',
            [id],
          );
          if (merge) done.push(!isRefusal(await bench.members.undoMerge(id, merge.id, byOwner)));
        } else {
          const now = new Date();
          const seen = Array.from({ length: 20 }, () => `many-${next(200)}`);
          await retryDeadlocks(db, (trx) =>
            upsertPlayers(
              trx,
              'minecraft',
              seen.map((name) => ({ name, platformId: `steam:${name}`, from: now, until: now })),
            ),
          );
        }
      }
      return done;
    }),
  );
  const done = results.flat();
  expect(done.filter(Boolean).length).toBeGreaterThan(100);
  expect(done.filter((isDone) => !isDone).length).toBeGreaterThan(20);
  const [sums] = await bench.query<{ points: number; stranded: number; lost: number; chained: number }>(
    `select sum(balance)::int as points,
       coalesce(sum(balance) filter (where merged_into is not null), 0)::int as stranded,
       (select count(*)::int from players join members on members.id = players.member_id where merged_into is not null) as lost,
       (select count(*)::int from members as one join members as two on two.id = one.merged_into
        where two.merged_into is not null) as chained
     from members join wallets on member_id = id where id = any ($1::bigint[])`,
    [ids],
  );
  expect(sums).toEqual({ points: 20_000, stranded: 0, lost: 0, chained: 0 });
  expect(await ledgerSum(db)).toBe(0);
});
