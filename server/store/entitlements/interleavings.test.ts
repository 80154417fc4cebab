import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCount } from '#harness/kill-count.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { day, type LastingStore, openLastingStore, vip } from './testing/lasting-store.ts';

let lasting: LastingStore;
beforeAll(async () => {
  lasting = await openLastingStore();
});
afterAll(() => lasting[Symbol.asyncDispose]());

const by = { actor: testOwner, address: '127.0.0.1' };

/** Numbers from 0 to below 1, the same for the same seed. */
const numbersOf = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

// Guarantee: in whichever order purchases, refunds, time, outages, kills and clocks come, it is there while a grant
// holds it, it is never taken back twice without having been given in between, and after the last end it is gone.
test.each(Array.from({ length: runCount({ day: 15, night: 50 }) }, (_, index) => 1000 + index))(
  'interleaving %i',
  { timeout: 60_000, tags: 'kills' },
  async (seed) => {
    const random = numbersOf(seed);
    const server = await lasting.ranked();
    const { memberId, name } = await lasting.player(server);
    const bought: string[] = [];
    const underWay: Promise<unknown>[] = [];
    let isAway = false;
    const returns = async () => {
      if (isAway) await lasting.joins(server);
      isAway = false;
    };
    const acts = {
      async buy() {
        await returns();
        bought.push(
          await lasting.buy(memberId, vip({ days: 5 + Math.floor(random() * 20), extends: random() < 0.7 })),
        );
      },
      async refund() {
        const [order] = bought.splice(Math.floor(random() * bought.length), 1);
        if (order !== undefined) await lasting.refund(order);
      },
      pass: () => lasting.pass(day * Math.floor(1 + random() * 15)),
      round: () => lasting.entitlements.round(),
      async roundBeside() {
        underWay.push(lasting.entitlements.round());
      },
      async kill() {
        lasting.restart();
      },
      async outage() {
        if (!isAway) await lasting.leaves(server);
        isAway = true;
      },
      async clock() {
        lasting.aheadMs = random() < 0.5 ? -3_600_000 : 0;
      },
    };
    const names = Object.keys(acts) as (keyof typeof acts)[];
    await acts.buy();
    for (let step = 0; step < 14; step += 1) {
      await acts[names[Math.floor(random() * names.length)] ?? 'round']();
      const { endedAt } = (await lasting.entitlements.reading.ofMember(memberId))[0] ?? {};
      const places = await lasting.places(memberId);
      if (endedAt === null && places.every(({ state }) => state === 'held'))
        expect(server.ranked.has(name), `held at step ${step}`).toBe(true);
    }
    /** What an agent took with it is retried after a rest, or decided. */
    const settled = async () => {
      await lasting.entitlements.round();
      await lasting.pass(60);
      await lasting.entitlements.round();
      for (const { id, state } of await lasting.places(memberId)) {
        if (state !== 'unknown') continue;
        server.told.push('decided');
        await lasting.entitlements.decide.retry(id, by);
      }
      await lasting.entitlements.round();
    };
    await returns();
    lasting.aheadMs = 0;
    // What a kill cut off gets no reply any more.
    await Promise.race([Promise.all(underWay), lasting.entitlements.round()]);
    await settled();
    const [now] = await lasting.entitlements.reading.ofMember(memberId);
    expect(server.ranked.has(name)).toBe(now?.endedAt === null);
    await lasting.pass(400 * day);
    await settled();
    expect(server.ranked.has(name)).toBe(false);
    await lasting.pass(day);
    lasting.restart();
    await lasting.entitlements.round();
    expect((await lasting.places(memberId)).map(({ state }) => state)).toEqual(['taken']);
    expect(server.told).toContain('remove');
    expect(server.told.join(' ')).not.toContain('remove remove');
  },
);
