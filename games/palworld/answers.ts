import { reasons } from '#contracts/kernel/reasons.ts';
import type { Verdict } from '../game.ts';

/** The first line of a reply; see `replyOf` in `rest/rest-console.ts`. */
const statusOf = (reply: string): number | null => {
  const [, status] = /^HTTP (\d{3})(?:\n|$)/.exec(reply) ?? [];
  return status === undefined ? null : Number(status);
};

/**
 * 200 with `OK` or nothing as its body says that the game carried it out; 400 and 401 are documented, too. Another body may be
 * another program's. https://docs.palworldgame.com/api/rest-api/kick
 */
export const readAnswer = (reply: string, done: string): Verdict => {
  const status = statusOf(reply);
  if (reply === 'HTTP 200') return { verdict: 'done', reason: done };
  if (status === 400)
    return { verdict: 'failed', reason: 'The game refused the request; it may not know this ID.' };
  if (status === 404) return { verdict: 'failed', reason: reasons['command-unknown'] };
  return { verdict: 'unproven', reason: reasons['answer-unknown'] };
};

/** Whether the reply says that the game did not carry it out, whatever it was. */
export const isRefusal = (reply: string): boolean => [400, 404].includes(statusOf(reply) ?? 0);

export const isErrorReply = (reply: string): boolean => (statusOf(reply) ?? 0) >= 400;
