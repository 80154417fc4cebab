import { Readable } from 'node:stream';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type * as z from 'zod';
import type { Access, Endpoint, EndpointInput, EndpointResponse } from '#contracts/kernel/http.ts';
import { storableQuery, unstorablePaths } from '#contracts/kernel/storable-text.ts';
import { unstorableFault, type ValueFault, valueFaultOf } from '#contracts/kernel/value-faults.ts';
import { Problem } from '../problem.ts';
import { NamedDownload, sendDownload } from './download.ts';
import { normalizeForwardedHeaders } from './forwarded-headers.ts';
import { parseJson, parseReportedJson, readJsonBody, readRawBody } from './json-body.ts';

export interface RequestContext<Actor> {
  /** The caller, as determined by `authorize`. */
  readonly actor: Actor;
  /** The caller's address, as far as TRUST_PROXY lets us trust it. */
  readonly address: string;
  readonly request: Request;
}

/** Determines the caller and whether the call is allowed. @throws {Problem} when it is not */
export type Authorize<Actor> = (endpoint: Endpoint, request: Request) => Actor | Promise<Actor>;

/** Sends an answer itself. */
export type SendAnswer = (response: Response) => Promise<void>;

/** What a handler returns: the answer, the stream of a download, or a function that sends it. */
export type Answer<E extends Endpoint> = E extends { readonly sends: true }
  ? SendAnswer
  : E extends { readonly download: string }
    ? Readable
    : EndpointResponse<E>;

export type Handler<E extends Endpoint, Actor> = (
  input: EndpointInput<E>,
  context: RequestContext<Actor>,
) => Answer<E> | Promise<Answer<E>>;

export interface Routes<Actor> {
  on<const E extends Endpoint>(endpoint: E, handler: Handler<E, Actor>): void;
  /** The endpoints bound so far; the OpenAPI document and the 405 answers are built from them. */
  readonly endpoints: readonly Endpoint[];
}

export interface RoutesOptions<Actor> {
  readonly authorize: Authorize<Actor>;
  /** Bytes. */
  readonly bodyLimit?: number;
}

const defaultBodyLimit = 100 * 1024;

/** Programs that report what others wrote: a refusal would lose it. */
const reporting: readonly Access[] = ['agent', 'bot.report'];

/** Binds endpoints to handlers: authorization, validation of the input, the answer. */
export const createRoutes = <Actor>(
  app: Express,
  { authorize, bodyLimit = defaultBodyLimit }: RoutesOptions<Actor>,
): Routes<Actor> => {
  const endpoints: Endpoint[] = [];
  return {
    endpoints,
    on(endpoint, handler) {
      endpoints.push(endpoint);
      // Before the body is read: a caller without permission causes no work.
      const steps: RequestHandler[] = [
        (request, response, next) => {
          response.locals.endpoint = endpoint;
          const actor = authorize(endpoint, request);
          if (!(actor instanceof Promise)) {
            response.locals.actor = actor;
            return next();
          }
          return actor.then((found) => {
            response.locals.actor = found;
            next();
          });
        },
      ];
      if (endpoint.rawBody) steps.push(readRawBody(endpoint.bodyBytes ?? bodyLimit, endpoint.bodyType));
      else if (endpoint.body) {
        const parse = reporting.includes(endpoint.access) ? parseReportedJson : parseJson;
        steps.push(readJsonBody(endpoint.bodyBytes ?? bodyLimit, parse));
      }
      steps.push(async (request: Request, response: Response) => {
        const input = readInput(endpoint, request);
        const answer = await handler(input, {
          actor: response.locals.actor as Actor,
          address: request.ip ?? '',
          request,
        });
        const { contentType = 'application/octet-stream', download = '' } = endpoint;
        if (typeof answer === 'function') await (answer as SendAnswer)(response);
        else if (answer instanceof Readable)
          await sendDownload(response, {
            content: answer,
            fileName: answer instanceof NamedDownload ? answer.fileName : download,
            contentType,
          });
        else if (endpoint.contentType) response.type(endpoint.contentType).send(answer);
        else sendJson(response, answer);
      });
      const { path, formerPath } = endpoint;
      app[methodOf(endpoint)](path, ...steps);
      // A separate route, so that metrics name it.
      if (formerPath !== undefined) app[methodOf(endpoint)](formerPath, ...steps);
    },
  };
};

/** Like `response.json`, but without looking for a type, a charset and an ETag: thousands of answers are sent per second. */
const sendJson = (response: Response, answer: unknown): void => {
  const text = JSON.stringify(answer);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
};

const methodOf = (endpoint: Endpoint) =>
  endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';

const readInput = <E extends Endpoint>(endpoint: E, request: Request): EndpointInput<E> => {
  const errors: ({ path: string } & ValueFault)[] = [];
  const read = (part: 'params' | 'query' | 'body') => {
    const schema: z.ZodType | undefined = endpoint[part];
    if (!schema) return undefined;
    const given: unknown = part === 'body' ? request.body : { ...request[part] };
    const unstorable = part === 'query' ? [] : unstorablePaths(given, part);
    if (unstorable.length > 0) {
      errors.push(...unstorable.map((path) => ({ path, ...unstorableFault })));
      return undefined;
    }
    const result = schema.safeParse(given);
    if (result.success) return part === 'query' ? storableQuery(result.data as object) : result.data;
    for (const issue of result.error.issues) {
      errors.push({ path: [part, ...issue.path].join('.'), ...valueFaultOf(issue) });
    }
    return undefined;
  };
  const body = endpoint.rawBody ? request.body : read('body');
  const input = { params: read('params'), query: read('query'), body };
  if (errors.length > 0) {
    throw new Problem('INVALID_REQUEST', {
      detail: 'The request does not have the documented shape.',
      extensions: { errors: errors.slice(0, 20) },
    });
  }
  return input as EndpointInput<E>;
};

const belowPath =
  'Castellan answers at the root of an address only. Behind a proxy, give it a host name of its own instead of a path.';

/** Answers requests that no route matched: 405 where the path exists under another method, else 404. */
export const refuseUnknown = (app: Express, routes: Pick<Routes<never>, 'endpoints'>): void => {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { path, formerPath = path, method } of routes.endpoints)
    for (const each of new Set([path, formerPath])) {
      const methods = methodsByPath.get(each) ?? new Set<string>();
      methodsByPath.set(each, methods.add(method));
      if (method === 'GET') methods.add('HEAD');
    }
  for (const [path, methods] of methodsByPath) {
    const allowed = [...methods].join(', ');
    app.all(path, () => {
      throw new Problem('METHOD_NOT_ALLOWED', {
        detail: `Allowed here: ${allowed}.`,
        headers: { Allow: allowed },
      });
    });
  }
  app.use(({ path }: Request, _response: Response, _next: NextFunction) => {
    // As a proxy asks that passes on a path of its own.
    const isBelowPath = /^\/[^/]+\/(?:index\.html)?$/.test(path) && !path.startsWith('/api/');
    throw new Problem('NOT_FOUND', isBelowPath ? { detail: belowPath } : {});
  });
};

/** An Express application without the defaults that we do not want. */
export const createApp = (trustProxy: number | readonly string[] | false): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustProxy);
  app.use((request, _response, next) => {
    normalizeForwardedHeaders(request.headers);
    next();
  });
  return app;
};

const trustOf = (app: Express) => app.get('trust proxy fn') as (address: string, hop: number) => boolean;

/**
 * Whether the peer of a connection is a proxy, which stands for many clients, for an app that `createApp` made. A number of hops
 * names no proxy and would make one of every stranger: in that case, proxies are those on this machine and in private networks.
 */
export const trustsPeer = (app: Express): ((address: string) => boolean) => {
  const isTrusted = trustOf(app);
  const isNear =
    typeof app.get('trust proxy') === 'number'
      ? trustOf(createApp(['loopback', 'linklocal', 'uniquelocal']))
      : () => true;
  return (address) => isTrusted(address, 0) && isNear(address, 0);
};
