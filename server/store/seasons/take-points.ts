import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** In the ledger, a season's entries are Castellan's. */
const byCastellan = 'castellan';
const mostAtOnce = 200;

interface BalanceStep {
  readonly id: string;
  readonly points: string;
  /** The member whose wallet holds the points now. */
  readonly today: string;
}

/**
 * Takes points for some of a season's members, in one transaction with their steps. Never more than planned: what a member
 * was given since stays. Never more than there is, either: what was spent since is spent.
 * @returns whether there may be more
 */
export const takePoints = (db: Kysely<Tables>, seasonId: string): Promise<boolean> =>
  retryDeadlocks(db, async (trx) => {
    const { rows: steps } = await sql<BalanceStep>`
      select id, points, castellan_member_today(member_id) as today from season_steps
      where season_id = ${seasonId} and state = 'waiting' and kind = 'balance'
      order by id limit ${mostAtOnce} for update skip locked`.execute(trx);
    if (steps.length === 0) return false;
    const members = await trx
      .selectFrom('members')
      .select(['id', 'merged_into', 'erased_at'])
      .where('id', 'in', [...new Set(steps.map(({ today }) => today))])
      .orderBy('id')
      .forShare()
      .execute();
    // A member merged at this moment is handled in the next round, at the points' new place.
    const present = new Map(members.filter((one) => one.merged_into === null).map((one) => [one.id, one]));
    const settled = steps.filter(({ today }) => present.has(today));
    const isErased = ({ today }: BalanceStep) => present.get(today)?.erased_at !== null;
    const left = await lockBalances(trx, [...present.keys()]);
    const taken = settled.map((step) => {
      const balance = left.get(step.today) ?? 0n;
      const planned = BigInt(step.points);
      const points = isErased(step) ? 0n : planned < balance ? planned : balance;
      left.set(step.today, balance - points);
      return { step, points };
    });
    const entries = await writeEntries(
      trx,
      [...Map.groupBy(taken, ({ step }) => step.today)].map(([memberId, all]) => ({
        memberId,
        points: all.reduce((sum, { points }) => sum + points, 0n),
      })),
    );
    await sql`
      update season_steps set state = settled.state, detail = settled.detail, points = settled.points,
             entry_id = settled.entry_id
      from unnest(
        ${taken.map(({ step }) => step.id)}::bigint[],
        ${taken.map(({ step }) => (isErased(step) ? 'skipped' : 'done'))}::text[],
        ${taken.map(({ step }) => (isErased(step) ? reasons['member-erased'] : null))}::text[],
        ${taken.map(({ points }) => String(points))}::bigint[],
        ${taken.map(({ step, points }) => (points > 0n ? (entries.get(step.today) ?? null) : null))}::bigint[]
      ) as settled (id, state, detail, points, entry_id)
      where season_steps.id = settled.id`.execute(trx);
    return true;
  });

const lockBalances = async (trx: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, bigint>> => {
  const { rows } = await sql<{ member_id: string; balance: string }>`
    select member_id, balance from wallets where member_id = any (${[...ids]}::bigint[])
    order by member_id for update`.execute(trx);
  return new Map(rows.map(({ member_id, balance }) => [member_id, BigInt(balance)]));
};

/** @returns each member's entry */
const writeEntries = async (
  trx: Kysely<Tables>,
  moves: readonly { readonly memberId: string; readonly points: bigint }[],
): Promise<ReadonlyMap<string, string>> => {
  const some = moves.filter(({ points }) => points > 0n);
  if (some.length === 0) return new Map();
  const rows = await trx
    .insertInto('ledger')
    .values(
      some.map(({ memberId, points }) => ({
        kind: 'season' as const,
        from_account: 'wallet' as const,
        from_member: memberId,
        to_account: 'issued' as const,
        amount: String(points),
        actor: byCastellan,
      })),
    )
    .returning(['id', 'from_member'])
    .execute();
  return new Map(rows.flatMap(({ id, from_member }) => (from_member === null ? [] : [[from_member, id]])));
};

/** Gives back everything that a season has taken, to the current owners of the wallets. The caller holds these wallets. */
export const giveBackPoints = async (trx: Kysely<Tables>, seasonId: string): Promise<void> => {
  await sql`
    with taken as (
      select id, points, castellan_member_today(member_id) as today from season_steps
      where season_id = ${seasonId} and kind = 'balance' and state = 'done'
    ), given as (
      insert into ledger (kind, from_account, to_account, to_member, amount, actor)
      select 'season', 'issued', 'wallet', today, sum(points), ${byCastellan} from taken
      group by today having sum(points) > 0 order by today
      returning id, to_member
    )
    update season_steps set state = 'undone', undo_entry_id = case when taken.points > 0 then given.id end
    from taken left join given on given.to_member = taken.today
    where season_steps.id = taken.id`.execute(trx);
};
