// @module-tag identity

import { expect, test } from 'vitest';
import { runClocks, setBackMs, skewMs } from '../../reward-clocks/run-clocks.ts';

const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 22);
const terms = { minutes: 5, points: 10, mostPerDay: 15 } as const;
const intervalMs = terms.minutes * 60_000;

// Guarantee: two processes whose clocks are three minutes apart and set back, killed while they pay and at other times, pay each
// played interval once; the daily limit holds, and wallets and ledger agree.
test('intervals by two clocks', { timeout: 300_000, tags: 'faketime' }, async () => {
  const { kills, killsInPayments, members } = await runClocks({ steps: 6, seed, terms });
  const intervals = members.flatMap((member) => member.intervals);
  process.stdout.write(
    `${intervals.length} intervals of ${members.length} members, ${kills} kills, ${killsInPayments} of them while paying, seed ${seed}\n`,
  );
  expect(intervals.length).toBeGreaterThan(20);
  expect(killsInPayments).toBeGreaterThan(1);
  expect(new Set(intervals.map(({ day }) => day)).size).toBe(2);
  expect(intervals.some(({ points }) => points === 0)).toBe(true);
  for (const { name, intervals: paid, ...member } of members) {
    const said = `${name}, seed ${seed}`;
    expect(
      paid.map(({ number }) => number),
      said,
    ).toEqual(paid.map((_, index) => index + 1));
    // No moment was paid twice, and no complete interval was left out.
    expect(member.markedMs, said).toBe(paid.length * intervalMs);
    expect(Math.floor(member.provenMs / intervalMs), said).toBe(paid.length);
    // The time that the product counts is the played time, except for the uncertainty of the clocks.
    const uncertainMs = (2 * skewMs + setBackMs + 60_000) * member.stays;
    expect(Math.abs(member.provenMs - member.playedMs), said).toBeLessThan(uncertainMs);

    const givenOn = new Map<string, number>();
    for (const { day, points, endedMs } of paid) {
      expect(day, said).toBe(new Date(endedMs - 1).toISOString().slice(0, 10));
      const given = givenOn.get(day) ?? 0;
      expect(points, said).toBe(Math.min(terms.points, terms.mostPerDay - given));
      givenOn.set(day, given + points);
    }
    expect(member.entered, said).toEqual(paid.map(({ points }) => points).filter((points) => points > 0));
    expect(member.walletPoints, said).toBe(member.entered.reduce((sum, points) => sum + points, 0));
  }
});
