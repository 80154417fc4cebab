import { afterAll, beforeAll, expect, test } from 'vitest';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { type Banning, by, isBanned, openBanning, type SimulatedServer } from './testing/banning.ts';

let banning: Banning;
let first: SimulatedServer;

beforeAll(async () => {
  banning = await openBanning();
  first = await banning.server('minecraft');
}, 60_000);
afterAll(() => banning[Symbol.asyncDispose]());

// Guarantee: a ban that is given again while the former one is restored, or before, is one ban: lifting it leaves none.
test('restored and given again', async () => {
  const { write } = banning.bans;
  const restoredFirst = async (playerId: string, id: string) => {
    const restored = await write.restore(id, by);
    return [restored, await banning.ban(playerId)];
  };
  const givenFirst = async (playerId: string, id: string) => {
    const given = await banning.ban(playerId);
    return [await write.restore(id, by), given];
  };
  const atOnce = (playerId: string, id: string) =>
    Promise.all([write.restore(id, by), banning.ban(playerId)]);
  for (const order of [restoredFirst, givenFirst, atOnce, atOnce, atOnce, atOnce]) {
    const { playerId, name } = await banning.someone();
    const former = await banning.ban(playerId);
    await write.lift(former, by);
    const [restored, given] = await order(playerId, former);
    expect(restored).toBe(given);
    await banning.bans.round();
    expect(isBanned(first, name)).toBe(true);
    await write.lift(String(given), by);
    await banning.bans.round();
    expect(isBanned(first, name)).toBe(false);
  }
});

// Guarantee: restoring a ban restores its reason and its end, also where a shorter one was given in between, even one that is over.
test('restored over a shorter one', async () => {
  const { write } = banning.bans;
  for (const isOver of [false, true]) {
    const { playerId, name } = await banning.someone();
    const former = await banning.ban(playerId);
    await write.lift(former, by);
    const until = new Date(Date.now() + banning.aheadMs + 3_600_000).toISOString();
    const shorter = await banning.ban(playerId, { reason: 'one hour', until });
    if (isOver) banning.aheadMs += 3_601_000;
    expect(await write.restore(former, by)).toBe(shorter);
    expect(await banning.bans.reading.read(testOwner, shorter)).toMatchObject({
      reason: 'spam',
      until: null,
    });
    banning.aheadMs += 3_601_000;
    await banning.bans.round();
    expect(isBanned(first, name)).toBe(true);
    await write.lift(shorter, by);
    await banning.bans.round();
  }
});
