import * as z from 'zod';
import type { MemberDetails } from '#contracts/people/members.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { isNumber, readChatRules } from '../parse-command.ts';
import type { ChatContext } from './chat-context.ts';
import { actingPlayer, type ChatLine } from './chat-line.ts';
import { closeQuestion } from './confirmations.ts';

type Outcome = MemberDetails | Refusal;

/** A code was typed: the player who reads whose it is still has to confirm it. */
const askedLink = z.object({
  /** The member whose code it was. */
  keptId: z.string(),
  /** Their Discord account when the player was told of it. */
  discordId: z.string(),
});

const lifetimeMs = 600_000;

/** In both languages: someone who comes from Discord may not know the community's language. */
const texts = {
  linked: 'Linked. / Vinculado.',
  alreadyLinked: 'Already linked to Discord. / Já vinculado ao Discord.',
  codeInvalid: 'This code is wrong or too old. / Este código está errado ou expirou. (Discord: /link)',
  refused: 'This cannot be linked; ask an admin. / Não é possível vincular; fale com um administrador.',
  notInDiscord: (link: string) =>
    `Type ${link}, and that code in Discord. / Use ${link} e digite aquele código no Discord.`,
  tooManyNumbers: 'Too many wrong numbers; try later. / Muitos números errados; tente mais tarde.',
  discordCode: (code: string) =>
    `In Discord: /link ${code} / No Discord: /vincular ${code} (10 min). Tell no one. / Não conte a ninguém.`,
  number: (username: string, typed: string) =>
    `Discord ${username}: your player and points go there / seu jogador e pontos vão para lá. Only if that is you / Só se for você: ${typed}`,
};

const outcomeText = (outcome: Outcome, link: string): string | null => {
  if (!isRefusal(outcome)) return texts.linked;
  // An answer to each of many guesses would only cost the game commands.
  if (outcome.refused === 'RATE_LIMITED') return null;
  if (outcome.refused === 'DISCORD_NOT_LINKED') return texts.notInDiscord(link);
  return outcome.refused === 'LINK_CODE_INVALID' ? texts.codeInvalid : texts.refused;
};

const answer = async (chat: ChatContext, line: ChatLine, argument: string): Promise<void> => {
  const { members, answers, asking } = chat;
  const member = await members.ofPlayer(line.playerId);
  if (isRefusal(member)) return;
  const by = actingPlayer(line);
  const link = (await readChatRules(chat.settings)).typed('link');
  const tell = async (text: string | null) => {
    if (text !== null) await answers.tell(line, text);
  };
  if (argument === '') {
    if (member.discordId !== null) return tell(texts.alreadyLinked);
    const issued = await members.linkCode(member.id, by);
    if (isRefusal(issued)) return tell(outcomeText(issued, link));
    return void (await answers.tell(line, texts.discordCode(issued.code), issued.code));
  }
  if (isNumber(argument)) {
    const question = await asking.answered(line, 'link', argument);
    if (!question || !(await closeQuestion(chat, question.id))) return;
    const { keptId, discordId } = askedLink.parse(question.asked);
    return tell(outcomeText(await members.merge(keptId, member.id, by, discordId), link));
  }
  if (asking.isBlocked(line)) return tell(texts.tooManyNumbers);
  const taken = await members.takeCode(member.id, argument, by);
  if (isRefusal(taken)) return tell(outcomeText(taken, link));
  const { keptId, discordId, username } = taken;
  await asking.ask(line, { command: 'link', asked: { keptId, discordId }, lifetimeMs }, (number) =>
    texts.number(username, `${link} ${number}`),
  );
};

/** Uses up a code that others have read in the chat, also when its line gets no answer. */
export const spendTypedCode = async (
  { members }: Pick<ChatContext, 'members'>,
  argument: string,
): Promise<void> => {
  if (argument !== '' && !isNumber(argument)) await members.spendCode(argument);
};

/**
 * `!link` whispers a code for Discord's `/link`. `!link CODE` accepts one that `/link` gave: whose code it is, and a
 * number, are whispered to the player, and `!link NUMBER` completes the link. So neither an imitated name nor a code
 * that someone was talked into typing gives a wallet away.
 */
export const link = async (chat: ChatContext, line: ChatLine, argument: string): Promise<void> => {
  try {
    await answer(chat, line, argument);
  } finally {
    await spendTypedCode(chat, argument);
  }
};
