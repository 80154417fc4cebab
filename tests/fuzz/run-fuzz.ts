import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { healthHttp } from '#contracts/operations/health.ts';
import { randomOf } from '../bench/harness/seeded-random.ts';
import type { HostileRequest } from './hostile-requests.ts';
import type { Random } from './hostile-values.ts';

export interface FuzzAnswer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export type Send = (asked: HostileRequest) => Promise<FuzzAnswer>;

const answerMs = 60_000;
/** Between requests that are sent again. */
const againMs = 500;
const mostTries = 3;

/** `?strict` asks for the HTTP status of a stack that is down; here no bot has reported, or one has reported that it failed. */
export const isAskedHealth = (operation: string, { status, text }: FuzzAnswer): boolean =>
  operation === `GET ${healthHttp.stack.path}` &&
  status === 503 &&
  JSON.parse(text || '{}').status === 'down';

/** Sends requests byte by byte as they are, over a few connections. The caller must dispose it. */
export const createSender = (port: number): { readonly send: Send } & Disposable => {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const sendBy = (by: Agent | false, { method, path, headers, body }: HostileRequest): Promise<FuzzAnswer> =>
    new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port,
        path,
        method,
        headers,
        agent: by,
        timeout: answerMs,
      });
      outgoing.on('response', (incoming) => {
        const { statusCode: status = 0, headers: received } = incoming;
        buffer(incoming).then(
          (bytes) => resolve({ status, headers: received, text: bytes.toString() }),
          reject,
        );
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${answerMs} ms`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const sendOnce = (asked: HostileRequest) =>
    // The API may close a connection that was used before; one of its own must bring the answer.
    sendBy(agent, asked)
      .catch(() => sendBy(false, asked))
      .catch((error: unknown) => ({ status: 0, headers: {}, text: String(error) }));
  // Busy is the machine, unless the same request is never answered otherwise.
  const sendUntil = async (asked: HostileRequest, left: number): Promise<FuzzAnswer> => {
    const answer = await sendOnce(asked);
    if (answer.status !== 503 || left <= 1) return answer;
    await delay(againMs);
    return sendUntil(asked, left - 1);
  };
  return {
    send: (asked) => sendUntil(asked, mostTries),
    [Symbol.dispose]: () => agent.destroy(),
  };
};

export interface FuzzFault {
  readonly status: number;
  readonly request: string;
  readonly answer: string;
}

export interface FuzzResult {
  readonly seed: number;
  readonly byStatus: Readonly<Record<number, number>>;
  /** Answers of 5xx, and connections that ended without an answer. */
  readonly faults: readonly FuzzFault[];
  /** Operations none of whose requests was carried out, with their most frequent refusals: nothing behind these was tried. */
  readonly untried: readonly string[];
}

const longest = 600;
const tellEvery = 5000;
const shown = ({ method, path, headers, body = '' }: HostileRequest): string => {
  const { Authorization: _secret, ...others } = headers;
  return `${method} ${path.slice(0, longest)} ${JSON.stringify(others)} ${String(body).slice(0, longest)}`;
};

const formatFault = ({ status, request, answer }: FuzzFault): string =>
  `${status}  ${request}\n     ${answer}`;

/** One request, the operation that it belongs to, and its answer. */
export type Sent = readonly [operation: string, asked: HostileRequest, answer: FuzzAnswer];

/**
 * Sends as many requests, a few at a time, and prints a fault as soon as it is found.
 * @param next makes and sends one; it may look at what earlier answers said
 */
export const runFuzz = async ({
  seed,
  count,
  atOnce = 4,
  isAsked = () => false,
  next,
}: {
  readonly seed: number;
  readonly count: number;
  readonly atOnce?: number;
  /** Whether an answer of 5xx is what the request asked for. */
  readonly isAsked?: (sent: Sent) => boolean;
  readonly next: (random: Random) => Promise<Sent>;
}): Promise<FuzzResult> => {
  const random = randomOf(seed);
  const byStatus: Record<number, number> = {};
  const faults: FuzzFault[] = [];
  /** By operation; null once it was carried out. */
  const refusals = new Map<string, Map<string, number> | null>();
  let left = count;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      if (left > 0 && left % tellEvery === 0) process.stdout.write(`${left} requests left\n`);
      const sent = await next(random);
      const [operation, asked, { status, text }] = sent;
      countRefusal(refusals, operation, status < 400 ? null : refusalIn(status, text));
      byStatus[status] = (byStatus[status] ?? 0) + 1;
      if (status === 0 || (status >= 500 && !isAsked(sent))) {
        const fault = { status, request: shown(asked), answer: text.slice(0, longest) };
        faults.push(fault);
        process.stdout.write(`${formatFault(fault)}\n`);
      }
      await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const untried = [...refusals].flatMap(([operation, counts]) =>
    counts === null ? [] : [`${operation} (${formatRefusals(counts)})`],
  );
  return { seed, byStatus, faults, untried: untried.sort() };
};

const refusalIn = (status: number, text: string): string =>
  `${status} ${/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? ''}`.trim();

const countRefusal = (
  refusals: Map<string, Map<string, number> | null>,
  operation: string,
  refusal: string | null,
): void => {
  const counts = refusals.get(operation);
  if (counts === null || refusal === null) refusals.set(operation, null);
  else refusals.set(operation, new Map(counts).set(refusal, (counts?.get(refusal) ?? 0) + 1));
};

const shownRefusals = 3;
const formatRefusals = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, shownRefusals)
    .map(([refusal, count]) => `${refusal}: ${count}`)
    .join(', ');

/** What a person reads of a run. */
export const formatFuzz = (what: string, { seed, byStatus, faults, untried }: FuzzResult): string => {
  const counts = Object.entries(byStatus).map(([status, count]) => `${status}: ${count}`);
  return [
    `${what}, seed ${seed}: ${counts.join(', ')}`,
    `never carried out: ${untried.length === 0 ? 'none' : ['', ...untried].join('\n  ')}`,
    ...faults.map(formatFault),
  ].join('\n');
};
