import { type Language, plural } from '#contracts/kernel/language.ts';
import type { MemberDetails } from '#contracts/people/members.ts';
import type { DailyClaim } from '#contracts/store/rewards.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { countOpenDeliveries } from '../../store/read-deliveries.ts';
import { readChatRules } from '../parse-command.ts';
import { type ChatContext, isArk } from './chat-context.ts';
import { actingPlayer, type ChatLine } from './chat-line.ts';
import type { ChatWords } from './chat-words.ts';
import { longestAnswer, shownName } from './typed-text.ts';

const texts = {
  en: {
    claimed: (points: number, balance: number) =>
      `You got ${plural.en(points, 'point', 'points')} for today and have ${balance.toLocaleString('en')}.`,
    streak: (days: number) => ` ${days} days in a row.`,
    already: 'You have claimed today’s points. Come back tomorrow.',
  },
  'pt-BR': {
    claimed: (points: number, balance: number) =>
      `Você ganhou ${plural.pt(points, 'ponto', 'pontos')} de hoje e tem ${balance.toLocaleString('pt-BR')} agora.`,
    streak: (days: number) => ` ${days} dias seguidos.`,
    already: 'Você já resgatou os pontos de hoje. Volte amanhã.',
  },
} as const satisfies Record<Language, unknown>;

/** What a player is told in the game's chat, in one line. */
const claimedText = ({ isNew, points, balance, streak }: DailyClaim, language: Language): string => {
  const words = texts[language];
  if (!isNew) return words.already;
  return `${words.claimed(points, balance)}${streak > 1 ? words.streak(streak) : ''}`;
};

/** `!points` */
export const tellPoints = async ({ answers, members }: ChatContext, line: ChatLine): Promise<void> => {
  const member = await members.ofPlayer(line.playerId);
  if (!isRefusal(member)) await answers.tell(line, (await answers.words()).points(member.balance));
};

/** Points of the day. @returns a line for the player; null: there are none */
const claimPoints = async (
  { store, settings }: ChatContext,
  { id }: MemberDetails,
  line: ChatLine,
): Promise<string | null> => {
  const claim = await store.rewards.claimDaily(id, actingPlayer(line));
  return isRefusal(claim) ? null : claimedText(claim, (await settings.values('general')).language);
};

/** `!claim` gives the points of the day, and looks for deliveries that wait. */
export const claim = async (chat: ChatContext, line: ChatLine): Promise<void> => {
  const { answers, store } = chat;
  const words = await answers.words();
  const member = await chat.members.ofPlayer(line.playerId);
  if (isRefusal(member)) return;
  const extra = await claimPoints(chat, member, line);
  const { all, withoutNumber } = await countOpenDeliveries(chat.db, member.id);
  if (all > 0) store.deliveries.wake([member.id]);
  // The number can be given only on servers of ARK.
  const lacking = isArk(chat, line.serverId) ? withoutNumber : 0;
  const waiting = all > lacking ? words.waiting(all - lacking) : null;
  const needing =
    lacking > 0
      ? words.waitingForNumber(lacking, (await readChatRules(chat.settings)).typed('survivor'))
      : null;
  const told = [extra, waiting, needing].filter((text) => text !== null).join(' ');
  const text = told === '' ? words.nothingWaits : told;
  if (extra === null) await answers.tell(line, text);
  else await answers.report(line, text);
};

/** `!help` */
export const tellHelp = async (chat: ChatContext, line: ChatLine): Promise<void> => {
  const { answers } = chat;
  const words = await answers.words();
  const { typed } = await readChatRules(chat.settings);
  const names = ['shop', 'buy', 'points', 'claim', 'redeem', 'link'] as const;
  const lines = isArk(chat, line.serverId) ? [...names, 'survivor' as const] : names;
  const explained = words.help(lines.map((name) => words.helpOf[name](typed(name))).join(', '));
  const bare = words.help(lines.map(typed).join(', '));
  await answers.tell(line, explained.length <= longestAnswer ? explained : bare);
};

/**
 * `!redeem CODE` redeems immediately, also by a line with only a name: everyone has read the code, and the first to use
 * it gets it. A line redeems at most once.
 */
export const redeem = async (chat: ChatContext, line: ChatLine, argument: string): Promise<void> => {
  const { answers } = chat;
  const words = await answers.words();
  if (argument === '') {
    const { typed } = await readChatRules(chat.settings);
    return void (await answers.tell(line, words.howToRedeem(typed('redeem'))));
  }
  const member = await chat.members.ofPlayer(line.playerId);
  if (isRefusal(member)) return;
  const redeemed = await chat.store.rewards.redeem(member.id, argument, actingPlayer(line), {
    key: `chat:${line.key}`,
    isProven: line.isProven,
  });
  if (isRefusal(redeemed)) return void (await answers.tell(line, refusalText(redeemed, words)));
  const { points, name, balance } = redeemed;
  await answers.report(line, words.redeemed(points, shownName(name), balance));
};

const refusalText = ({ refused }: Refusal, words: ChatWords): string => {
  if (refused === 'REWARD_CODE_INVALID') return words.codeWrong;
  if (refused === 'LIMIT_REACHED') return words.codeUsed;
  return refused === 'RATE_LIMITED' ? words.tooManyCodes : words.notRedeemed;
};
