import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from './context.ts';
import type { Fate } from './faults.ts';
import { DiscordProblem, problem } from './problems.ts';
import { createRateLimits, type RateLimits, type Throttled, throttledAnswer } from './rate-limits.ts';
import { applicationRoutes } from './routes/application.ts';
import { commandRoutes } from './routes/commands.ts';
import { guildRoutes } from './routes/guilds.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { messageRoutes } from './routes/messages.ts';
import { reactionRoutes } from './routes/reactions.ts';
import type { Route } from './routes/route.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import type { StoredFile } from './state.ts';

const routes = [
  ...applicationRoutes,
  ...guildRoutes,
  ...messageRoutes,
  ...webhookRoutes,
  ...reactionRoutes,
  ...commandRoutes,
  ...interactionRoutes,
].map((route) => ({ ...route, pattern: pathPattern(route.path) }));

function pathPattern(path: string): RegExp {
  // '@me' is never an id, '@original' always is.
  return new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>(?!@me)[^/]+)')}$`);
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object | string | null;
}

const prefix = /^\/api(?:\/v(\d+))?(\/.*)$/;

/** The REST API, v10; null for other paths. https://docs.discord.com/developers/reference#http-api */
export const createRest = (
  context: Context,
): { readonly limits: RateLimits; readonly serve: RequestListener } => {
  const { state, faults, settings, requests, now } = context;
  const limits = createRateLimits(() => settings.rateLimits, now);

  const throttled = (by: Throttled, headers: Readonly<Record<string, string>> = {}): Answer => {
    const answer = throttledAnswer(by);
    return { status: 429, headers: { ...headers, ...answer.headers }, body: answer.body };
  };

  const perform = (found: Found, body: unknown, files: ReadonlyMap<string, StoredFile>): Answer => {
    const { route, params, query } = found;
    const resource =
      params.channel ?? params.guild ?? [params.webhook, params.token].filter(Boolean).join('/');
    const { headers, throttled: by } = limits.take(route.bucket, resource);
    if (by) return throttled(by, headers);
    try {
      const result = route.handle({ context, params, query, body, files });
      return { status: result ? 200 : 204, headers, body: result };
    } catch (error) {
      const { status, body: told, headers: more } = refusal(error);
      return { status, headers: { ...headers, ...more }, body: told };
    }
  };

  const answerTo = async (
    request: IncomingMessage,
    found: Found | DiscordProblem,
    fate: Fate,
  ): Promise<Answer> => {
    if (limits.isBanned) return { status: 429, headers: { 'Retry-After': '600' }, body: 'error code: 1015' };
    if (typeof fate === 'object' && 'throttleMs' in fate)
      return throttled({ retryAfterMs: fate.throttleMs, scope: fate.scope ?? 'user' });
    if (found instanceof DiscordProblem) return refusal(found);
    const token = /^Bot (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!found.route.isOpen && !state.application.tokens.has(token)) return refusal(problem('unauthorized'));
    const isInteractions =
      found.route.path.startsWith('/interactions/') || found.params.webhook === state.application.id;
    const global = isInteractions ? null : limits.takeGlobal();
    if (global) return throttled(global);
    try {
      const { body, files } = await found.content;
      return perform(found, body, files);
    } catch (error) {
      return refusal(error);
    }
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = now();
    const method = request.method ?? 'GET';
    const found = find(method, request);
    const path = found instanceof DiscordProblem ? (request.url ?? '') : found.path;
    const bucket = found instanceof DiscordProblem ? null : found.route.bucket;
    const content = found instanceof DiscordProblem ? null : await found.content.catch(() => null);
    const fate = faults.fateOf({ method, path, body: content?.body });
    const told = request.headers['x-audit-log-reason'];
    const reason = typeof told === 'string' ? decodeURIComponent(told) : null;
    const record = (status: number) => requests.push({ at, method, path, bucket, status, reason });
    const isUndone = typeof fate === 'object' && 'status' in fate && !fate.isDone;
    if (fate === 'drop') {
      record(0);
      request.socket.destroy();
      return;
    }
    const answer = isUndone ? null : await answerTo(request, found, fate);
    if (faults.answerDelayMs > 0) await delay(faults.answerDelayMs);
    if (fate === 'lose-answer') {
      record(0);
      request.socket.destroy();
      return;
    }
    const broken = typeof fate === 'object' && 'status' in fate ? troubled(fate.status) : null;
    const { status, headers = {}, body } = broken ?? answer ?? troubled(500);
    record(status);
    const isShared = headers['X-RateLimit-Scope'] === 'shared';
    if ([401, 403, 429].includes(status) && !isShared) limits.countInvalid();
    send(response, { status, headers, body });
  };
  return { limits, serve };
};

interface Found {
  readonly route: Route;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly content: Promise<Content>;
}

const find = (method: string, request: IncomingMessage): Found | DiscordProblem => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const [, version, path = ''] = prefix.exec(pathname) ?? [];
  if (version !== undefined && version !== '10') return problem('invalidVersion');
  const known = routes.filter(({ pattern }) => pattern.test(path));
  const route = known.find((one) => one.method === method);
  if (!route) return problem(known.length > 0 ? 'methodNotAllowed' : 'notFound');
  const groups = route.pattern.exec(path)?.groups ?? {};
  const params = Object.fromEntries(
    Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]),
  );
  return { route, path, params, query: searchParams, content: readContent(request) };
};

interface Content {
  readonly body: unknown;
  readonly files: ReadonlyMap<string, StoredFile>;
}

/** JSON, or a form with payload_json and files[n]. https://docs.discord.com/developers/reference#uploading-files */
const readContent = async (request: IncomingMessage): Promise<Content> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data'))
    return { body: bytes.length > 0 ? json(bytes.toString()) : {}, files: new Map() };
  const form = await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
  const files = new Map<string, StoredFile>();
  for (const [name, value] of form) {
    const number = /^files\[(\d+)\]$/.exec(name)?.[1];
    if (number === undefined || typeof value === 'string') continue;
    const contentType = value.type || 'application/octet-stream';
    files.set(number, { name: value.name, contentType, bytes: Buffer.from(await value.arrayBuffer()) });
  }
  return { body: json(String(form.get('payload_json') ?? '{}')), files };
};

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw problem('invalidJson');
  }
};

const refusal = (error: unknown): Answer => {
  if (!(error instanceof DiscordProblem)) throw error;
  const { status, code, message, more } = error;
  const wait = 'retry_after' in more ? { 'Retry-After': String(more.retry_after) } : {};
  return { status, headers: wait, body: { message, code, ...more } };
};

/** Errors at Discord's edge are pages, errors behind it are JSON. */
const troubled = (status: number): Answer =>
  status === 502 || status === 504
    ? { status, body: `<html><head><title>${status}: Bad gateway</title></head></html>` }
    : { status, body: { message: `${status}: Internal Server Error`, code: 0 } };

const send = (response: ServerResponse, { status, headers, body }: Answer): void => {
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  // A 204 has no content type, or clients would parse its empty body.
  response.writeHead(status, { ...headers, ...(body !== null && { 'Content-Type': type }) });
  response.end(body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
};
