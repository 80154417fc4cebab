import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** How a file server misbehaves, as real ones do. */
export interface FileHostQuirks {
  /** Cuts the connection after this many bytes of each answer. */
  readonly dropEvery?: number;
  /** Answers a Range request with 200 and the whole file. */
  readonly ignoresRange?: boolean;
  /** Added to the first byte in Content-Range. */
  readonly rangeShift?: number;
  /** Sends neither an ETag nor a date. */
  readonly noValidator?: boolean;
  readonly etag?: string;
  /** Sends only the date as a validator. */
  readonly noEtag?: boolean;
  readonly modified?: string;
  /** Ignores the condition of If-Range. */
  readonly ignoresIfRange?: boolean;
  /** How the length is sent: in chunks, or not at all; default: Content-Length. */
  readonly framing?: 'chunked' | 'none';
  /** Added to Content-Length. */
  readonly lengthLie?: number;
  /** The Content-Encoding; a string is sent as the header's value. */
  readonly gzip?: true | string;
  /** Stops sending after this many bytes of an answer. */
  readonly stallAfter?: number;
  /** Maximum rate, sent in ten pieces per second. */
  readonly bytesPerSecond?: number;
  /** Answered instead of the file. */
  readonly status?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string;
}

export interface FileRequestSeen {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
}

export interface FileHost extends AsyncDisposable {
  readonly port: number;
  /** Its name in `allowHosts`. */
  readonly hostPort: string;
  readonly requests: FileRequestSeen[];
  /** Body bytes handed to sockets. */
  readonly sentBytes: number;
  url(path?: string): string;
  put(path: string, content: Buffer): void;
  /** Called for each request with its number, counted from 0. */
  behave(quirks: FileHostQuirks | ((index: number, path: string) => FileHostQuirks)): void;
}

export interface FileHostOptions {
  readonly tls?: { readonly key: string | Buffer; readonly cert: string | Buffer };
  readonly host?: string;
  /** Default: a free port. */
  readonly port?: number;
}

const pieceBytes = 64 * 1024;

const drained = (response: http.ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      response.off('drain', end).off('close', end);
      resolve();
    };
    response.on('drain', end).on('close', end);
  });

export const startFileHost = async (options: FileHostOptions = {}): Promise<FileHost> => {
  const { tls, host = '127.0.0.1' } = options;
  const files = new Map<string, { content: Buffer; etag: string; modified: string }>();
  const requests: FileRequestSeen[] = [];
  let quirksOf: (index: number, path: string) => FileHostQuirks = () => ({});
  let sentBytes = 0;

  const send = async (response: http.ServerResponse, content: Buffer, quirks: FileHostQuirks) => {
    const {
      dropEvery = Number.POSITIVE_INFINITY,
      stallAfter = Number.POSITIVE_INFINITY,
      bytesPerSecond,
    } = quirks;
    const size = bytesPerSecond === undefined ? pieceBytes : Math.max(1, Math.floor(bytesPerSecond / 10));
    const end = Math.min(content.length, dropEvery, stallAfter);
    for (let at = 0; at < end; at += size) {
      const piece = content.subarray(at, Math.min(end, at + size));
      sentBytes += piece.length;
      const isTaken = response.write(piece);
      if (!isTaken) await drained(response);
      if (response.destroyed) return;
      if (bytesPerSecond !== undefined) await delay(100);
    }
    if (stallAfter < content.length) return;
    if (dropEvery >= content.length) return void response.end();
    // Written bytes are sent before the cut.
    const { socket } = response;
    if (socket) {
      socket.end();
      socket.once('finish', () => socket.destroy());
    }
  };

  const answer = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const path = request.url ?? '/';
    const quirks = quirksOf(requests.length, path);
    requests.push({ path, headers: request.headers });
    response.on('error', () => undefined);
    if (quirks.status !== undefined) {
      response.writeHead(quirks.status, quirks.headers).end(quirks.body);
      return;
    }
    const file = files.get(path);
    if (!file) return void response.writeHead(404).end('not here');
    const { etag = file.etag, modified = file.modified } = quirks;
    if (!quirks.noValidator) {
      if (!quirks.noEtag) response.setHeader('ETag', etag);
      response.setHeader('Last-Modified', modified);
    }
    for (const [name, value] of Object.entries(quirks.headers ?? {}))
      if (value !== undefined) response.setHeader(name, value);
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const condition = request.headers['if-range'];
    const isSame =
      quirks.ignoresIfRange || condition === undefined || condition === etag || condition === modified;
    const first = from === undefined || quirks.ignoresRange || !isSame ? null : Number(from);
    const total = file.content.length;
    if (first !== null && first >= total)
      return void response.writeHead(416, { 'Content-Range': `bytes */${total}` }).end();
    let content = file.content.subarray(first ?? 0);
    if (first !== null) {
      const told = first + (quirks.rangeShift ?? 0);
      response.setHeader('Content-Range', `bytes ${told}-${total - 1}/${total}`);
    } else if (quirks.gzip) {
      response.setHeader('Content-Encoding', quirks.gzip === true ? 'gzip' : quirks.gzip);
      content = gzipSync(content);
    }
    if (quirks.framing === 'none') {
      response.setHeader('Connection', 'close');
      response.removeHeader('Transfer-Encoding');
      response.useChunkedEncodingByDefault = false;
    } else if (quirks.framing !== 'chunked')
      response.setHeader('Content-Length', content.length + (quirks.lengthLie ?? 0));
    response.strictContentLength = false;
    response.writeHead(first === null ? 200 : 206);
    void send(response, content, quirks);
  };

  const server = tls ? https.createServer(tls, answer) : http.createServer(answer);
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hostPort = `${host.includes(':') ? `[${host}]` : host}:${port}`;

  return {
    port,
    hostPort,
    requests,
    get sentBytes() {
      return sentBytes;
    },
    url: (path = '/file') => `${tls ? 'https' : 'http'}://${hostPort}${path}`,
    put(path, content) {
      const etag = `"${createHash('sha1').update(content).digest('hex')}"`;
      files.set(path, { content, etag, modified: new Date(1_700_000_000_000).toUTCString() });
    },
    behave(quirks) {
      quirksOf = typeof quirks === 'function' ? quirks : () => quirks;
      requests.length = 0;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
