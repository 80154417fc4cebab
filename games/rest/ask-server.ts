import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { ConnectFailure, ConsoleTarget } from '../connection.ts';
import { addressOf, failureOf } from '../wire/connect-failure.ts';
import { mostReplyBytes } from '../wire/reply.ts';

/** One request of a game's REST API. */
export interface RestRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Sent as JSON; without it the request has no body. */
  readonly body?: Readonly<Record<string, string | number>>;
}

export interface RestAnswer {
  readonly status: number;
  readonly text: string;
  /** It exceeds the size that a console may answer with; the rest was not read. */
  readonly isCut: boolean;
}

interface NoAnswer {
  readonly failure: ConnectFailure;
  /** Not a byte of the request can have reached the game. */
  readonly isUnsent: boolean;
}

/** Asks one server; never rejects. */
export type AskServer = (request: RestRequest, signal: AbortSignal) => Promise<RestAnswer | NoAnswer>;

/**
 * Basic authentication over plain HTTP, as games offer it. Each request has its own connection: one that the game closed while it
 * was idle would make a request fail that the game never saw. Redirects are answers, since following one would show the password
 * to another server.
 */
export const createAskServer = (target: ConsoleTarget, user: string): AskServer => {
  const credentials = Buffer.from(`${user}:${target.password.reveal()}`).toString('base64');
  return async (request, signal) => {
    const url = urlOf(target, request.path);
    if (url === null)
      return {
        failure: { outcome: 'name not found', detail: consoleReasons['console-name-unknown'](target.host) },
        isUnsent: true,
      };
    try {
      const response = await fetch(url, {
        method: request.method,
        redirect: 'manual',
        signal,
        headers: {
          authorization: `Basic ${credentials}`,
          accept: 'application/json',
          connection: 'close',
          ...(request.body && { 'content-type': 'application/json' }),
        },
        ...(request.body && { body: JSON.stringify(request.body) }),
      });
      const { text, isCut } = await readText(response);
      // An error page may repeat the request's headers.
      return { status: response.status, text: hide(text, credentials), isCut };
    } catch (error) {
      const failure = failureOfRequest(error, target);
      return { failure, isUnsent: neverSent.has(failure.outcome) || isFromConnecting(error) };
    }
  };
};

const neverSent: ReadonlySet<ConnectFailure['outcome']> = new Set(['connection refused', 'name not found']);

const causeOf = (
  error: unknown,
): { readonly code?: unknown; readonly name?: unknown; readonly syscall?: unknown } =>
  (error instanceof Error && error.cause !== undefined ? error.cause : error) as object;

/** There was no connection yet, so nothing was sent. */
const isFromConnecting = (error: unknown): boolean => {
  const { code, syscall } = causeOf(error);
  return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect';
};

/** JSON may write a slash as `\/`. */
const hide = (text: string, credentials: string): string =>
  text.replaceAll(credentials, '***').replaceAll(credentials.replaceAll('/', '\\/'), '***');

/** Null when the host is not the name of a host: `name/path` and `user@name` would lead elsewhere. */
const urlOf = (target: ConsoleTarget, path: string): URL | null => {
  const url = URL.parse(`http://${addressOf(target)}${path}`);
  return url?.pathname === path && url.username === '' && url.password === '' ? url : null;
};

const readText = async ({ body }: Response): Promise<{ text: string; isCut: boolean }> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostReplyBytes) return { text, isCut: true };
    text += decoder.decode(chunk, { stream: true });
  }
  return { text: text + decoder.decode(), isCut: false };
};

/** The error codes of Node's own HTTP client, beside those of sockets. */
const clientCodes: readonly (readonly [RegExp, ConnectFailure['outcome']])[] = [
  [/^UND_ERR_\w+_TIMEOUT$/, 'timeout'],
  [/^UND_ERR_(?:SOCKET|RES_CONTENT_LENGTH_MISMATCH|ABORTED|CLOSED|DESTROYED)$/, 'connection lost'],
  [/^(?:HPE_|UND_ERR_|Z_|ERR_)/, 'wrong protocol'],
];

const failureOfRequest = (error: unknown, target: ConsoleTarget): ConnectFailure => {
  const cause = causeOf(error);
  const { code, name } = cause;
  // Bytes that are not HTTP fail without a code.
  const sign = typeof code === 'string' ? code : name === 'HTTPParserError' ? 'HPE_' : '';
  const outcome = clientCodes.find(([pattern]) => pattern.test(sign))?.[1];
  const address = addressOf(target);
  switch (outcome) {
    case 'timeout':
      return { outcome, detail: consoleReasons['console-timeout'](address) };
    case 'connection lost':
      return { outcome, detail: consoleReasons['console-closed'](address) };
    case 'wrong protocol':
      return { outcome, detail: consoleReasons['console-no-rest'](address) };
    default:
      return failureOf(cause, target);
  }
};
