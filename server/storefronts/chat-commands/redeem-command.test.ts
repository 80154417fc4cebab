import { beforeAll, expect, test } from 'vitest';
import { newCodeBatch, rewardsHttp } from '#contracts/store/rewards.ts';
import { eventually } from '#harness/eventually.ts';
import { call } from '../../kernel/testing/call.ts';
import { balanceOf } from '../../kernel/testing/store-rows.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { chatForThisFile } from './testing/chat-of-a-test.ts';

const { running, db, pool, game, setShop, join, say, whispers, whisper, startNext } = chatForThisFile();
const owner = { as: testDesktopCredential };
beforeAll(() => setShop({ isOpen: true }));

const newCode = async (code: string, more: Record<string, unknown> = {}) => {
  const limits = { mostUses: null, mostPerMember: 1, validFrom: null, validUntil: null };
  const body = newCodeBatch.parse({
    name: 'Summer',
    points: 25,
    ...limits,
    games: [],
    serverIds: [],
    code,
    ...more,
  });
  const made = await call(running().port, rewardsHttp.createBatch, { ...owner, body });
  if (made.status !== 200) throw new Error(made.text);
};

const balance = (memberId: string) => balanceOf(pool(), memberId);

// Guarantee: a code is redeemed immediately, by a line with an id or a name, in either word, once for each line; the
// answer says what it gave.
test('a code', async () => {
  await newCode('SUMMER-26', { mostPerMember: 3 });
  const memberId = await join('Ann');
  await say('Ann', '!redeem');
  expect(await whisper('Ann', 1)).toBe('Type !redeem CODE');
  await say('Ann', '！REDEEM  summer26 ', { key: 'twice' });
  expect(await whisper('Ann', 2)).toBe('You got 25 points (Summer) and have 25.');
  await say('Ann', '！REDEEM  summer26 ', { key: 'twice' });
  await say('Ann', '!código §aSUMMER-26', { isNamed: true });
  expect(await whisper('Ann', 3)).toBe('You got 25 points (Summer) and have 50.');
  await say('Ann', '!codigo SUMMER-26', { isNamed: true });
  await whisper('Ann', 4);
  await say('Ann', '!codigo SUMMER-26', { isNamed: true });
  expect(await whisper('Ann', 5)).toBe('This code is used up, or it is not for you.');
  expect(await balance(memberId)).toBe(75);
  const audit = await db()
    .selectFrom('audit_logs')
    .select(['actor', 'target'])
    .where('action', '=', 'rewards.redeem')
    .execute();
  expect(audit).toHaveLength(3);
  expect(audit[0]).toEqual({
    actor: expect.stringMatching(/^player:\d+$/),
    target: `member:${memberId}`,
  });
});

// Guarantee: guesses by someone who only has the same name as a player end after a few, find nothing, flood no one, and
// leave the player's own tries alone; the player's own guesses end in the same way.
test('guesses', async () => {
  await newCode('WINTER-26');
  const memberId = await join('Bea');
  for (let guess = 0; guess < 300; guess += 1) await say('Bea', `!redeem GUESS-${guess}`, { isNamed: true });
  // Later than those guesses: everything that would be redeemed or whispered has been.
  await eventually(() => expect(whispers('Bea').length).toBeGreaterThan(3));
  expect(await balance(memberId)).toBe(0);
  await say('Bea', '!redeem WINTER-26');
  await eventually(() => expect(whispers('Bea')).toContain('You got 25 points (Summer) and have 25.'));
  // The longer it takes, the more guesses are answered.
  expect(whispers('Bea').length).toBeLessThan(30);

  await join('Cal');
  for (let guess = 1; guess <= 5; guess += 1) {
    await say('Cal', `!redeem GUESS-${guess}`);
    expect(await whisper('Cal', guess)).toContain('not valid');
  }
  const [row] = await db()
    .selectFrom('reward_code_uses')
    .select((select) => select.fn.countAll<string>().as('uses'))
    .execute();
  expect(row?.uses).toBe('4');
});

// Guarantee: after too many wrong codes by lines with a name even the right one is refused to lines with a name, and to no line with an id.
test('too many wrong codes', async () => {
  await newCode('AUTUMN-26');
  const memberId = await join('Dan');
  await say('Dan', '!redeem WRONG-CODE', { isNamed: true });
  expect(await whisper('Dan', 1)).toContain('not valid');
  // Like four more guesses; the flood limit of lines is reached before that.
  await pool().query('update reward_guesses set tokens = 0');
  await say('Dan', '!redeem AUTUMN-26', { isNamed: true });
  expect(await whisper('Dan', 2)).toBe('Too many wrong codes. Try again later.');
  expect(await balance(memberId)).toBe(0);
  await say('Dan', '!redeem AUTUMN-26');
  expect(await whisper('Dan', 3)).toBe('You got 25 points (Summer) and have 25.');
});

// Guarantee: a line that comes late, under a name that is not there, or without a license redeems nothing.
test('lines that count for no one', async () => {
  await newCode('SPRING-26');
  const memberId = await join('Leo');
  await say('Leo', '!redeem SPRING-26', { at: new Date(Date.now() - 600_000) });
  await say('Nobody', '!redeem SPRING-26', { isNamed: true });
  const { license } = running().api;
  license.set('rejected');
  await say('Leo', '!redeem SPRING-26');
  await eventually(() => expect(game().sessions).toBe(0));
  license.set('valid');
  await eventually(() => expect(game().sessions).toBe(1));
  await say('Leo', '!points');
  expect(await whisper('Leo', 1)).toBe('You have 0 points.');
  expect(await balance(memberId)).toBe(0);
});

// Guarantee: a line that is reported again to an API that has restarted in between redeems once, and gets the same answer.
test('an API that ends in between', async () => {
  await newCode('AGAIN-26', { mostPerMember: 5 });
  const memberId = await join('Sue');
  const key = 'told to two processes';
  await say('Sue', '!redeem AGAIN-26', { isNamed: true, key });
  expect(await whisper('Sue', 1)).toBe('You got 25 points (Summer) and have 25.');
  await using next = await startNext('Sue');
  await say('Sue', '!redeem AGAIN-26', { isNamed: true, key, api: next });
  expect(await whisper('Sue', 2)).toBe('You got 25 points (Summer) and have 25.');
  expect(await balance(memberId)).toBe(25);
});

// Guarantee: if no private message arrives, the code still counts, and public chat is never told that nothing was done.
test('no private way', async () => {
  await newCode('SILENT-26');
  const memberId = await join('Pam');
  game().quirks.plugins = 'reached';
  game().quirks.deafPlayers.add('Pam');
  await setShop({ broadcastsWithoutPrivate: true });
  await say('Pam', '!redeem SILENT-26', { isNamed: true });
  await eventually(async () => expect(await balance(memberId)).toBe(25));
  await say('Pam', '!points');
  const { received, messages } = game().world;
  await eventually(() => expect(received.join('\n')).toContain('You have 25 points.'));
  const open = () => messages.filter(({ to }) => to === null).map(({ text }) => text);
  await eventually(() => expect(open().length).toBeGreaterThan(0));
  await join('Quin');
  await say('Quin', '!points');
  await whisper('Quin', 1);
  // Only that of `!points`.
  expect(open()).toEqual(['Pam: private messages do not work on this server, so nothing was done.']);
});
