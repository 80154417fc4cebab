import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { ChatLine } from './chat-commands.ts';
import type { AskingCommand, Confirmations, OpenQuestion, Question } from './confirmations.ts';
import type { PrivateAnswers, Reach } from './private-answers.ts';

export interface Asking {
  /** Whether the player recently typed too many wrong numbers, for any questions. */
  isBlocked(line: ChatLine): boolean;
  /**
   * Whispers a question with its number, or why there is none. @param text with the number at its end
   * @returns whether the question has reached the player
   */
  ask(line: ChatLine, question: Question, text: (number: string) => string): Promise<Reach>;
  /**
   * @param doneText what to say when nothing is asked any more; null: that the number is wrong
   * @returns the question that the number answers, still open; null: the player was told, or is told nothing
   */
  answered(
    line: ChatLine,
    command: AskingCommand,
    number: string,
    doneText?: () => Promise<string | null>,
  ): Promise<OpenQuestion | null>;
  isAsked: Confirmations['isAsked'];
  readonly spend: Confirmations['spend'];
  readonly close: Confirmations['close'];
}

const wrongNumbers = { capacity: 3, refillMs: 600_000 };

/** Questions to the very account: something is given away only after the number came back. */
export const createAsking = ({
  confirmations,
  answers,
  now,
}: {
  readonly confirmations: Confirmations;
  readonly answers: PrivateAnswers;
  readonly now: () => number;
}): Asking => {
  const wrongOf = createTokenBuckets(wrongNumbers, now);
  // Someone who only has the same name as a player uses up none of the player's tries.
  const keyOf = ({ playerId, isProven }: ChatLine) => `${playerId} ${isProven}`;
  const isBlocked = (line: ChatLine) => wrongOf.waitMs(keyOf(line)) > 0;

  return {
    isBlocked,
    async ask(line, question, text) {
      const words = await answers.words();
      const refuse = async (why: string) => {
        await answers.tell(line, why);
        return 'not' as const;
      };
      if (isBlocked(line)) return refuse(words.tooManyNumbers);
      const asking = await confirmations.ask(line, question);
      if (!asking) return refuse(words.pending);
      const reach = await answers.tell(line, text(asking.number), asking.number);
      if (reach === 'not') await confirmations.close(asking.id);
      return reach;
    },
    async answered(line, command, number, doneText = async () => null) {
      const answer = await confirmations.answer(line, command, number);
      if (answer.kind === 'right') return answer.question;
      if (answer.kind === 'ignored') return null;
      // Otherwise anyone could block a player by typing lines under their name.
      if (answer.kind === 'wrong') wrongOf.tryTake(keyOf(line));
      const done = answer.kind === 'unasked' ? await doneText() : null;
      await answers.tell(line, done ?? (await answers.words()).wrongNumber);
      return null;
    },
    isAsked: confirmations.isAsked,
    spend: confirmations.spend,
    close: confirmations.close,
  };
};
