import type { SqlSession } from '../../server/kernel/testing/sql.ts';

type Stretch = readonly [fromMs: number, untilMs: number];

/** A member's times from the database, read and summed without the product's own SQL. */
export interface PaidTimes {
  readonly name: string;
  readonly memberId: string;
  /** In the order of payment. */
  readonly intervals: readonly {
    readonly number: number;
    readonly day: string;
    readonly points: number;
    readonly endedMs: number;
  }[];
  /** Time that a session proves, or proved when it was paid. */
  readonly provenMs: number;
  /** Time for which intervals were paid. */
  readonly markedMs: number;
  /** Amounts of the ledger's rewards. */
  readonly entered: readonly number[];
  readonly walletPoints: number;
}

/** The total length of stretches that may overlap; each moment counts once. */
export const lengthOf = (stretches: readonly Stretch[]): number => {
  let sum = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [from, until] of stretches.toSorted(([one], [other]) => one - other)) {
    sum += Math.max(0, until - Math.max(from, reached));
    reached = Math.max(reached, until);
  }
  return sum;
};

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

export const readPaidTimes = async ({ query }: SqlSession): Promise<readonly PaidTimes[]> => {
  const members = await query<{ id: string; name: string; points: number }>(
    `select player.member_id as id, player.name, wallet.balance::float8 as points
       from players as player join wallets as wallet on wallet.member_id = player.member_id order by player.name`,
  );
  const stays = await query<{ id: string; from: number; until: number }>(
    `select player.member_id as id, ${ms('joined_at')} as "from", ${ms('coalesce(left_at, confirmed_at)')} as until
       from player_sessions join players as player on player.id = player_id`,
  );
  const marks = await query<{ id: string; from: number; until: number }>(
    `select player.member_id as id, ${ms('lower(part)')} as "from", ${ms('upper(part)')} as until
       from reward_counted_times as counted join player_sessions as stay on stay.id = counted.session_id
       join players as player on player.id = stay.player_id cross join unnest(counted.counted) as part`,
  );
  const intervals = await query<{ id: string; number: number; day: string; points: number; ended: number }>(
    `select member_id as id, number::int, day::text, points::float8, ${ms('ended_at')} as ended
       from reward_intervals order by number`,
  );
  const entries = await query<{ id: string; amount: number }>(
    `select to_member as id, amount::float8 from ledger where kind = 'reward' order by ledger.id`,
  );
  return members.map(({ id, name, points }) => {
    const of = <Row extends { readonly id: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.id === id);
    const stretches = (rows: typeof stays) => of(rows).map(({ from, until }): Stretch => [from, until]);
    return {
      name,
      memberId: id,
      intervals: of(intervals).map(({ ended, ...paid }) => ({ ...paid, endedMs: ended })),
      provenMs: lengthOf([...stretches(stays), ...stretches(marks)]),
      markedMs: lengthOf(stretches(marks)),
      entered: of(entries).map(({ amount }) => amount),
      walletPoints: points,
    };
  });
};
