import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLimit, type Holding } from './limits.ts';
import { refusalText } from './refusal-text.ts';

const numRuns = 2000;
const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1);

interface Buy {
  readonly atMs: number;
  readonly quantity: number;
}

/** What the database would report for these purchases. */
const holdingOf = (bought: readonly Buy[], now: number, days: number): Holding => {
  const inPeriod = bought.filter(({ atMs }) => atMs > now - days * dayMs);
  const pieces = (buys: readonly Buy[]) => buys.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    ever: pieces(bought),
    inPeriod: pieces(inPeriod),
    periodBegan: inPeriod[0] ? new Date(inPeriod[0].atMs) : null,
    lastBought: bought.length > 0 ? new Date(bought.at(-1)?.atMs ?? 0) : null,
  };
};

// Guarantee: whatever is requested when, a member never has more than the limits allow: in total, in any period of that many
// days, or before the cooldown ends.
test(`no order passes a limit (${numRuns} runs)`, () => {
  const limits = fc.record({
    perMember: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    perPeriod: fc.option(
      fc.record({ count: fc.integer({ min: 1, max: 10 }), days: fc.integer({ min: 1, max: 5 }) }),
      { nil: undefined },
    ),
    cooldownSeconds: fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined }),
  });
  const asked = fc.array(
    fc.record({
      waitMs: fc.integer({ min: 0, max: 2 * dayMs }),
      quantity: fc.integer({ min: 1, max: 6 }),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(limits, asked, (limit, orders) => {
      const bought: Buy[] = [];
      let now = start;
      for (const { waitMs, quantity } of orders) {
        now += waitMs;
        const holding = holdingOf(bought, now, limit.perPeriod?.days ?? 0);
        if (findLimit(limit, holding, quantity, new Date(now)) === null) bought.push({ atMs: now, quantity });
      }
      for (const { atMs } of bought) {
        const { ever, inPeriod } = holdingOf(
          bought.filter((one) => one.atMs <= atMs),
          atMs,
          limit.perPeriod?.days ?? 0,
        );
        expect(ever).toBeLessThanOrEqual(limit.perMember ?? Number.POSITIVE_INFINITY);
        if (limit.perPeriod) expect(inPeriod).toBeLessThanOrEqual(limit.perPeriod.count);
      }
      if (limit.cooldownSeconds !== undefined)
        for (const [index, { atMs }] of bought.entries())
          if (index > 0)
            expect(atMs - (bought[index - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(
              limit.cooldownSeconds * 1000,
            );
    }),
    { numRuns },
  );
});

// Guarantee: a refusal names the limit and the time when it allows more.
test('a limit is told in words', () => {
  const told = (...limit: Parameters<typeof findLimit>) => {
    const why = findLimit(...limit);
    return why && refusalText(why);
  };
  const holding = holdingOf([{ atMs: start, quantity: 2 }], start + 1000, 7);
  const now = new Date(start + 1000);
  expect(told({ perMember: 3 }, holding, 1, now)).toBeNull();
  expect(told({ perMember: 3 }, holding, 2, now)).toBe('The limit is 3 per member; this member has 2.');
  expect(told({ perPeriod: { count: 2, days: 7 } }, holding, 1, now)).toBe(
    'The limit is 2 per member in 7 days; this member has 2, and the first one counts until 2026-01-08T00:00:00.000Z.',
  );
  expect(told({ cooldownSeconds: 60 }, holding, 1, now)).toBe(
    'This member can order it again at 2026-01-01T00:01:00.000Z.',
  );
  expect(told({ cooldownSeconds: 1 }, holding, 1, now)).toBeNull();
});
