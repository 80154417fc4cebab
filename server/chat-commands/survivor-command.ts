import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { AuditContext } from '../access/audit-context.ts';
import type { Tables } from '../database/tables.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import type { Asking } from './asking.ts';
import { actingPlayer } from './chat-actor.ts';
import type { ChatCommand, ChatLine } from './chat-commands.ts';
import type { ChatRules } from './chat-rules.ts';
import { isNumber } from './parse-command.ts';
import type { PrivateAnswers } from './private-answers.ts';

export interface SurvivorCommandOptions {
  readonly isArk: (serverId: string) => boolean;
  /** Whether the number is known, or the server's agent can read it. */
  readonly isKnown: (player: Pick<ChatLine, 'playerId' | 'serverId'>) => Promise<boolean>;
  /** Stores the number, together with the work in the same transaction. @returns the member whose deliveries may continue */
  readonly store: (
    playerId: string,
    survivor: { readonly serverId: string; readonly number: string },
    by: AuditContext,
    alongside: (trx: Kysely<Tables>) => Promise<Refusal | null>,
  ) => Promise<string | Refusal>;
  readonly wake: (memberIds: readonly string[]) => void;
  readonly asking: Asking;
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
}

const askedNumber = z.object({ number: z.string() });
const shape = /^[1-9]\d{0,9}$/;
const lifetimeMs = 300_000;

/**
 * `!survivor` tells a player of ARK where to find the number of their survivor, `!survivor NUMBER` takes it, and stores
 * it after the number that was whispered came back: gifts of the account go to that survivor.
 */
export const createSurvivorCommand = (options: SurvivorCommandOptions): ChatCommand => {
  const { isArk, isKnown, store, wake, asking, answers, rules } = options;

  const confirm = async (line: ChatLine, typed: string): Promise<void> => {
    const words = await answers.words();
    const question = await asking.answered(line, 'survivor', typed);
    if (!question) return;
    const { number } = askedNumber.parse(question.asked);
    const { playerId, serverId } = line;
    const stored = await store(playerId, { serverId, number }, actingPlayer(line), (trx) =>
      asking.spend(trx, question.id),
    );
    if (!isRefusal(stored)) {
      wake([stored]);
      await answers.tell(line, words.survivorStored);
    } else if (stored.refused === 'CONFLICT') await answers.tell(line, words.wrongNumber);
    else {
      await asking.close(question.id);
      await answers.tell(line, words.survivorRefused);
    }
  };

  return {
    name: 'survivor',
    async run(line, argument) {
      const words = await answers.words();
      const { typed } = await rules();
      const command = typed('survivor');
      if (!isArk(line.serverId)) return void (await answers.tell(line, words.survivorElsewhere));
      // A survivor's number may have six digits, too: while a question is open, six digits answer it.
      if (isNumber(argument) && (await asking.isAsked(line, 'survivor'))) return confirm(line, argument);
      if (shape.test(argument)) {
        const question = { command: 'survivor', asked: { number: argument }, lifetimeMs } as const;
        return void (await asking.ask(line, question, (number) =>
          words.survivorQuestion(argument, `${command} ${number}`),
        ));
      }
      const how = words.survivorHow(command);
      await answers.tell(line, (await isKnown(line)) ? words.survivorKnown(how) : how);
    },
  };
};
