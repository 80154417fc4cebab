import * as z from 'zod';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { isSurvivorKnown, setSurvivorNumber } from '../../store/survivor-numbers.ts';
import { isNumber, readChatRules } from '../parse-command.ts';
import { type ChatContext, isArk } from './chat-context.ts';
import { actingPlayer, type ChatLine } from './chat-line.ts';
import { closeQuestion, isAsked, spendQuestion } from './confirmations.ts';

const askedNumber = z.object({ number: z.string() });
const survivorNumber = /^[1-9]\d{0,9}$/;
const questionMs = 300_000;

const confirm = async (chat: ChatContext, line: ChatLine, typed: string): Promise<void> => {
  const { answers, store } = chat;
  const words = await answers.words();
  const question = await chat.asking.answered(line, 'survivor', typed);
  if (!question) return;
  const { number } = askedNumber.parse(question.asked);
  const { playerId, serverId } = line;
  const stored = await setSurvivorNumber(chat.db, playerId, { serverId, number }, actingPlayer(line), {
    source: 'player',
    alongside: (trx) => spendQuestion(chat, trx, question.id),
  });
  if (!isRefusal(stored)) {
    store.deliveries.wake([stored]);
    await answers.tell(line, words.survivorStored);
  } else if (stored.refused === 'CONFLICT') await answers.tell(line, words.wrongNumber);
  else {
    await closeQuestion(chat, question.id);
    await answers.tell(line, words.survivorRefused);
  }
};

/**
 * `!survivor` tells a player of ARK where to find the number of their survivor, `!survivor NUMBER` takes it, and stores
 * it after the number that was whispered came back: gifts of the account go to that survivor.
 */
export const takeSurvivor = async (chat: ChatContext, line: ChatLine, argument: string): Promise<void> => {
  const { answers } = chat;
  const words = await answers.words();
  const command = (await readChatRules(chat.settings)).typed('survivor');
  if (!isArk(chat, line.serverId)) return void (await answers.tell(line, words.survivorElsewhere));
  // A survivor's number may have six digits, too: while a question is open, six digits answer it.
  if (isNumber(argument) && (await isAsked(chat, line, 'survivor'))) return confirm(chat, line, argument);
  if (survivorNumber.test(argument)) {
    const question = { command: 'survivor', asked: { number: argument }, lifetimeMs: questionMs } as const;
    return void (await chat.asking.ask(line, question, (number) =>
      words.survivorQuestion(argument, `${command} ${number}`),
    ));
  }
  const how = words.survivorHow(command);
  await answers.tell(line, (await isSurvivorKnown(chat.store, line)) ? words.survivorKnown(how) : how);
};
