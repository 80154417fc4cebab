import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SourceAnswer, SourceRequest } from './answers.ts';
import { type Catalogue, createCatalogue, type SourceName, sourceNames } from './catalogue.ts';
import { answerAsCurseforge } from './curseforge-api.ts';
import { type DownloadQuirks, sendFile } from './downloads.ts';
import { answerAsModrinth } from './modrinth-api.ts';
import { misbehave, type SourceQuirk } from './quirks.ts';
import { answerAsSteam } from './steam-api.ts';

/** The default key for CurseForge's API and its files; it has the form of real keys. */
export const usualCurseforgeKey = '$2a$10$abcdefghijklmnopqrstuuKz1uI8y1Z0mVwqk2j5o5bQe4mQ1rO3S';

export interface ModSourcesOptions {
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  readonly curseforgeKey?: string;
}

export interface AnsweredRequest {
  readonly source: SourceName | 'files';
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** 0: no answer was sent. */
  readonly status: number;
}

/** Simulated Modrinth, CurseForge and Steam, with the files that they name, over plain http. */
export interface ModSources extends AsyncDisposable {
  /** For MODRINTH_API_URL. */
  readonly modrinthUrl: string;
  /** For CURSEFORGE_API_URL. */
  readonly curseforgeUrl: string;
  /** For STEAM_API_URL. */
  readonly steamUrl: string;
  readonly curseforgeKey: string;
  /** All three as variables of the stack's environment. */
  readonly env: Readonly<Record<'MODRINTH_API_URL' | 'CURSEFORGE_API_URL' | 'STEAM_API_URL', string>>;
  readonly catalogue: Catalogue;
  /** The URL of a file of the catalogue. */
  urlOf(file: { readonly path: string }): string;
  /** Applies to the next `times` requests to a source; default: all. */
  misbehave(source: SourceName, quirk: SourceQuirk, times?: number): void;
  /** Ends {@link misbehave}. */
  behave(source: SourceName): void;
  /** May be changed at any time. */
  readonly downloads: DownloadQuirks;
  /** Modrinth's rate-limit headers; null: none. */
  budget: { remaining: number; resetSeconds: number } | null;
  readonly requests: readonly AnsweredRequest[];
  requestsTo(source: AnsweredRequest['source']): readonly AnsweredRequest[];
}

export const openModSources = async (options: ModSourcesOptions = {}): Promise<ModSources> => {
  const { host = '127.0.0.1', port = 0, curseforgeKey = usualCurseforgeKey } = options;
  const catalogue = createCatalogue();
  const requests: AnsweredRequest[] = [];
  const quirks = new Map<SourceName, { readonly quirk: SourceQuirk; left: number }>();
  const downloads: DownloadQuirks = {
    breakAfterBytes: null,
    ignoresRanges: false,
    isCorrupt: false,
    status: null,
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  const fileUrl = (path: string): string => `${origin}${path}`;

  const answers: Readonly<Record<SourceName, (request: SourceRequest) => SourceAnswer>> = {
    modrinth: (request) => answerAsModrinth(catalogue, fileUrl, request),
    curseforge: (request) => answerAsCurseforge(catalogue, fileUrl, curseforgeKey, request),
    steam: (request) => answerAsSteam(catalogue, fileUrl, request),
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const url = new URL(request.url ?? '/', origin);
    const { method = 'GET', headers } = request;
    const source = sourceNames.find((one) => url.pathname.startsWith(`/${one}/`));
    const record = (path: string, status: number): void => {
      requests.push({ source: source ?? 'files', method, path, headers, body, status });
    };
    if (!source) {
      record(url.pathname, serveFile(url.pathname, request, response));
      return;
    }
    const path = url.pathname.slice(source.length + 1);
    const answer = answers[source]({ method, path, query: url.searchParams, headers, body });
    const quirk = quirks.get(source);
    const isMet = quirk !== undefined && quirk.left > 0;
    if (isMet) quirk.left -= 1;
    record(
      `${path}${url.search}`,
      isMet ? misbehave(quirk.quirk, answer, response) : send(source, answer, request, response),
    );
  };

  const serveFile = (path: string, request: IncomingMessage, response: ServerResponse): number => {
    if (path.startsWith('/icons/')) {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(icon);
      return 200;
    }
    const file = catalogue.fileAt(path);
    // Since 16 July 2026 CurseForge's files need the key, too.
    const isRefused = file?.source === 'curseforge' && request.headers['x-api-key'] !== curseforgeKey;
    if (file && !isRefused) return sendFile(file, downloads, request, response);
    const status = isRefused ? 401 : 404;
    response.writeHead(status).end();
    return status;
  };

  const send = (
    source: SourceName,
    { status, body, headers }: SourceAnswer,
    request: IncomingMessage,
    response: ServerResponse,
  ): number => {
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    const etag = `W/"${createHash('sha1').update(content).digest('base64url')}"`;
    const { budget } = sources;
    const all = {
      'Content-Type': typeof body === 'string' ? 'text/html' : 'application/json',
      ...(source === 'modrinth' && budget
        ? {
            'X-Ratelimit-Limit': '300',
            'X-Ratelimit-Remaining': String(budget.remaining),
            'X-Ratelimit-Reset': String(budget.resetSeconds),
          }
        : {}),
      ...(request.method === 'GET' && status === 200 ? { ETag: etag } : {}),
      ...headers,
    };
    const isSame = status === 200 && request.headers['if-none-match'] === etag;
    response.writeHead(isSame ? 304 : status, all).end(isSame ? undefined : content);
    return isSame ? 304 : status;
  };

  const sources: ModSources = {
    modrinthUrl: `${origin}/modrinth`,
    curseforgeUrl: `${origin}/curseforge`,
    steamUrl: `${origin}/steam`,
    curseforgeKey,
    env: {
      MODRINTH_API_URL: `${origin}/modrinth`,
      CURSEFORGE_API_URL: `${origin}/curseforge`,
      STEAM_API_URL: `${origin}/steam`,
    },
    catalogue,
    urlOf: ({ path }) => fileUrl(path),
    misbehave: (source, quirk, times = Number.POSITIVE_INFINITY) =>
      void quirks.set(source, { quirk, left: times }),
    behave: (source) => void quirks.delete(source),
    downloads,
    budget: null,
    requests,
    requestsTo: (source) => requests.filter((request) => request.source === source),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return sources;
};

/** One grey pixel. */
const icon = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);
