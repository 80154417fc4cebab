import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { asProblem } from '#runtime/http/problems.ts';
import { answerRaw } from '#runtime/http/raw-answer.ts';
import type { Refusal } from '#runtime/http/request-faults.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';

/** Takes a connection over. @throws {Problem} when it may not be upgraded */
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

function destroyBroken(this: Duplex): void {
  this.destroy();
}

/** Handles upgrades, which never reach the application and its license gate. */
export const guardHttpEdge = (
  server: Server,
  {
    refusal,
    upgrades,
    log,
  }: {
    /** The license gate's verdict, which comes before any other answer. */
    readonly refusal: Refusal;
    /** By path; nothing else is upgraded. */
    readonly upgrades: Readonly<Record<string, Upgrade>>;
    readonly log: Log;
  },
): void => {
  const refuse = async () => {
    throw new Problem('NOT_FOUND', { detail: 'Nothing is upgraded here.' });
  };
  const answer = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The peer may already be gone.
    socket.on('error', destroyBroken);
    try {
      const problem = refusal();
      if (problem) throw problem;
      const path = request.url?.split('?', 1)[0] ?? '';
      const upgrade = (Object.hasOwn(upgrades, path) && upgrades[path]) || refuse;
      await upgrade(request, socket, head);
      // From now on the WebSocket handles its own errors.
      socket.off('error', destroyBroken);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.code === 'INTERNAL') log.error({ err: error }, 'could not upgrade a connection');
      answerRaw(socket, problem);
    }
  };
  server.on('upgrade', (request, socket, head) => void answer(request, socket, head));
};
