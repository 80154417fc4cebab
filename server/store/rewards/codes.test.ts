import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewCodeBatch } from '#contracts/store/rewards.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { byOwner } from '../../people/members/testing/members-of-a-test.ts';
import { ledgerSum } from '../points/store-accounts.ts';
import { type RewardsOfATest, rewardsOfATest } from './testing/rewards-of-a-test.ts';

let play: RewardsOfATest;
let now = new Date('2026-06-01T12:00:00Z');
beforeAll(async () => {
  play = await rewardsOfATest();
});
afterAll(() => play[Symbol.asyncDispose]());

const process = () => play.process({ now: () => now });
const batch = (more: Partial<NewCodeBatch> = {}): NewCodeBatch => ({
  name: 'Summer',
  points: 25,
  mostUses: 1,
  mostPerMember: 1,
  validFrom: null,
  validUntil: null,
  games: [],
  serverIds: [],
  count: 1,
  code: null,
  ...more,
});
const make = async (more: Partial<NewCodeBatch> = {}) => {
  const { batches } = process();
  const made = await batches.create(batch(more), byOwner);
  if (isRefusal(made)) throw new Error(made.refused);
  const page = await batches.codes(made.id, { limit: 1000 }, true);
  if (isRefusal(page)) throw new Error(page.refused);
  return { ...made, all: page.rows.map(({ code }) => code ?? '') };
};
let callers = 0;
/** Each call is another person in Discord. */
const someone = (): AuditContext => {
  callers += 1;
  return {
    ...byOwner,
    actor: { ...byOwner.actor, kind: 'discord', id: String(callers), name: `Person ${callers}` },
  };
};
const outcomes = async (redeeming: Promise<unknown>[]) =>
  (await Promise.all(redeeming)).map((result) => (isRefusal(result) ? result.refused : 'redeemed'));
const count = (results: readonly string[], wanted: string) =>
  results.filter((result) => result === wanted).length;

// Guarantee: a hundred concurrent redemptions, from two processes, give what a code's limits allow and no more.
test('limits at once', async () => {
  const both = [process(), process()];
  const members = await Promise.all(Array.from({ length: 100 }, () => play.bench.member()));
  const redeemAll = (code: string) =>
    outcomes(
      members.map((id, index) => both[index % 2]?.redeem(id, code, someone()) ?? Promise.resolve(null)),
    );
  const single = await make();
  const once = await redeemAll(single.all[0] ?? '');
  expect([count(once, 'redeemed'), count(once, 'LIMIT_REACHED')]).toEqual([1, 99]);
  const limited = await make({ mostUses: 30 });
  const thirty = await redeemAll(limited.all[0] ?? '');
  expect([count(thirty, 'redeemed'), count(thirty, 'LIMIT_REACHED')]).toEqual([30, 70]);
  const [greedy = ''] = members;
  const open = await make({ mostUses: null, mostPerMember: 3 });
  const own = await outcomes(
    Array.from(
      { length: 100 },
      (_, index) => both[index % 2]?.redeem(greedy, open.all[0] ?? '', someone()) ?? Promise.resolve(null),
    ),
  );
  // Concurrent tries count as wrong until they are known to be right.
  expect(count(own, 'redeemed')).toBeLessThanOrEqual(3);
  for (let left = 3; left > 0; left -= 1) await process().redeem(greedy, open.all[0] ?? '', someone());
  const [row] = await play.bench.query<{ uses: number; points: string }>(
    `select count(*)::int as uses, (select sum(amount) from ledger where kind = 'reward') as points from reward_code_uses`,
  );
  expect(row).toEqual({ uses: 34, points: String(34 * 25) });
  expect(await ledgerSum(play.bench.database.db)).toBe(0);
});

// Guarantee: a thousand guesses find nothing, and after too many even the right code is refused until time has passed.
test('guesses', async () => {
  const { all } = await make({ count: 1000, mostUses: 1 });
  expect(new Set(all).size).toBe(1000);
  const memberId = await play.bench.member();
  const [one, other] = [process(), process()];
  const guess = (index: number) => `${index.toString(32).toUpperCase().padStart(4, '0')}-0000-0000`;
  const results: string[] = [];
  for (let index = 0; index < 1000; index += 50)
    results.push(
      ...(await outcomes(
        Array.from({ length: 50 }, (_, more) =>
          (more % 2 ? one : other).redeem(memberId, guess(index + more), byOwner),
        ),
      )),
    );
  expect(count(results, 'redeemed')).toBe(0);
  expect(count(results, 'RATE_LIMITED')).toBeGreaterThan(950);
  expect(await one.redeem(memberId, all[0] ?? '', byOwner)).toMatchObject({ refused: 'RATE_LIMITED' });
  // It is also refused from the same address for other members, and from another caller for the same member.
  const others = await outcomes(
    await Promise.all(
      Array.from({ length: 40 }, async () => one.redeem(await play.bench.member(), 'WRONG', byOwner)),
    ).then((done) => done.map((result) => Promise.resolve(result))),
  );
  expect(count(others, 'RATE_LIMITED')).toBeGreaterThan(10);
  expect(await one.redeem(memberId, all[0] ?? '', someone())).toMatchObject({ refused: 'RATE_LIMITED' });
  expect(await play.bench.balance(memberId)).toBe(0);
  await play.bench.query(`update reward_guesses set counted_at = counted_at - interval '1 day'`);
  expect(await one.redeem(memberId, all[0] ?? '', byOwner)).toMatchObject({ points: 25, balance: 25 });
  // Counted while the clock was ahead: no one is locked out until then.
  await play.bench.query(`update reward_guesses set tokens = 0, counted_at = now() + interval '70 years'`);
  expect(await one.redeem(memberId, 'WRONG', byOwner)).not.toMatchObject({ refused: 'RATE_LIMITED' });
});

// Guarantee: a code can be typed the way people write it, and has no letter that can be mistaken for another.
test('how a code is typed', async () => {
  const { all } = await make({ count: 2 });
  const [first = '', second = ''] = all;
  expect(first).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  const typed = first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  expect(await process().redeem(await play.bench.member(), typed, someone())).toMatchObject({ points: 25 });
  expect(await process().redeem(await play.bench.member(), ` ${second}\n`, someone())).toMatchObject({
    points: 25,
  });
  const own = await make({ code: 'Welcome-2026', mostUses: null });
  expect(own.all).toEqual(['WELCOME-2026']);
  expect(
    await process().batches.create(batch({ code: 'we1come 2026'.replace(' ', '-') }), byOwner),
  ).toMatchObject({ refused: 'NAME_TAKEN', field: 'body.code' });
});

// Guarantee: codes that are switched off, not yet or no longer valid, or for other servers give nothing.
test('when a code is valid', async () => {
  const from = '2026-06-02T00:00:00.000Z';
  const until = '2026-06-03T00:00:00.000Z';
  const serverId = await play.server();
  const made = await make({ mostUses: null, validFrom: from, validUntil: until, serverIds: [serverId] });
  const [code = ''] = made.all;
  const { playerId, memberId } = await play.bench.see('Zoe');
  const redeem = () => process().redeem(memberId, code, someone());
  expect(await redeem()).toEqual({ refused: 'REWARD_CODE_INVALID' });
  now = new Date(until);
  expect(await redeem()).toEqual({ refused: 'REWARD_CODE_INVALID' });
  now = new Date(from);
  expect(await redeem()).toMatchObject({ refused: 'LIMIT_REACHED' });
  await play.session({ playerId, serverId, from: now, until: now });
  const off = await process().batches.switch(made.id, { version: 1, isEnabled: false }, byOwner);
  expect(off).toMatchObject({ isEnabled: false, version: 2 });
  expect(await redeem()).toEqual({ refused: 'REWARD_CODE_INVALID' });
  expect(await process().batches.switch(made.id, { version: 1, isEnabled: true }, byOwner)).toMatchObject({
    refused: 'CONFLICT',
  });
  await process().batches.switch(made.id, { version: 2, isEnabled: true }, byOwner);
  expect(await redeem()).toMatchObject({ points: 25, name: 'Summer' });
  // Counts as one member, even after a merge.
  const other = await play.bench.see('Zoe too');
  await play.bench.members.merge(other.memberId, memberId, byOwner);
  expect(await process().redeem(other.memberId, code, someone())).toMatchObject({ refused: 'LIMIT_REACHED' });
});

// Guarantee: the export holds every code once; no code appears in the audit log, or in the list for people who may not create codes.
test('what is shown of codes', async () => {
  const { id, all } = await make({ name: '=Sum', count: 1000 });
  const stream = await process().batches.export(id, byOwner);
  if (isRefusal(stream)) throw new Error(stream.refused);
  const lines = (await text(stream)).trim().split('\r\n');
  expect(lines[0]).toBe('code,points,uses,lastUsedAt');
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0]))).toEqual(new Set(all));
  const masked = await process().batches.codes(id, { limit: 500 }, false);
  expect(JSON.stringify(masked)).not.toContain(all[0]);
  const audited = await play.bench.query<{ row: string }>('select audit_logs::text as row from audit_logs');
  for (const code of all.slice(0, 20)) expect(JSON.stringify(audited)).not.toContain(code);
});
