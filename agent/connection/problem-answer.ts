import { problemDocument } from '#contracts/problems.ts';
import type { ConnectionEnd } from './connection-verdict.ts';

/** What an error's answer says; a proxy's page has no code. */
export const readProblem = (
  status: number,
  body: string,
  retryAfter: string | null | undefined,
): Extract<ConnectionEnd, { cause: 'http' }> => {
  const seconds = Number.parseInt(retryAfter ?? '', 10);
  return {
    cause: 'http',
    status,
    code: codeOf(body),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  };
};

const codeOf = (body: string): string | null => {
  try {
    return problemDocument.safeParse(JSON.parse(body)).data?.code ?? null;
  } catch {
    return null;
  }
};

/** What stands in the way of a connection, from the error's codes alone. */
export const reasonOf = (error: unknown): string => {
  const codes = codesOf(error);
  return codes.length > 0
    ? [...new Set(codes)].join(', ')
    : error instanceof Error
      ? error.name
      : 'no answer';
};

const codesOf = (error: unknown): string[] => {
  if (error instanceof AggregateError) return error.errors.flatMap(codesOf);
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return [code];
  return codesOf(error.cause);
};
