import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { problemContentType } from '#contracts/kernel/problems.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { isDatabaseAway } from '../database/pool.ts';
import { DiskFullError, isDiskFull } from '../disk-space.ts';
import type { Log } from '../log.ts';
import { Problem, toProblemDocument } from '../problem.ts';

const requestIdHeader = 'X-Request-Id';

/** Gives each request an id, which appears in the answer, in a problem document and in the log. */
export const nameRequests: RequestHandler = (_request, response, next) => {
  response.setHeader(requestIdHeader, randomUUID());
  next();
};

/** The last handler: turns every error into a problem document; unexpected ones are logged and reported as internal. */
export const answerProblems =
  (log: Log): ErrorRequestHandler =>
  (error, request, response, _next) => {
    const problem = asProblem(error);
    const requestId = String(response.getHeader(requestIdHeader));
    // The pattern, not the path: someone may have put a secret into the path.
    const endpoint = (response.locals.endpoint as Endpoint | undefined)?.path;
    if (response.headersSent) {
      // Too late for a problem document; but a cut answer does not pass for a whole one.
      log.error({ err: error, requestId, endpoint }, 'a response was interrupted');
      response.destroy();
      return;
    }
    const asked = { requestId, method: request.method, endpoint };
    // Our own message about a temporary state needs no stack.
    if (error instanceof Problem && error.status === 503 && error.cause === undefined)
      log.warn({ code: error.code, ...asked }, error.message);
    else if (problem.status >= 500) log.error({ err: problem.cause ?? error, ...asked }, problem.message);
    sendProblem(response, problem);
  };

const sendProblem = (response: Response, problem: Problem): void => {
  const endpoint = response.locals.endpoint as Endpoint | undefined;
  const document = toProblemDocument(problem, {
    requestId: String(response.getHeader(requestIdHeader)),
    codeless: endpoint?.codeless?.includes(problem.status) ?? false,
  });
  response.status(problem.status).set(problem.headers).set('Cache-Control', 'no-store');
  response.type(problemContentType).send(JSON.stringify(document));
};

/** Express and its router mark a client's fault (such as a broken percent sign) with a status. */
export const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  if (isDiskFull(error)) return diskFull(error);
  if (isDatabaseAway(error)) return new Problem('DATABASE_UNAVAILABLE', { cause: error });
  const { status } = error as { status?: unknown };
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new Problem('INVALID_REQUEST', { cause: error });
  return new Problem('INTERNAL', { cause: error });
};

/** Only our own messages name folders; Postgres's would reveal too much to a caller. */
const diskFull = (error: unknown): Problem =>
  new Problem('DISK_FULL', {
    detail: error instanceof DiskFullError ? error.message : healthReasons['disk-is-full'],
    cause: error,
  });
