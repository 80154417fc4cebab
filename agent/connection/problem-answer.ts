import { problemDocument } from '#contracts/kernel/problems.ts';
import { readRetryAfter } from '#runtime/http/retry-after.ts';
import { explainWithoutLook } from '#runtime/outside/outside-failure.ts';
import { readJson } from '#runtime/read-json.ts';
import type { ConnectionEnd } from './connection-verdict.ts';

/** Reads the problem of an error answer; a proxy's page has no code. */
export const readProblem = (
  status: number,
  body: string,
  retryAfter: string | null | undefined,
): Extract<ConnectionEnd, { cause: 'http' }> => {
  const waitMs = readRetryAfter(retryAfter, Date.now());
  return {
    cause: 'http',
    status,
    code: readJson(problemDocument, body)?.code ?? null,
    retryAfterSeconds: waitMs === null ? null : waitMs / 1000,
  };
};

/** A connection to the API that failed. */
export const unreachableBy = (
  error: unknown,
  url: URL,
): Extract<ConnectionEnd, { cause: 'unreachable' }> => ({
  cause: 'unreachable',
  detail: reasonOf(error),
  words: explainWithoutLook(error, url)?.text,
});

/** Why a connection failed: the error's codes, else the message of its innermost cause. */
const reasonOf = (error: unknown): string => {
  const codes = codesOf(error);
  return codes.length > 0 ? [...new Set(codes)].join(', ') : innermostMessage(error);
};

const innermostMessage = (error: unknown): string => {
  if (!(error instanceof Error)) return 'no answer';
  return error.cause instanceof Error ? innermostMessage(error.cause) : error.message.replace(/\.$/, '');
};

const codesOf = (error: unknown): string[] => {
  if (error instanceof AggregateError) return error.errors.flatMap(codesOf);
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? [code] : codesOf(error.cause);
};
