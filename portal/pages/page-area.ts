import {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import type { ReactElement } from 'react';
import { problems } from '#contracts/problems.ts';
import { isSameOrigin } from '#runtime/auth/same-origin.ts';
import { type Download, sendDownload } from '#runtime/http/download.ts';
import { asProblem } from '#runtime/http/problems.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { readForm } from './form-body.ts';
import { sendPage } from './send-page.ts';

/** What a page handler answers; a form that did what it should redirects, so that a reload does not send it again. */
export type PageAnswer =
  | { readonly page: ReactElement; readonly status?: number }
  | { readonly redirect: string }
  | Download;

export interface PageRequest {
  readonly request: Request;
  readonly response: Response;
  /** The caller's address, as TRUST_PROXY lets us believe it. */
  readonly address: string;
  /** What was sent; empty for a GET. The CSRF token in it is the handler's to check: it knows whose cookie counts. */
  readonly form: URLSearchParams;
}

export type PageHandler = (request: PageRequest) => PageAnswer | Promise<PageAnswer>;

export interface PageRoutes {
  /** Paths are relative to the root of the area. */
  get(path: string, handler: PageHandler): void;
  post(path: string, handler: PageHandler): void;
}

export interface PageAreaOptions {
  /** Such as `/account`. */
  readonly root: string;
  readonly publicUrl: string | null;
  readonly log: Log;
  /** The page that says what went wrong. */
  readonly errorPage: (fault: PageFault) => ReactElement;
}

export interface PageFault {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Stands in the log too. */
  readonly requestId: string;
}

/** Pages under one root, with whatever goes wrong there answered as a page. */
export const bindPageArea = (
  app: Express,
  { root, publicUrl, log, errorPage }: PageAreaOptions,
  bind: (routes: PageRoutes) => void,
): void => {
  const router = Router({ caseSensitive: true });
  bind({
    get: (path, handler) => router.get(path, answering(handler)),
    post: (path, handler) => router.post(path, demandOwnPage(publicUrl), answering(handler)),
  });
  router.use(() => {
    throw new Problem('NOT_FOUND');
  });
  const answerFault: ErrorRequestHandler = (error, request, response, next) => {
    if (response.headersSent) return next(error);
    const problem = isDatabaseUnavailable(error)
      ? new Problem('DATABASE_UNAVAILABLE', { cause: error })
      : asProblem(error);
    const requestId = String(response.getHeader('X-Request-Id') ?? '');
    if (problem.status >= 500)
      log.error(
        { err: problem.cause ?? error, requestId, method: request.method, area: root },
        problem.message,
      );
    response.set(problem.headers);
    sendPage(response, problem.status, errorPage(faultOf(problem, requestId)));
  };
  router.use(answerFault);
  app.use(root, router);
};

const faultOf = (problem: Problem, requestId: string): PageFault => {
  const { title, meaning } = problems[problem.code];
  return { status: problem.status, title, detail: problem.detail ?? meaning, requestId };
};

const demandOwnPage =
  (publicUrl: string | null): RequestHandler =>
  (request, _response, next) => {
    if (isSameOrigin(request, publicUrl)) return next();
    throw new Problem('CROSS_ORIGIN', { detail: 'This form was not sent from a page of this portal.' });
  };

const answering =
  (handler: PageHandler): RequestHandler =>
  async (request, response) => {
    const form = request.method === 'POST' ? await readForm(request) : new URLSearchParams();
    const answer = await handler({ request, response, address: request.ip ?? '', form });
    if ('page' in answer) sendPage(response, answer.status ?? 200, answer.page);
    else if ('redirect' in answer) response.set('Cache-Control', 'no-store').redirect(303, answer.redirect);
    else await sendDownload(response, answer);
  };
