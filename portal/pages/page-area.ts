import { TextDecoder } from 'node:util';
import {
  type ErrorRequestHandler,
  type IRouter,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { createElement, type FunctionComponent, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Language } from '#contracts/kernel/language.ts';
import { unstorablePaths } from '#contracts/kernel/storable-text.ts';
import { isSameOrigin } from '#runtime/auth/same-origin.ts';
import { type Download, sendDownload } from '#runtime/http/download.ts';
import { collectBody } from '#runtime/http/json-body.ts';
import { asProblem } from '#runtime/http/problems.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { requestedLanguage } from '../language/requested-language.ts';
import { ownPath } from './own-path.ts';
import { createPageCookies } from './page-cookies.ts';
import { type PageFault, pageFaultOf } from './page-fault.ts';
import { type Reader, ReaderProvider } from './reader.ts';

/** No scripts, no content from elsewhere, no framing. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Not `no-referrer`: with it, browsers would also hide from us which page a form was sent from.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  // These pages contain keys and addresses.
  'Cache-Control': 'no-store',
} as const;

/** @param page a whole document, such as from `Page` */
const sendPage = (response: Response, status: number, page: ReactElement, reader: Reader): void => {
  const forReader = createElement(ReaderProvider, { value: reader }, page);
  response
    .status(status)
    .set({ ...pageHeaders, 'Content-Language': reader.language })
    .type('html')
    .send(`<!doctype html>${renderToStaticMarkup(forReader)}`);
};

const formType = 'application/x-www-form-urlencoded';
/** Bytes; every form needs less than a quarter of it. */
const maxFormBytes = 16 * 1024;
const maxFormFields = 100;

/** The fields of a submitted form. @throws {Problem} 400, 413 or 415 */
const readForm = async (request: Request): Promise<URLSearchParams> => {
  const [type = ''] = (request.get('Content-Type') ?? '').toLowerCase().split(';');
  if (type.trim() !== formType) throw new Problem('UNSUPPORTED_MEDIA_TYPE');
  if ((request.get('Content-Encoding') ?? 'identity') !== 'identity')
    throw new Problem('UNSUPPORTED_MEDIA_TYPE');
  const form = new URLSearchParams(await readFormText(request));
  if (form.size > maxFormFields) throw new Problem('INVALID_REQUEST');
  // No one types what a database cannot store.
  if (unstorablePaths([...form], '').length > 0) throw new Problem('INVALID_REQUEST');
  return form;
};

const readFormText = async (request: Request): Promise<string> => {
  if (Number(request.get('Content-Length') ?? 0) > maxFormBytes) throw new Problem('PAYLOAD_TOO_LARGE');
  const bytes = await collectBody(request, maxFormBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Problem('INVALID_REQUEST', { cause: error });
  }
};

/** The answer of a page handler; a successful form redirects, so that a reload does not send it again. */
export type PageAnswer =
  | { readonly page: ReactElement; readonly status?: number }
  | { readonly redirect: string }
  | Download;

export interface PageRequest {
  readonly request: Request;
  readonly response: Response;
  /** The client's address, as far as TRUST_PROXY allows us to trust it. */
  readonly address: string;
  /** The reader's language, for everything that is said about the request. */
  readonly language: Language;
  /** The submitted fields; empty for a GET. The handler must check the CSRF token in it, since it knows which cookie counts. */
  readonly form: URLSearchParams;
}

export type PageHandler = (request: PageRequest) => PageAnswer | Promise<PageAnswer>;

export interface PageRoutes {
  /** Paths are relative to the root of the area. */
  get(path: string, handler: PageHandler): void;
  /**
   * @param formPage path of the page with the form, parameters as in `path`. Required for an address without a page: a
   * browser that opens it, by the language switch or from its history, is redirected there
   */
  post(path: string, handler: PageHandler, formPage?: string): void;
}

export interface PageAreaOptions {
  /** For example `/account`. */
  readonly root: string;
  readonly publicUrl: string | null;
  readonly log: Log;
  /** The page that explains a fault. */
  readonly errorPage: FunctionComponent<PageFault>;
}

/** Binds pages under one root, and answers all faults there with a page. */
export const bindPageArea = (
  app: IRouter,
  { root, publicUrl, log, errorPage }: PageAreaOptions,
  bind: (routes: PageRoutes) => void,
): void => {
  const router = Router({ caseSensitive: true });
  const readerOf = createReaders(root, publicUrl);
  const answering = answeringTo(readerOf);
  const [withPage, withForm] = [new Set<string>(), new Set<string>()];
  const get: PageRoutes['get'] = (path, handler) => {
    withPage.add(path);
    router.get(path, answering(handler));
  };
  bind({
    get,
    post(path, handler, formPage) {
      withForm.add(path);
      router.post(path, demandOwnPage(publicUrl), answering(handler));
      if (formPage !== undefined)
        get(path, ({ request }) => ({ redirect: fillPath(formPage, request.params) }));
    },
  });
  for (const path of withForm) if (!withPage.has(path)) throw new Error(`${root}${path} leads to no page`);
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
    const reader = readerOf(request);
    const fault = pageFaultOf(problem, reader.language, requestId);
    sendPage(response, problem.status, createElement(errorPage, fault), reader);
  };
  router.use(answerFault);
  app.use(root, router);
};

const demandOwnPage =
  (publicUrl: string | null): RequestHandler =>
  (request, _response, next) => {
    if (isSameOrigin(request, publicUrl)) return next();
    throw new Problem('CROSS_ORIGIN');
  };

const fillPath = (path: string, params: Request['params']): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));

/** The address of a page that answers a form is that of the page with the form. */
const createReaders = (root: string, publicUrl: string | null): ReaderOf => {
  const cookies = createPageCookies(publicUrl);
  return (request) => {
    const shown = request.method === 'GET' ? request.originalUrl : (request.get('Referer') ?? root);
    return { language: requestedLanguage(request, cookies), place: ownPath(shown, root) };
  };
};
type ReaderOf = (request: Request) => Reader;

const answeringTo =
  (readerOf: ReaderOf) =>
  (handler: PageHandler): RequestHandler =>
  async (request, response) => {
    const reader = readerOf(request);
    const { language } = reader;
    if (unstorablePaths(request.params, '').length > 0) throw new Problem('NOT_FOUND');
    const form = request.method === 'POST' ? await readForm(request) : new URLSearchParams();
    const answer = await handler({ request, response, address: request.ip ?? '', language, form });
    if ('page' in answer) sendPage(response, answer.status ?? 200, answer.page, reader);
    else if ('redirect' in answer) response.set('Cache-Control', 'no-store').redirect(303, answer.redirect);
    else await sendDownload(response, answer);
  };
