import { createId } from '@paralleldrive/cuid2';
import type { GivenTestPost, TestPost, TestPostOutcome } from '#contracts/discord/discord-events.ts';

/** Test messages, on their way to the bot, and the results on their way back. */
export interface TestPosts {
  post(asked: TestPost): Promise<TestPostOutcome>;
  /** Each is handed out once. */
  take(): GivenTestPost[];
  settle(id: string, outcome: TestPostOutcome): void;
}

const answerMs = 20_000;

export const createTestPosts = (timeoutMs = answerMs): TestPosts => {
  const waiting: GivenTestPost[] = [];
  const answers = new Map<string, (outcome: TestPostOutcome) => void>();
  return {
    post(asked) {
      const id = createId();
      const { promise, resolve } = Promise.withResolvers<TestPostOutcome>();
      const given = { id, ...asked };
      const settle = (outcome: TestPostOutcome) => {
        clearTimeout(deadline);
        answers.delete(id);
        const index = waiting.indexOf(given);
        if (index !== -1) waiting.splice(index, 1);
        resolve(outcome);
      };
      const deadline = setTimeout(() => settle('bot-away'), timeoutMs);
      answers.set(id, settle);
      waiting.push(given);
      return promise;
    },
    take: () => waiting.splice(0),
    settle(id, outcome) {
      answers.get(id)?.(outcome);
    },
  };
};
