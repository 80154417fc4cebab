import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { IntervalTerms, RewardRule } from '#contracts/store/rewards.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { byOwner } from '../../people/members/testing/members-of-a-test.ts';
import { ledgerSum } from '../points/store-accounts.ts';
import { type RewardsOfATest, rewardsOfATest } from './testing/rewards-of-a-test.ts';

let play: RewardsOfATest;
let serverId: string;
let now: Date;
beforeAll(async () => {
  play = await rewardsOfATest();
});
afterAll(() => play[Symbol.asyncDispose]());
beforeEach(async () => {
  serverId = await play.server();
  now = new Date('2026-06-01T12:00:00Z');
});

const at = (minutes: number) => new Date(Date.parse('2026-06-01T12:00:00Z') + minutes * 60_000);
const process = (options: { licenseHolds?: () => boolean } = {}) =>
  play.process({ now: () => now, ...options });
const terms = (more: Partial<IntervalTerms> = {}): IntervalTerms => ({
  kind: 'interval',
  points: 10,
  minutes: 30,
  mostPerDay: null,
  games: [],
  serverIds: [serverId],
  ...more,
});
const rule = (more: Partial<IntervalTerms> = {}): Promise<RewardRule> =>
  process().rules.create({ name: 'Playing', isEnabled: true, terms: terms(more) }, byOwner);

// Guarantee: whole intervals are paid, each with its own entry that names the rule; a remainder waits until it is complete.
test('an interval', async () => {
  await rule();
  const { playerId, memberId } = await play.bench.see('Ann');
  await play.session({ playerId, serverId, from: at(0), until: at(75) });
  now = at(80);
  const { payer } = process();
  expect(await payer.round()).toEqual({ rewards: 2, isComplete: true });
  expect(await payer.round(true)).toEqual({ rewards: 0, isComplete: true });
  await play.session({ playerId, serverId, from: at(100), until: at(115) });
  now = at(116);
  await payer.round();
  const page = await play.bench.points.ledger(memberId, { limit: 10 });
  if (isRefusal(page)) throw new Error(page.refused);
  const entry = {
    kind: 'reward',
    change: 10,
    actorName: null,
    reward: { kind: 'interval', name: 'Playing' },
  };
  expect(page.rows).toMatchObject([entry, entry, entry]);
  expect(await play.bench.balance(memberId)).toBe(30);
  expect(await ledgerSum(play.bench.database.db)).toBe(0);
});

// Guarantee: where no one trusts a server, its word that a player is there earns nothing for members first seen elsewhere.
test('a server that is not trusted', async () => {
  const { playerId, memberId } = await play.bench.see('Tia');
  const home = await play.server();
  await rule({ serverIds: [home, serverId] });
  await play.session({ playerId, serverId: home, from: at(0), until: at(30) });
  await play.session({ playerId, serverId, from: at(40), until: at(100) });
  now = at(101);
  await process().payer.round();
  expect(await play.bench.balance(memberId)).toBe(10);
  await play.bench.database.db
    .insertInto('chat_trusts')
    .values({ server_id: serverId, is_trusted: true })
    .execute();
  await process().payer.round(true);
  expect(await play.bench.balance(memberId)).toBe(30);
});

// Guarantee: an open session counts until the player was last seen, and no further.
test('an open session', async () => {
  await rule();
  const { playerId, memberId } = await play.bench.see('Bob');
  const id = await play.session({ playerId, serverId, from: at(0), until: at(29), isOpen: true });
  now = at(90);
  const { payer } = process();
  await payer.round(true);
  expect(await play.bench.balance(memberId)).toBe(0);
  await play.bench.query('update player_sessions set confirmed_at = $2 where id = $1', [id, at(91)]);
  now = at(92);
  await payer.round();
  expect(await play.bench.balance(memberId)).toBe(30);
});

// Guarantee: a member whose players are on two servers at the same time is paid for the time once.
test('two servers at once', async () => {
  const other = await play.server();
  await rule({ serverIds: [serverId, other] });
  const [one, two] = [await play.bench.see('Cat'), await play.bench.see('Cat too')];
  await play.bench.members.merge(one.memberId, two.memberId, byOwner);
  await play.session({ playerId: one.playerId, serverId, from: at(0), until: at(40) });
  await play.session({ playerId: two.playerId, serverId: other, from: at(10), until: at(59) });
  now = at(60);
  await process().payer.round();
  expect(await play.rewarded(one.memberId)).toEqual({ entries: 1, points: 10 });
});

// Guarantee: merging members, undoing it, and merging again pays no time twice.
test('merges', async () => {
  await rule();
  const [kept, merged] = [await play.bench.see('Dan'), await play.bench.see('Eve')];
  await play.session({ playerId: kept.playerId, serverId, from: at(0), until: at(60) });
  await play.session({ playerId: merged.playerId, serverId, from: at(100), until: at(160) });
  now = at(170);
  const { payer } = process();
  await payer.round();
  const sums = async () => [await play.rewarded(kept.memberId), await play.rewarded(merged.memberId)];
  const paid = await sums();
  expect(paid).toEqual([
    { entries: 2, points: 20 },
    { entries: 2, points: 20 },
  ]);
  for (let turn = 0; turn < 2; turn += 1) {
    const member = await play.bench.members.merge(kept.memberId, merged.memberId, byOwner);
    if (isRefusal(member)) throw new Error(member.refused);
    await payer.round(true);
    expect(await sums()).toEqual(paid);
    await play.bench.members.undoMerge(kept.memberId, member.merges[0]?.id ?? '', byOwner);
    await payer.round(true);
    expect(await sums()).toEqual(paid);
  }
});

// Guarantee: the limit of a day holds, its last reward is what is left of it, and the next day begins with a full one.
test('the limit of a day', async () => {
  await rule({ mostPerDay: 25, minutes: 60 });
  const { playerId, memberId } = await play.bench.see('Fay');
  await play.session({ playerId, serverId, from: at(0), until: at(14 * 60) });
  now = at(15 * 60);
  await process().payer.round(true);
  // Twelve hours until midnight, two hours after it.
  expect(await play.rewarded(memberId)).toEqual({ entries: 5, points: 45 });
});

// Guarantee: new terms count from the change on; time played before it is paid by the earlier terms.
test('a change of a rule', async () => {
  const made = await rule();
  const { playerId, memberId } = await play.bench.see('Gus');
  await play.session({ playerId, serverId, from: at(0), until: at(240) });
  now = at(120);
  const { rules, payer } = process();
  const changed = await rules.change(
    made.id,
    { name: 'Playing', isEnabled: true, version: made.version, terms: terms({ points: 100, minutes: 60 }) },
    byOwner,
  );
  expect(changed).toMatchObject({ version: 2 });
  expect(
    await rules.change(made.id, { name: 'x', isEnabled: true, version: 1, terms: terms() }, byOwner),
  ).toMatchObject({ refused: 'CONFLICT' });
  now = at(250);
  await payer.round(true);
  expect(await play.rewarded(memberId)).toEqual({ entries: 6, points: 240 });
  now = at(300);
  expect(await rules.archive(made.id, 2, byOwner)).toBeNull();
  await play.session({ playerId, serverId, from: at(305), until: at(500) });
  now = at(501);
  await payer.round(true);
  expect(await play.rewarded(memberId)).toEqual({ entries: 6, points: 240 });
});

// Guarantee: a rule created while the clock was ahead pays as soon as a person changes it, by its new terms.
test('a rule made while the clock was ahead', async () => {
  now = at(60 * 24 * 30);
  const made = await rule();
  const { rules } = process();
  const change = (version: number, points: number) =>
    rules.change(made.id, { name: 'Playing', isEnabled: true, version, terms: terms({ points }) }, byOwner);
  now = at(60 * 24 * 31);
  expect(await change(1, 50)).toMatchObject({ version: 2 });
  now = at(0);
  expect(await change(2, 20)).toMatchObject({ version: 3 });
  const { playerId, memberId } = await play.bench.see('Nia');
  await play.session({ playerId, serverId, from: at(0), until: at(60) });
  now = at(61);
  await process().payer.round(true);
  expect(await play.rewarded(memberId)).toEqual({ entries: 2, points: 40 });
  // What ended before the clock came back does not count any more either.
  now = at(90);
  expect(await change(3, 30)).toMatchObject({ version: 4 });
  await play.session({ playerId, serverId, from: at(90), until: at(120) });
  now = at(121);
  await process().payer.round(true);
  expect(await play.rewarded(memberId)).toEqual({ entries: 3, points: 70 });
});

// Guarantee: nothing is paid while the license is rejected, and time played in between is paid afterwards.
test('a rejected license', async () => {
  await rule();
  const { playerId, memberId } = await play.bench.see('Hal');
  await play.session({ playerId, serverId, from: at(0), until: at(30) });
  now = at(60);
  let holds = false;
  const { payer } = process({ licenseHolds: () => holds });
  await payer.round(true);
  expect(await play.bench.balance(memberId)).toBe(0);
  holds = true;
  await payer.round();
  expect(await play.bench.balance(memberId)).toBe(10);
});

// Guarantee: a first visit is paid once per member, however many players and merges, and never to someone who came before the rule.
test('first visits', async () => {
  const [old, fresh] = [await play.bench.see('Ivy'), await play.bench.see('Jon')];
  await play.session({ playerId: old.playerId, serverId, from: at(-100), until: at(-90) });
  const { rules, payer } = process();
  await rules.create(
    {
      name: 'Welcome',
      isEnabled: true,
      terms: { kind: 'first-visit', points: 50, games: [], serverIds: [serverId] },
    },
    byOwner,
  );
  for (const { playerId } of [old, fresh])
    await play.session({ playerId, serverId, from: at(5), until: at(6) });
  now = at(10);
  const other = process();
  await Promise.all([payer.round(true), other.payer.round(true)]);
  await payer.round(true);
  expect(await play.rewarded(old.memberId)).toEqual({ entries: 0, points: 0 });
  expect(await play.rewarded(fresh.memberId)).toEqual({ entries: 1, points: 50 });
  const heir = await play.bench.see('Jon too');
  await play.bench.members.merge(heir.memberId, fresh.memberId, byOwner);
  await play.session({ playerId: heir.playerId, serverId, from: at(11), until: at(12) });
  now = at(13);
  await payer.round(true);
  expect(await play.rewarded(heir.memberId)).toEqual({ entries: 0, points: 0 });
});
