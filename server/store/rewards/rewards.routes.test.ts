import { expect, test } from 'vitest';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { rewardsDiscordHttp, rewardsHttp } from '#contracts/store/rewards.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call, customRole, person } from '../../kernel/testing/call.ts';
import { asDiscord } from '../../kernel/testing/discord-user.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();
const port = () => running().port;
const db = () => running().api.context.database.db;
const asOwner = { as: testDesktopCredential };

let made = 0;
/** A Discord account linked to a player, with this many points. */
const linked = async (points = 0) => {
  made += 1;
  const id = String(500_000_000_000_000_000n + BigInt(made));
  const name = `Player ${made}`;
  const identity = `minecraft:r${made}`;
  const player = await db()
    .insertInto('players')
    .values({
      identity,
      platform_id: identity,
      game: 'minecraft',
      name,
      name_key: name.toLowerCase(),
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  const { json } = await call(port(), membersHttp.ofPlayer, { ...asOwner, params: { id: player.id } });
  const memberId = String(json.id);
  await db().updateTable('members').set({ discord_id: id }).where('id', '=', memberId).execute();
  if (points > 0)
    await call(port(), membersHttp.grant, {
      ...asOwner,
      params: { id: memberId },
      body: { kind: 'grant', points },
    });
  return { id, memberId, name };
};
const saveSettings = async (values: Record<string, unknown>) => {
  const { json } = await call(port(), settingsHttp.list, asOwner);
  const section = (json.sections as { name: string; version: number }[]).find(
    ({ name }) => name === 'rewards',
  );
  const saved = await call(port(), settingsHttp.change, {
    ...asOwner,
    params: { section: 'rewards' },
    body: { version: section?.version ?? 0, values },
  });
  expect(saved.status, saved.text).toBe(200);
};

// Guarantee: rules are created, changed, listed and archived; a kind never changes; each change is audited.
test('rules', async () => {
  const terms = { kind: 'interval' as const, points: 5, minutes: 30 };
  const created = await call(port(), rewardsHttp.createRule, {
    ...asOwner,
    body: { name: 'Playing', isEnabled: true, terms },
  });
  expect(created.status, created.text).toBe(200);
  const rule = rewardsHttp.createRule.response.parse(created.json);
  expect(rule).toMatchObject({ version: 1, terms: { ...terms, mostPerDay: null, games: [], serverIds: [] } });
  const params = { id: rule.id };
  const change = { name: 'Playing more', isEnabled: false, terms: { ...terms, minutes: 20 } };
  const changed = await call(port(), rewardsHttp.changeRule, {
    ...asOwner,
    params,
    body: { ...change, version: 1 },
  });
  expect(changed.json).toMatchObject({ version: 2, name: 'Playing more', isEnabled: false });
  const other = await call(port(), rewardsHttp.changeRule, {
    ...asOwner,
    params,
    body: { ...change, terms: { kind: 'daily', points: 5 }, version: 2 },
  });
  expect(other.json.code).toBe('INVALID_REQUEST');
  const listed = await call(port(), rewardsHttp.rules, asOwner);
  expect(rewardsHttp.rules.response.parse(listed.json)).toMatchObject({ timeZone: 'UTC' });
  const archived = await call(port(), rewardsHttp.archiveRule, { ...asOwner, params, body: { version: 2 } });
  expect(archived.status, archived.text).toBe(200);
  expect((await call(port(), rewardsHttp.rules, asOwner)).json.rules).toEqual([]);
  const audited = await db()
    .selectFrom('audit_logs')
    .select('action')
    .where('target', '=', `reward-rule:${rule.id}`)
    .orderBy('id')
    .execute();
  expect(audited.map(({ action }) => action)).toEqual([
    'rewards.create-rule',
    'rewards.change-rule',
    'rewards.archive-rule',
  ]);
});

// Guarantee: codes are created and exported by those who may, shown to no one else, and redeemed by people in Discord.
test('codes', async () => {
  const created = await call(port(), rewardsHttp.createBatch, {
    ...asOwner,
    body: { name: 'Summer', points: 15, count: 3 },
  });
  expect(created.status, created.text).toBe(200);
  const { id } = rewardsHttp.createBatch.response.parse(created.json);
  const page = await call(port(), rewardsHttp.codes, { ...asOwner, params: { id } });
  const codes = rewardsHttp.codes.response.parse(page.json).rows.map(({ code }) => code ?? '');
  expect(codes).toHaveLength(3);
  const roleId = await customRole(port(), ['rewards.read']);
  const reader = await person(port(), { role: roleId });
  const seen = await call(port(), rewardsHttp.codes, { as: reader.token, params: { id } });
  expect(rewardsHttp.codes.response.parse(seen.json).rows.map(({ code }) => code)).toEqual([
    null,
    null,
    null,
  ]);
  expect((await call(port(), rewardsHttp.exportCodes, { as: reader.token, params: { id } })).status).toBe(
    403,
  );
  const csv = await ask(port(), `/api/rewards/code-batches/${id}/codes.csv`, {
    headers: { Authorization: `Bearer ${testDesktopCredential}` },
  });
  expect(csv.text).toContain(codes[0]);
  const ada = await linked();
  const redeemed = await call(port(), rewardsDiscordHttp.redeem, {
    ...asDiscord(ada),
    body: { code: codes[0] ?? '' },
  });
  expect(redeemed.json).toEqual({ points: 15, name: 'Summer', balance: 15 });
  const again = await call(port(), rewardsDiscordHttp.redeem, {
    ...asDiscord(ada),
    body: { code: codes[0] ?? '' },
  });
  expect(again.json.code).toBe('LIMIT_REACHED');
  const byStaff = await call(port(), rewardsHttp.redeem, {
    ...asOwner,
    params: { id: ada.memberId },
    body: { code: codes[1] ?? '' },
  });
  expect(byStaff.json).toMatchObject({ balance: 30 });
  const ledger = await call(port(), membersHttp.ledger, { ...asOwner, params: { id: ada.memberId } });
  expect(membersHttp.ledger.response.parse(ledger.json).rows[1]).toMatchObject({
    kind: 'reward',
    change: 15,
    actorName: ada.name,
    reward: { kind: 'code', name: 'Summer' },
  });
  const switched = await call(port(), rewardsHttp.switchBatch, {
    ...asOwner,
    params: { id },
    body: { version: 1, isEnabled: false },
  });
  expect(switched.json).toMatchObject({ isEnabled: false, uses: 2, codes: 3 });
  // Codes that are switched on again give points as new ones do.
  const on = { params: { id }, body: { version: 2, isEnabled: true } };
  const unconfirmed = await call(port(), rewardsHttp.switchBatch, { ...asOwner, ...on, confirmed: false });
  expect(unconfirmed.json.code).toBe('STEP_UP_REQUIRED');
  expect((await call(port(), rewardsHttp.switchBatch, { ...asOwner, ...on })).status).toBe(200);
  const listed = await call(port(), rewardsHttp.batches, asOwner);
  expect(rewardsHttp.batches.response.parse(listed.json).rows).toMatchObject([{ id, uses: 2 }]);
});

// Guarantee: people in Discord claim once a day and give points in two steps; without a player they are told to link first.
test('people in Discord', async () => {
  const [ada, bob] = [await linked(40), await linked()];
  const stranger = asDiscord({ id: '599999999999999999' });
  expect((await call(port(), rewardsDiscordHttp.daily, stranger)).json.code).toBe('DISCORD_NOT_LINKED');
  expect((await call(port(), rewardsDiscordHttp.daily, asDiscord(ada))).json.code).toBe('REWARD_UNAVAILABLE');
  await call(port(), rewardsHttp.createRule, {
    ...asOwner,
    body: { name: 'Daily', isEnabled: true, terms: { kind: 'daily', points: 10 } },
  });
  const claim = await call(port(), rewardsDiscordHttp.daily, asDiscord(ada));
  expect(rewardsDiscordHttp.daily.response.parse(claim.json)).toMatchObject({ isNew: true, balance: 50 });
  const offer = (receiverId: string, points: number) =>
    call(port(), rewardsDiscordHttp.offerGift, { ...asDiscord(ada), body: { receiverId, points } });
  expect((await offer(bob.id, 10)).json.code).toBe('REWARD_UNAVAILABLE');
  await saveSettings({ giftsEnabled: true, giftMin: 5, giftMostPerDay: 20 });
  expect((await offer('599999999999999998', 10)).json.code).toBe('RECEIVER_NOT_LINKED');
  expect((await offer(ada.id, 10)).json.code).toBe('INVALID_REQUEST');
  expect((await offer(bob.id, 21)).json.code).toBe('LIMIT_REACHED');
  const offered = rewardsDiscordHttp.offerGift.response.parse((await offer(bob.id, 15)).json);
  expect(offered).toMatchObject({ receiverName: bob.name, points: 15, balance: 50, leftToday: 5 });
  const confirm = (who: { id: string }) =>
    call(port(), rewardsDiscordHttp.confirmGift, { ...asDiscord(who), params: { id: offered.id } });
  expect((await confirm(bob)).json.code).toBe('NOT_FOUND');
  for (let turn = 0; turn < 2; turn += 1)
    expect((await confirm(ada)).json).toEqual({ points: 15, receiverName: bob.name, balance: 35 });
});

// Guarantee: invalid terms and codes are refused.
test('requests', async () => {
  const rule = (terms: unknown) =>
    call(port(), rewardsHttp.createRule, {
      ...asOwner,
      body: { name: 'Rule', isEnabled: false, terms } as never,
    });
  for (const terms of [
    { kind: 'interval', points: 0, minutes: 30 },
    { kind: 'interval', points: 5, minutes: 4 },
    { kind: 'interval', points: 5, minutes: 30, mostPerDay: 0 },
    { kind: 'daily', points: 5, streakDays: -1 },
    { kind: 'hourly', points: 5 },
    { kind: 'first-visit', points: 1.5 },
  ])
    expect((await rule(terms)).json.code).toBe('INVALID_REQUEST');
  const codes = (body: object) =>
    call(port(), rewardsHttp.createBatch, { ...asOwner, body: { name: 'Codes', points: 5, ...body } });
  for (const body of [
    { count: 1001 },
    { count: 0 },
    { mostUses: 0 },
    { code: 'abc' },
    { code: '----' },
    { code: 'a-b-c--' },
    { code: 'ünï-code' },
  ])
    expect((await codes(body)).json.code).toBe('INVALID_REQUEST');
});
