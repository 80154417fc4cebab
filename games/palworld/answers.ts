import { reasons } from '#contracts/reasons.ts';
import type { Verdict } from '../game.ts';

/** The first line of a reply; see `replyOf` in `rest/rest-console.ts`. */
const statusOf = (reply: string): number | null => {
  const [, status] = /^HTTP (\d{3})(?:\n|$)/.exec(reply) ?? [];
  return status === undefined ? null : Number(status);
};

/**
 * 200 with `OK` or nothing as its body, 400 and 401 are documented. The game may refuse more than it tells: 200 means that it
 * accepted the request. https://docs.palworldgame.com/api/rest-api/kick
 */
export const readAnswer = (reply: string, done: string): Verdict => {
  const status = statusOf(reply);
  if (status === 200) return { verdict: 'done', reason: done };
  if (status === 400)
    return { verdict: 'failed', reason: 'The game refused the request; it may not know this ID.' };
  if (status === 401 || status === 403) return { verdict: 'later', reason: 'The game refused the password.' };
  if (status === 404) return { verdict: 'failed', reason: reasons['command-unknown'] };
  return { verdict: 'unproven', reason: reasons['answer-unknown'] };
};

export const isErrorReply = (reply: string): boolean => (statusOf(reply) ?? 0) >= 400;
