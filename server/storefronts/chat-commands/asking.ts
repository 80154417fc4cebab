import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import type { ChatLine } from './chat-line.ts';
import {
  type AskingCommand,
  answerQuestion,
  closeQuestion,
  type OpenQuestion,
  openQuestion,
  type Question,
} from './confirmations.ts';
import type { PrivateAnswers, Reach } from './private-answers.ts';

const wrongNumbers = { capacity: 3, refillMs: 600_000 };

/** Questions to the very account: something is given away only after the number came back. */
export type Asking = ReturnType<typeof createAsking>;

export const createAsking = (context: Pick<StorefrontContext, 'db' | 'now'>, answers: PrivateAnswers) => {
  const wrongOf = createTokenBuckets(wrongNumbers, context.now);
  // Someone who only has the same name as a player uses up none of the player's tries.
  const keyOf = ({ playerId, isProven }: ChatLine) => `${playerId} ${isProven}`;
  /** Whether the player recently typed too many wrong numbers, for any questions. */
  const isBlocked = (line: ChatLine): boolean => wrongOf.waitMs(keyOf(line)) > 0;

  return {
    isBlocked,
    /**
     * Whispers a question with its number, or why there is none. @param text with the number at its end
     * @returns whether the question has reached the player
     */
    async ask(line: ChatLine, question: Question, text: (number: string) => string): Promise<Reach> {
      const words = await answers.words();
      const refuse = async (why: string) => {
        await answers.tell(line, why);
        return 'not' as const;
      };
      if (isBlocked(line)) return refuse(words.tooManyNumbers);
      const asking = await openQuestion(context, line, question);
      if (!asking) return refuse(words.pending);
      const reach = await answers.tell(line, text(asking.number), asking.number);
      if (reach === 'not') await closeQuestion(context, asking.id);
      return reach;
    },
    /**
     * @param doneText what to say when nothing is asked any more; null: that the number is wrong
     * @returns the question that the number answers, still open; null: the player was told, or is told nothing
     */
    async answered(
      line: ChatLine,
      command: AskingCommand,
      number: string,
      doneText: () => Promise<string | null> = async () => null,
    ): Promise<OpenQuestion | null> {
      const answer = await answerQuestion(context, line, command, number);
      if (answer.kind === 'right') return answer.question;
      if (answer.kind === 'ignored') return null;
      // Otherwise anyone could block a player by typing lines under their name.
      if (answer.kind === 'wrong') wrongOf.tryTake(keyOf(line));
      const done = answer.kind === 'unasked' ? await doneText() : null;
      await answers.tell(line, done ?? (await answers.words()).wrongNumber);
      return null;
    },
  };
};
