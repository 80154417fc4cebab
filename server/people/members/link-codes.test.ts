import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { linkCodeLimits } from './link-codes.ts';
import { byOwner, type MembersOfATest, membersOfATest } from './testing/members-of-a-test.ts';

let bench: MembersOfATest;
beforeAll(async () => {
  bench = await membersOfATest();
});
afterAll(() => bench[Symbol.asyncDispose]());

const codeOf = async (id: string) => {
  const issued = await bench.members.linkCode(id, byOwner);
  if (isRefusal(issued)) throw new Error(issued.refused);
  return issued.code;
};
const redeem = (id: string, code: string, by = byOwner) => bench.members.redeem(id, code, by);

// Guarantee: a code merges once, however it is typed, and is stored nowhere in the database.
test('a code', async () => {
  const [kept, merged, other] = [await bench.member(1), await bench.member(2), await bench.member()];
  const code = await codeOf(kept);
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  const typed = ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
  const stored = await bench.query<{ row: string }>(
    `select member_link_codes::text || encode(digest, 'escape') as row from member_link_codes`,
  );
  expect(JSON.stringify(stored)).not.toContain(code.replace('-', ''));
  expect(await redeem(merged, typed)).toMatchObject({ id: kept, balance: 3 });
  expect(await redeem(other, code)).toEqual({ refused: 'LINK_CODE_INVALID' });
  expect(await bench.query('select from member_link_codes')).toEqual([]);
});

// Guarantee: a code issued during a merge that was undone later does not repeat that merge.
test('a code from before an undone merge', async () => {
  const [kept, merged] = [await bench.member(), await bench.member(2)];
  const done = await redeem(merged, await codeOf(kept));
  if (isRefusal(done)) throw new Error(done.refused);
  const code = await codeOf(kept);
  await bench.members.undoMerge(kept, done.merges[0]?.id ?? '', byOwner);
  expect(await redeem(merged, code)).toEqual({ refused: 'LINK_CODE_INVALID' });
});

// Guarantee: when many type a code at the same time, one is merged.
test('a code that is typed by many', async () => {
  const kept = await bench.member();
  const others = await Promise.all(Array.from({ length: 6 }, () => bench.member(1)));
  const code = await codeOf(kept);
  const results = await Promise.all(others.map((id) => redeem(id, code)));
  expect(results.filter((result) => !isRefusal(result))).toHaveLength(1);
  expect(await bench.balance(kept)).toBe(1);
});

// Guarantee: a code is valid for ten minutes, and a new one replaces the old one.
test('codes that are too old', async () => {
  const [kept, merged] = [await bench.member(), await bench.member()];
  const [first, second] = [await codeOf(kept), await codeOf(kept)];
  expect(await redeem(merged, first)).toEqual({ refused: 'LINK_CODE_INVALID' });
  const [row] = await bench.query<{ left: number }>(
    'select extract(epoch from expires_at - now())::float8 as left from member_link_codes where member_id = $1',
    [kept],
  );
  expect(row?.left).toBeGreaterThan(590);
  expect(row?.left).toBeLessThanOrEqual(600);
  await bench.query(`update member_link_codes set expires_at = expires_at - interval '10 minutes'`);
  expect(await redeem(merged, second)).toEqual({ refused: 'LINK_CODE_INVALID' });
});

// Guarantee: a merged or erased member has no code, and a member's own code merges nothing.
test('codes of members that are gone', async () => {
  const [kept, merged, erased, other] = [
    await bench.member(),
    await bench.member(),
    await bench.member(),
    await bench.member(),
  ];
  const codes = [await codeOf(merged), await codeOf(erased)];
  await bench.members.merge(kept, merged, byOwner);
  await bench.members.erase(erased, 1, byOwner);
  for (const code of codes) expect(await redeem(other, code)).toEqual({ refused: 'LINK_CODE_INVALID' });
  for (const id of [merged, erased])
    expect(await bench.members.linkCode(id, byOwner)).toMatchObject({ refused: 'MEMBER_GONE' });
  const own = await codeOf(other);
  expect(await redeem(other, own)).toMatchObject({ refused: 'MERGE_REFUSED' });
});

// Guarantee: after a refused use a code stays valid for its intended user, unless others could read it.
test('a refused use', async () => {
  const [kept, refused, merged] = [await bench.member(), await bench.member(), await bench.member(1)];
  await bench.query(`update members set discord_id = 'one' where id = $1`, [kept]);
  await bench.query(`update members set discord_id = 'another' where id = $1`, [refused]);
  const code = await codeOf(kept);
  expect(await redeem(refused, code)).toMatchObject({ refused: 'MERGE_REFUSED' });
  expect(await redeem(merged, code)).toMatchObject({ id: kept, balance: 1 });
  const read = await codeOf(kept);
  expect(await bench.members.takeCode(refused, read, byOwner)).toMatchObject({ refused: 'MERGE_REFUSED' });
  expect(await redeem(await bench.member(), read)).toEqual({ refused: 'LINK_CODE_INVALID' });
});

// Guarantee: guesses are limited per member and per caller; they return over time, and a correct code does not count.
test('guesses', async () => {
  const by: AuditContext = { ...byOwner, actor: { ...testOwner, id: 'guesser' } };
  const [kept, merged] = [await bench.member(), await bench.member()];
  const { perMember, perActor } = linkCodeLimits;
  for (let tries = 0; tries < perMember.capacity; tries += 1)
    expect(await redeem(merged, 'AAAA-AAAA', by)).toEqual({ refused: 'LINK_CODE_INVALID' });
  const code = await codeOf(kept);
  expect(await redeem(merged, code, by)).toMatchObject({
    refused: 'RATE_LIMITED',
    retryAfterMs: perMember.refillMs,
  });
  for (let tries = perMember.capacity; tries < perActor.capacity; tries += 1)
    await redeem(await bench.member(), 'AAAA-AAAA', by);
  const fresh = await bench.member();
  expect(await redeem(fresh, code, by)).toMatchObject({ refused: 'RATE_LIMITED' });
  bench.clock.move(perMember.refillMs);
  expect(await redeem(merged, code, by)).toMatchObject({ id: kept });
});

// Guarantee: a person in a game or in Discord gets few codes; staff is not limited.
test('many codes', async () => {
  const member = await bench.member();
  const actor = {
    kind: 'discord',
    id: '77',
    name: 'Ada',
    permissions: new Set<never>(),
    serverPermissions: new Map(),
  } as const;
  const asked = [];
  for (let count = 0; count <= linkCodeLimits.issued.capacity; count += 1)
    asked.push(isRefusal(await bench.members.linkCode(member, { actor, address: '' })));
  expect(asked).toEqual([...Array<boolean>(linkCodeLimits.issued.capacity).fill(false), true]);
  expect(isRefusal(await bench.members.linkCode(member, byOwner))).toBe(false);
});
