import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { byOwner } from '../../people/members/testing/members-of-a-test.ts';
import { ledgerSum } from '../points/store-accounts.ts';
import { type RewardsOfATest, rewardsOfATest } from './testing/rewards-of-a-test.ts';

let play: RewardsOfATest;
let now = new Date('2026-06-01T12:00:00Z');
let settings = { giftsEnabled: true, giftMin: 5, giftMostPerDay: 100 };
beforeAll(async () => {
  play = await rewardsOfATest();
});
afterAll(() => play[Symbol.asyncDispose]());

const gifts = () => play.process({ now: () => now, gifts: () => settings }).gifts;
const offer = async (fromMember: string, toMember: string, points: number) => {
  const made = await gifts().offer({ fromMember, toMember, points });
  if (isRefusal(made)) throw new Error(`${made.refused} ${made.detail ?? ''}`);
  return made.id;
};

// Guarantee: an offer moves nothing; confirming it moves the points once, however often and concurrently it is sent.
test('a gift', async () => {
  const [giver, receiver] = [await play.bench.member(60), await play.bench.member()];
  const id = await offer(giver, receiver, 20);
  expect([await play.bench.balance(giver), await play.bench.balance(receiver)]).toEqual([60, 0]);
  const both = [gifts(), gifts()];
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => both[index % 2]?.confirm(id, giver, byOwner)),
  );
  for (const answer of answers) expect(answer).toMatchObject({ points: 20, balance: 40 });
  expect([await play.bench.balance(giver), await play.bench.balance(receiver)]).toEqual([40, 20]);
  const page = await play.bench.points.ledger(receiver, { limit: 5 });
  if (isRefusal(page)) throw new Error(page.refused);
  expect(page.rows).toMatchObject([{ kind: 'transfer', change: 20, otherMemberId: giver }]);
  expect(await ledgerSum(play.bench.database.db)).toBe(0);
});

// Guarantee: concurrently confirmed gifts never exceed what a member may give away per day, even after a merge.
test('the limit of a day', async () => {
  const [giver, receiver] = [await play.bench.member(1000), await play.bench.member()];
  const ids = [];
  for (let index = 0; index < 10; index += 1) ids.push(await offer(giver, receiver, 30));
  const both = [gifts(), gifts()];
  const answers = await Promise.all(
    ids.map(async (id, index) => both[index % 2]?.confirm(id, giver, byOwner)),
  );
  expect(answers.filter((answer) => !isRefusal(answer))).toHaveLength(3);
  expect(await play.bench.balance(receiver)).toBe(90);
  const heir = await play.bench.member(50);
  await play.bench.members.merge(heir, giver, byOwner);
  expect(await gifts().offer({ fromMember: heir, toMember: receiver, points: 11 })).toMatchObject({
    refused: 'LIMIT_REACHED',
  });
  now = new Date('2026-06-02T00:00:00Z');
  expect(await gifts().offer({ fromMember: heir, toMember: receiver, points: 100 })).toMatchObject({
    leftToday: 0,
  });
});

// Guarantee: a gift that is switched off, too small, not covered, expired or someone else's is refused and moves nothing.
test('refusals', async () => {
  const [giver, receiver] = [await play.bench.member(50), await play.bench.member()];
  const ask = (points: number, toMember = receiver) => gifts().offer({ fromMember: giver, toMember, points });
  expect(await ask(4)).toMatchObject({ refused: 'LIMIT_REACHED' });
  expect(await ask(51)).toMatchObject({ refused: 'INSUFFICIENT_POINTS' });
  expect(await ask(10, giver)).toMatchObject({ refused: 'INVALID_REQUEST' });
  expect(await ask(10, '999999')).toEqual({ refused: 'NOT_FOUND' });
  const id = await offer(giver, receiver, 50);
  expect(await gifts().confirm(id, receiver, byOwner)).toEqual({ refused: 'NOT_FOUND' });
  expect(await gifts().confirm('nothing', giver, byOwner)).toEqual({ refused: 'NOT_FOUND' });
  settings = { ...settings, giftsEnabled: false };
  expect(await gifts().confirm(id, giver, byOwner)).toMatchObject({ refused: 'REWARD_UNAVAILABLE' });
  settings = { ...settings, giftsEnabled: true };
  await play.bench.points.grant(giver, { kind: 'correction', points: 1, note: '' }, byOwner);
  expect(await gifts().confirm(id, giver, byOwner)).toEqual({ refused: 'INSUFFICIENT_POINTS' });
  await play.bench.points.grant(giver, { kind: 'grant', points: 1, note: '' }, byOwner);
  now = new Date(now.getTime() + 10 * 60_000);
  expect(await gifts().confirm(id, giver, byOwner)).toMatchObject({ refused: 'REWARD_UNAVAILABLE' });
  expect([await play.bench.balance(giver), await play.bench.balance(receiver)]).toEqual([50, 0]);
});
