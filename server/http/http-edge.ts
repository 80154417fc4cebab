import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { asProblem } from '#runtime/http/problems.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import { answerRaw, rawAnswer } from './raw-answer.ts';

/** Takes a connection over. @throws {Problem} when it may not be upgraded */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

export interface HttpEdgeOptions {
  readonly handler: RequestListener;
  /** The license gate's verdict, which comes before any other answer. */
  readonly refusal: () => Problem | null;
  /** By path; nothing else is upgraded. */
  readonly upgrades: Readonly<Record<string, Upgrade>>;
  readonly log: Log;
}

/**
 * What Node's server would otherwise answer by itself, past the application and so past the license gate: upgrades,
 * CONNECT, and expectations other than 100-continue.
 */
export const guardHttpEdge = (server: Server, { handler, refusal, upgrades, log }: HttpEdgeOptions): void => {
  const refuse = async () => {
    throw new Problem('NOT_FOUND', { detail: 'Nothing is upgraded here.' });
  };
  const guard = (findUpgrade: (request: IncomingMessage) => Upgrade) => {
    return async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // The peer may be gone already; there is nobody left to tell then.
      socket.on('error', () => socket.destroy());
      try {
        const problem = refusal();
        if (problem) throw problem;
        await findUpgrade(request)(request, socket, head);
      } catch (error) {
        const problem = asProblem(error);
        if (problem.code === 'INTERNAL') log.error({ err: error }, 'a connection could not be upgraded');
        answerRaw(socket, problem);
      }
    };
  };
  server.on(
    'upgrade',
    guard(({ url = '', headers }) => {
      const path = url.split('?', 1)[0] ?? '';
      const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
      return (isWebSocket && Object.hasOwn(upgrades, path) && upgrades[path]) || refuse;
    }),
  );
  server.on(
    'connect',
    guard(() => refuse),
  );
  server.on('checkExpectation', handler);
};

/** The answer to bytes that are no HTTP request at all. */
export const answerUnreadable = (refusal: () => Problem | null) => (): string =>
  rawAnswer(refusal() ?? new Problem('INVALID_REQUEST', { detail: 'This is not HTTP.' }));
