import { expect, test } from 'vitest';
import { settingsHttp } from '#contracts/operations/settings.ts';
import { rewardsDiscordHttp, rewardsHttp } from '#contracts/store/rewards.ts';
import type { Member } from '#simulators/discord/state.ts';
import { call } from '../../server/kernel/testing/call.ts';
import { testDesktopCredential } from '../../server/kernel/testing/test-api.ts';
import { ApiFault } from '../api-client.ts';
import { answerTo, botForThisFile, buttonId, buttonsOf, textOf } from './testing/bot-of-a-test.ts';

const bot = botForThisFile();
const as = testDesktopCredential;

type Options = Parameters<ReturnType<typeof bot>['people']['runCommand']>[3];
const answer = (who: Member, name: string, options: Options = {}, locale = 'en-US') =>
  answerTo(bot().people.runCommand(who, bot().channel, name, options, { locale }));
/** Without the marks that keep a name from changing the text direction. */
const bare = (text: string) => text.replace(/[\u2066-\u2069]/g, '');
const said = async (...asked: Parameters<typeof answer>) => bare(textOf(await answer(...asked)));
const press = async (who: Member, stored: Awaited<ReturnType<typeof answer>>, id: string) =>
  bare(textOf(await answerTo(bot().people.pressButton(who, stored, id, { locale: 'en-US' }))));
const give = (to: Member, points: number) => ({ person: to.user.id, points });

// Guarantee: today's points are given once, and a member who asks again is told when to come back, in their language.
test('daily', async () => {
  const ann = await bot().linked('Ann', 0);
  expect(await said(ann, 'daily')).toContain('no daily points');
  await call(bot().port, rewardsHttp.createRule, {
    as,
    body: { name: 'Daily', isEnabled: true, terms: { kind: 'daily', points: 10 } },
  });
  expect(await said(ann, 'daily')).toContain('You got **10 points** and now have 10.');
  expect(await said(ann, 'daily', {}, 'pt-BR')).toContain('Você já resgatou os pontos de hoje.');
  expect(await bot().balance(ann.memberId)).toBe(10);
  expect(await said(ann, 'points')).toContain('Reward: Daily');
});

// Guarantee: a code gives its points once.
test('redeem', async () => {
  const bea = await bot().linked('Bea', 0);
  await call(bot().port, rewardsHttp.createBatch, {
    as,
    body: { name: 'Summer', points: 25, code: 'SUMMER-26', mostUses: null },
  });
  expect(await said(bea, 'redeem', { code: 'wrong' })).toContain('not valid');
  expect(await said(bea, 'redeem', { code: 'summer 26' })).toContain('You got **25 points** (Summer)');
  expect(await said(bea, 'redeem', { code: 'SUMMER-26' })).toContain('used up');
  expect(await bot().balance(bea.memberId)).toBe(25);
});

// Guarantee: a code whose answer was lost is redeemed once, and the person is told what it gave.
test('redeem, with a lost answer', async () => {
  const eve = await bot().linked('Eve', 0);
  await call(bot().port, rewardsHttp.createBatch, {
    as,
    body: { name: 'Autumn', points: 25, code: 'AUTUMN-26', mostUses: null, mostPerMember: 3 },
  });
  const { apiClient, reachApiBy } = bot();
  let isLost = true;
  reachApiBy({
    async call(endpoint, ...given) {
      const answered = await apiClient.call(endpoint, ...given);
      if (isLost && (endpoint as { path: string }).path === rewardsDiscordHttp.redeem.path) {
        isLost = false;
        throw new ApiFault('lost');
      }
      return answered;
    },
  });
  expect(await said(eve, 'redeem', { code: 'autumn 26' })).toContain(
    '**25 points** (Autumn) and now have 25',
  );
  expect(isLost).toBe(false);
  reachApiBy(null);
  expect(await bot().balance(eve.memberId)).toBe(25);
  expect(await said(eve, 'redeem', { code: 'autumn 26' })).toContain('now have 50');
});

// Guarantee: points are given only after a button was pressed, and only where giving is switched on.
test('give points', async () => {
  const [cat, dan] = [await bot().linked('Cat', 50), await bot().linked('Dan', 0)];
  expect(await said(cat, 'give-points', give(dan, 20))).toContain('cannot be given now');
  await call(bot().port, settingsHttp.change, {
    as,
    params: { section: 'rewards' },
    body: { version: 0, values: { giftsEnabled: true, giftMin: 5, giftMostPerDay: 30 } },
  });
  expect(await said(cat, 'give-points', give(cat, 20))).toContain('cannot give points to yourself');
  expect(await said(cat, 'give-points', give(dan, 2))).toContain('Nothing was given');
  const offer = await answer(cat, 'give-points', give(dan, 20));
  expect(textOf(offer)).toContain('You will have 30 points left');
  expect(buttonsOf(offer)).toHaveLength(2);
  expect(await bot().balance(dan.memberId)).toBe(0);
  expect(await press(cat, offer, buttonId(offer, 'Give'))).toContain('You gave **20 points** to Dan');
  expect([await bot().balance(cat.memberId), await bot().balance(dan.memberId)]).toEqual([30, 20]);
  expect(await said(cat, 'give-points', give(dan, 11))).toContain('Nothing was given');
});
