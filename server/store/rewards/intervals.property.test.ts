import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IntervalTerms } from '#contracts/store/rewards.ts';
import { runCount } from '#harness/kill-count.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { byOwner } from '../../people/members/testing/members-of-a-test.ts';
import { ledgerSum } from '../points/store-accounts.ts';
import type { Rewards } from './rewards.ts';
import { ExpectedIntervals, type ModelSession } from './testing/expected-intervals.ts';
import { type RewardsOfATest, rewardsOfATest } from './testing/rewards-of-a-test.ts';

let play: RewardsOfATest;
beforeAll(async () => {
  play = await rewardsOfATest();
});
afterAll(() => play[Symbol.asyncDispose]());

const seed = 19;
const runs = runCount({ day: 20, night: 60 });
const minuteMs = 60_000;
/** A player seen again after this long without news counts as newly joined. */
const resumeMinutes = 10;
const playerCount = 4;
const anyPlayer = fc.nat(playerCount - 1);
const anyServer = fc.nat(1);

/** A day of 25 hours, one of 23, and one that begins at one o'clock. */
const places = [
  { zone: 'Europe/Berlin', begin: '2026-10-24T10:00:00Z' },
  { zone: 'Europe/Berlin', begin: '2026-03-28T10:00:00Z' },
  { zone: 'America/Sao_Paulo', begin: '2018-11-03T12:00:00Z' },
  { zone: 'America/Sao_Paulo', begin: '2018-02-17T12:00:00Z' },
] as const;

type Act =
  | { readonly kind: 'join' | 'leave'; readonly player: number; readonly server: number }
  | { readonly kind: 'pass'; readonly minutes: number }
  | { readonly kind: 'jump'; readonly minutes: number }
  | {
      readonly kind: 'late';
      readonly player: number;
      readonly server: number;
      readonly ago: number;
      readonly lasted: number;
    }
  | { readonly kind: 'merge'; readonly kept: number; readonly merged: number }
  | { readonly kind: 'undo'; readonly merge: number }
  | {
      readonly kind: 'change';
      readonly minutes: number;
      readonly points: number;
      readonly mostPerDay: number | null;
    }
  | { readonly kind: 'pay'; readonly skew: number };

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('join' as const), player: anyPlayer, server: anyServer }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('leave' as const), player: anyPlayer, server: anyServer }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 200 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('jump' as const),
      minutes: fc.integer({ min: -900, max: 900 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('late' as const),
      player: anyPlayer,
      server: anyServer,
      ago: fc.integer({ min: 60, max: 2000 }),
      lasted: fc.integer({ min: 1, max: 60 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), kept: anyPlayer, merged: anyPlayer }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const), merge: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      minutes: fc.constantFrom(5, 15, 30, 60),
      points: fc.integer({ min: 1, max: 20 }),
      mostPerDay: fc.option(fc.integer({ min: 1, max: 60 })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), skew: fc.integer({ min: -90, max: 90 }) }),
  },
);

/** Players on servers, written like presence does, on a movable clock; plus the model. */
class World {
  readonly expected: ExpectedIntervals;
  readonly open = new Map<string, { session: ModelSession; id: string }>();
  readonly players: { playerId: string; memberId: string }[] = [];
  readonly merges: { id: string; kept: number; merged: number; former: number[]; isOpen: boolean }[] = [];
  readonly into: (number | null)[] = Array<number | null>(playerCount).fill(null);
  readonly servers: string[] = [];
  readonly clocks: { skew: number }[] = [{ skew: 0 }, { skew: 0 }];
  readonly processes: Rewards[] = [];
  readonly zone: string;
  rule = { id: '', version: 0 };
  /** Minutes since 1970. */
  now: number;

  constructor({ zone, begin }: (typeof places)[number]) {
    this.zone = zone;
    this.now = Date.parse(begin) / minuteMs;
    this.expected = new ExpectedIntervals(zone);
  }

  readonly memberOf = (player: number): number => this.into[player] ?? player;
  readonly familyOf = (member: number): number[] => [
    member,
    ...this.into.flatMap((into, one) => (into === member ? [one] : [])),
  ];

  async begin() {
    for (let server = 0; server < 2; server += 1) this.servers.push(await play.server());
    await play.bench.database.db
      .insertInto('chat_trusts')
      .values(this.servers.map((id) => ({ server_id: id, is_trusted: true })))
      .execute();
    for (let player = 0; player < playerCount; player += 1)
      this.players.push(await play.bench.see(`P ${this.servers[0]} ${player}`));
    for (const clock of this.clocks)
      this.processes.push(play.process({ now: () => dateOf(this.now + clock.skew), zone: () => this.zone }));
    const made = await this.first.rules.create(
      { name: 'Playing', isEnabled: true, terms: this.terms(30, 10, 40) },
      byOwner,
    );
    this.rule = made;
    this.expected.versions.push({
      terms: { minutes: 30, points: 10, mostPerDay: 40 },
      from: this.now,
      until: null,
    });
  }

  get first(): Rewards {
    const [first] = this.processes;
    if (!first) throw new Error('no process');
    return first;
  }

  terms(minutes: number, points: number, mostPerDay: number | null): IntervalTerms {
    return { kind: 'interval', minutes, points, mostPerDay, games: [], serverIds: [...this.servers] };
  }

  async write(player: number, server: number, stay: { from: number; until: number; isOpen: boolean }) {
    const session: ModelSession = { player, joined: stay.from, seen: stay.until, isOpen: stay.isOpen };
    const id = await play.session({
      playerId: this.players[player]?.playerId ?? '',
      serverId: this.servers[server] ?? '',
      from: dateOf(stay.from),
      until: dateOf(stay.until),
      isOpen: stay.isOpen,
    });
    this.expected.sessions.push(session);
    return { session, id };
  }

  async close(key: string, at: number) {
    const known = this.open.get(key);
    if (!known) return;
    this.open.delete(key);
    const { session, id } = known;
    session.seen = Math.max(at, session.joined);
    await play.bench.query(
      'update player_sessions set left_at = $2::timestamptz, confirmed_at = least(confirmed_at, $2::timestamptz) where id = $1',
      [id, dateOf(session.seen)],
    );
  }

  /** Marks every player online as seen, like the game's list does. */
  async see() {
    for (const [key, { session, id }] of [...this.open]) {
      if (this.now - session.seen > resumeMinutes) {
        await this.close(key, session.seen);
        const [player = 0, server = 0] = key.split(' ').map(Number);
        this.open.set(
          key,
          await this.write(player, server, { from: this.now, until: this.now, isOpen: true }),
        );
        continue;
      }
      session.seen = Math.max(session.seen, this.now);
      await play.bench.query('update player_sessions set confirmed_at = $2 where id = $1', [
        id,
        dateOf(session.seen),
      ]);
    }
  }

  async pass(minutes: number) {
    for (let left = minutes; left > 0; left -= resumeMinutes) {
      this.now += Math.min(left, resumeMinutes);
      await this.see();
    }
  }

  async pay(skew: number) {
    const [, second] = this.clocks;
    if (second) second.skew = skew;
    // What one process left to the other because of the other's turn, the other pays.
    await Promise.all(this.processes.map(({ payer }) => payer.round(true)));
    await this.first.payer.round(true);
    this.expected.pay(this.now, this.memberOf, this.familyOf);
  }

  async apply(act: Act) {
    switch (act.kind) {
      case 'join': {
        const key = `${act.player} ${act.server}`;
        if (!this.open.has(key))
          this.open.set(
            key,
            await this.write(act.player, act.server, { from: this.now, until: this.now, isOpen: true }),
          );
        return;
      }
      case 'leave':
        return this.close(`${act.player} ${act.server}`, this.now);
      case 'pass':
        return this.pass(act.minutes);
      case 'jump':
        this.now += act.minutes;
        return this.see();
      case 'late':
        await this.write(act.player, act.server, {
          from: this.now - act.ago,
          until: this.now - act.ago + act.lasted,
          isOpen: false,
        });
        return;
      case 'merge':
        return this.merge(act.kept, act.merged);
      case 'undo':
        return this.undo(act.merge);
      case 'change':
        return this.change(act);
      case 'pay':
        return this.pay(act.skew);
    }
  }

  async merge(kept: number, merged: number) {
    const member = await play.bench.members.merge(
      this.players[kept]?.memberId ?? '',
      this.players[merged]?.memberId ?? '',
      byOwner,
    );
    if (isRefusal(member)) return;
    const former = this.into.flatMap((into, one) => (into === merged ? [one] : []));
    for (const one of [...former, merged]) this.into[one] = kept;
    const id = member.merges.find(({ undoneAt }) => undoneAt === null)?.id ?? '';
    const known = new Set(this.merges.map((merge) => merge.id));
    const fresh = member.merges.find((merge) => !known.has(merge.id))?.id ?? id;
    this.merges.push({ id: fresh, kept, merged, former, isOpen: true });
  }

  async undo(index: number) {
    const merge = this.merges[index];
    if (!merge?.isOpen) return;
    const undone = await play.bench.members.undoMerge(
      this.players[merge.kept]?.memberId ?? '',
      merge.id,
      byOwner,
    );
    if (isRefusal(undone)) return;
    merge.isOpen = false;
    this.into[merge.merged] = null;
    for (const one of merge.former) this.into[one] = merge.merged;
  }

  async change({ minutes, points, mostPerDay }: Extract<Act, { kind: 'change' }>) {
    const { id, version } = this.rule;
    const changed = await this.first.rules.change(
      id,
      { name: 'Playing', isEnabled: true, version, terms: this.terms(minutes, points, mostPerDay) },
      byOwner,
    );
    if (isRefusal(changed)) throw new Error(changed.refused);
    this.rule = changed;
    const last = this.expected.versions.at(-1);
    if (!last || JSON.stringify(last.terms) === JSON.stringify({ minutes, points, mostPerDay })) return;
    // A clock that was ahead has left versions that reach beyond this moment, or begin there.
    for (const version of this.expected.versions)
      if (version.until === null || (version.until > this.now && version.until > version.from))
        version.until = Math.max(version.from, this.now);
    this.expected.versions.push({ terms: { minutes, points, mostPerDay }, from: this.now, until: null });
  }

  async verify() {
    const rows = await play.bench.query<{ member_id: string; points: string[] }>(
      `select member_id, array_agg(points::text order by number) as points from reward_intervals
       where rule_id = $1 group by 1`,
      [this.rule.id],
    );
    const found = new Map(rows.map(({ member_id, points }) => [member_id, points.map(Number)]));
    const wanted = new Map(
      [...this.expected.paid].map(([player, points]) => [this.players[player]?.memberId ?? '', points]),
    );
    expect(found).toEqual(wanted);
    // The ledger contains exactly the intervals with points.
    const members = this.players.map(({ memberId }) => memberId);
    const entered = await play.bench.query<{ to_member: string; points: string[] }>(
      `select to_member, array_agg(amount::text order by id) as points from ledger
       where kind = 'reward' and to_member = any ($1) group by 1`,
      [members],
    );
    const earned = [...wanted]
      .map(([member, points]) => [member, points.filter((one) => one > 0)] as const)
      .filter(([, points]) => points.length > 0);
    expect(new Map(entered.map(({ to_member, points }) => [to_member, points.map(Number)]))).toEqual(
      new Map(earned),
    );
  }
}

const dateOf = (minutes: number): Date => new Date(minutes * minuteMs);

const forget = async () => {
  for (const table of ['reward_counted_times', 'reward_intervals', 'reward_rule_versions', 'reward_rules'])
    await play.bench.query(`delete from ${table}`);
};

// Guarantee: whatever players, clocks, merges, late writes and rule changes do, two processes paying at the same time pay
// each interval exactly once, keep the limit of each community day, and pay nothing that the model would not.
test('intervals are paid as the model counts them', { timeout: 300_000, tags: 'kills' }, async () => {
  let intervals = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.array(anyAct, { minLength: 15, maxLength: 45 }),
      async (place, acts) => {
        const world = new World(place);
        try {
          await world.begin();
          for (const act of acts) await world.apply(act);
          await world.pay(0);
          await world.verify();
          intervals += [...world.expected.paid.values()].flat().length;
        } finally {
          for (const process of world.processes) await process[Symbol.asyncDispose]();
          await forget();
        }
      },
    ),
    { seed, numRuns: runs },
  );
  expect(await ledgerSum(play.bench.database.db)).toBe(0);
  expect(intervals).toBeGreaterThan(8 * runs);
});
