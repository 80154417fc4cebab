import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DailyClaim } from '#contracts/store/rewards.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { byOwner } from '../../people/members/testing/members-of-a-test.ts';
import { ledgerSum } from '../points/store-accounts.ts';
import { postgresZone } from './community-day.ts';
import { type RewardsOfATest, rewardsOfATest } from './testing/rewards-of-a-test.ts';

let play: RewardsOfATest;
beforeAll(async () => {
  play = await rewardsOfATest();
});
afterAll(() => play[Symbol.asyncDispose]());

const dailyRule = async () => {
  const { rules } = play.process({ now: () => new Date() });
  const made = await rules.create(
    {
      name: 'Daily',
      isEnabled: true,
      terms: { kind: 'daily', points: 10, streakPoints: 5, streakDays: 2 },
    },
    byOwner,
  );
  return { archive: () => rules.archive(made.id, made.version, byOwner) };
};
const granted = (claim: DailyClaim | Refusal): DailyClaim => {
  if (isRefusal(claim)) throw new Error(claim.refused);
  return claim;
};

// Guarantee: without a rule that is switched on nothing can be claimed, and a member that is gone claims nothing.
test('refusals', async () => {
  const { claimDaily } = play.process({ now: () => new Date() });
  const [kept, merged] = [await play.bench.member(), await play.bench.member()];
  expect(await claimDaily(kept, byOwner)).toMatchObject({ refused: 'REWARD_UNAVAILABLE' });
  const rule = await dailyRule();
  await play.bench.members.merge(kept, merged, byOwner);
  expect(await claimDaily(merged, byOwner)).toMatchObject({ refused: 'MEMBER_GONE' });
  expect(await claimDaily('999999', byOwner)).toEqual({ refused: 'NOT_FOUND' });
  expect(await rule.archive()).toBeNull();
  expect(await claimDaily(kept, byOwner)).toMatchObject({ refused: 'REWARD_UNAVAILABLE' });
});

// Guarantee: at the community's midnight, with two processes asking at the same time, each day is paid once, even if a day
// has 23 or 25 hours or begins at one o'clock; consecutive days raise it up to the limit, and a missed day starts over.
test.each([
  { zone: 'America/Sao_Paulo', before: '2018-11-04T02:59:59.999Z', next: '2018-11-04T03:00:00.000Z' },
  { zone: 'America/Sao_Paulo', before: '2018-02-18T02:59:59.999Z', next: '2018-02-18T03:00:00.000Z' },
  { zone: 'Europe/Berlin', before: '2026-10-24T21:59:59.999Z', next: '2026-10-24T22:00:00.000Z' },
  { zone: 'Europe/Berlin', before: '2026-03-29T21:59:59.999Z', next: '2026-03-29T22:00:00.000Z' },
  { zone: '+03:00', before: '2026-06-01T20:59:59.999Z', next: '2026-06-01T21:00:00.000Z' },
])('midnight in $zone after $before', async ({ zone, before, next }) => {
  const rule = await dailyRule();
  let now = new Date(before);
  const both = [0, 1].map(() => play.process({ now: () => now, zone: () => zone }));
  const memberId = await play.bench.member();
  const claimAtOnce = async () => {
    const claims = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => both[index % 2]?.claimDaily(memberId, byOwner)),
    );
    const fresh = claims.map((claim) => granted(claim ?? { refused: 'NOT_FOUND' }));
    expect(fresh.filter(({ isNew }) => isNew)).toHaveLength(1);
    return fresh.find(({ isNew }) => isNew);
  };
  expect(await claimAtOnce()).toMatchObject({ points: 10, streak: 1, nextAt: next, balance: 10 });
  now = new Date(next);
  expect(await claimAtOnce()).toMatchObject({ points: 15, streak: 2, balance: 25 });
  // Setting a clock back brings no day back.
  now = new Date(before);
  expect(await both[0]?.claimDaily(memberId, byOwner)).toMatchObject({
    isNew: false,
    points: 0,
    balance: 25,
  });
  for (const [days, points, streak] of [
    [1, 20, 3],
    [2, 20, 4],
    [5, 10, 1],
  ] as const) {
    now = new Date(Date.parse(next) + days * 86_400_000 + 3_600_000);
    expect(await claimAtOnce()).toMatchObject({ points, streak });
  }
  expect(await play.rewarded(memberId)).toEqual({ entries: 5, points: 75 });
  expect(await ledgerSum(play.bench.database.db)).toBe(0);
  await rule.archive();
});

// Guarantee: a member who claimed before a merge has claimed for the remaining member.
test('a merge on the day of a claim', async () => {
  const rule = await dailyRule();
  const now = new Date('2026-06-01T12:00:00Z');
  const { claimDaily } = play.process({ now: () => now });
  const [kept, merged] = [await play.bench.member(), await play.bench.member()];
  expect(await claimDaily(merged, byOwner)).toMatchObject({ isNew: true });
  await play.bench.members.merge(kept, merged, byOwner);
  expect(await claimDaily(kept, byOwner)).toMatchObject({ isNew: false, streak: 1 });
  await rule.archive();
});

// Guarantee: the database knows every time zone that the settings accept, with the same midnight.
test('time zones', async () => {
  // Intl accepts the last four but reads two of them differently than Postgres; Postgres knows no VST and no ECT.
  const zones = [...Intl.supportedValuesOf('timeZone'), '+05:30', '-0300', '+02', 'IST', 'BST', 'VST', 'ECT'];
  const rows = await play.bench.query<{ offset: number }>(
    `select extract(epoch from (timestamptz '2026-07-01T00:00:00Z' at time zone zone) - timestamp '2026-07-01')::int as offset
     from unnest($1::text[]) with ordinality as each (zone, place) order by place`,
    [zones.map(postgresZone)],
  );
  const offsetOf = (zone: string) => {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    const name =
      format.formatToParts(new Date('2026-07-01T00:00:00Z')).find(({ type }) => type === 'timeZoneName')
        ?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60) + 0;
  };
  const wrong = zones.filter((zone, index) => rows[index]?.offset !== offsetOf(zone));
  expect(wrong).toEqual([]);
});
