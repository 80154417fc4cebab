import type { IncomingMessage } from 'node:http';
import {
  type AgentFrame,
  type ApiFrame,
  agentFrame,
  agentProtocolVersion,
  isUnknownAgentFrame,
  type PollAnswer,
  type PollRequest,
} from '#contracts/agent-protocol.ts';
import { releaseShare } from '#runtime/http/connection-limits.ts';
import { Problem } from '#runtime/problem.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import { storableValue } from '../database/storable-text.ts';
import { type Admit, type Admitted, isAdmitted } from './admission.ts';
import type { AgentCommands } from './agent-commands.ts';
import { problemOf } from './agent-refusals.ts';
import type { AgentSession } from './agent-session.ts';
import type { TakeFrame } from './frame-intake.ts';
import type { Nonces } from './nonces.ts';
import { createPollLink, type PollLink } from './poll-link.ts';
import type { ReleaseOffer } from './release-offer.ts';
import type { RequestOrigin } from './request-origin.ts';

export interface PollsOptions {
  readonly admit: Admit;
  readonly nonces: Nonces;
  readonly commands: AgentCommands;
  readonly tasks: Pick<TaskLane, 'polled'>;
  readonly take: TakeFrame;
  /** A new link to the agent: it takes over the session. */
  readonly arrive: (admitted: Admitted, link: PollLink) => void;
  /** It sent a frame that only a later API knows. */
  readonly passOver: (session: AgentSession, link: PollLink) => void;
  readonly heard: (session: AgentSession) => void;
  readonly welcome: (admitted: Admitted, hello: PollRequest['hello']) => ApiFrame;
  readonly watchFrame: (session: AgentSession) => ApiFrame | null;
  readonly offerRelease: ReleaseOffer;
  readonly holdMs: number;
  readonly now: () => number;
}

/** @throws {Problem} when the agent is not let in */
export type TakePoll = (
  request: PollRequest,
  from: { readonly origin: RequestOrigin; readonly socket: IncomingMessage['socket'] },
) => Promise<PollAnswer>;

/** Budget for polls of one agent. */
const pollLimits = { capacity: 200, refillMs: 50 };

const isOfPolls = (link: AgentSession['link']): link is PollLink => link?.mode === 'polling';

export const createPolls = (options: PollsOptions): TakePoll => {
  const { admit, nonces, commands, tasks, take, arrive, passOver, heard, welcome, holdMs, now } = options;
  const budget = createTokenBuckets(pollLimits, now);

  const demandBudget = (serverId: string) => {
    if (budget.tryTake(serverId) > 0)
      throw new Problem('RATE_LIMITED', {
        detail: 'This agent polls without a pause.',
        headers: { 'Retry-After': '1' },
      });
  };
  const linkOf = (admitted: Admitted): PollLink => {
    const { session, facts } = admitted;
    const { link } = session;
    const isSame = link?.journal === facts.journal && link.version === facts.version && link.isOpen;
    if (isOfPolls(link) && isSame) return link;
    const fresh = createPollLink(facts);
    arrive(admitted, fresh);
    return fresh;
  };
  const takeFrames = async (
    session: AgentSession,
    link: PollLink,
    frames: readonly (SaidFrame | null)[],
    reply: ApiFrame[],
  ) => {
    for (const frame of frames) {
      if (frame === null) passOver(session, link);
      else await take(session, link, frame, (said) => reply.push(said))?.();
    }
  };

  return async ({ hello: told, frames: said, hold }, { origin, socket }) => {
    const hello = storableValue(told);
    const source = { mode: 'polling' as const, origin, isFresh: nonces.isFresh, use: nonces.use };
    const admitted = await admit(hello, source);
    if (!isAdmitted(admitted)) throw problemOf(admitted);
    // Not earlier: reading frames costs far more than refusing a stranger.
    const frames = said.map(readFrame);
    releaseShare(socket);
    const { session } = admitted;
    demandBudget(session.serverId);
    const link = linkOf(admitted);
    heard(session);
    const gone = new AbortController();
    const leave = () => gone.abort();
    socket.once('close', leave);
    const turn = link.begin(hold);
    let answered: ApiFrame[] = [];
    try {
      await takeFrames(session, link, frames, turn.replies);
      // What the last answer carried and the agent does not know was lost on its way.
      commands.sendAgain(session.serverId, link);
      await commands.pump(session.serverId);
      await tasks.polled(session.serverId, link);
      if (hold) await turn.hold(now() + holdMs, gone.signal);
    } finally {
      socket.off('close', leave);
      answered = turn.finish();
    }
    const standing = [options.watchFrame(session), options.offerRelease(hello.agentVersion)?.frame ?? null];
    return {
      v: agentProtocolVersion,
      nonce: nonces.issue(),
      frames: [welcome(admitted, hello), ...answered, ...standing.filter((frame) => frame !== null)],
    };
  };
};

type SaidFrame = Exclude<AgentFrame, { type: 'hello' }>;

/** Null for a frame that only a later API knows. @throws {Problem} INVALID_REQUEST */
const readFrame = (said: unknown, index: number): SaidFrame | null => {
  const { data: frame, error } = agentFrame.safeParse(said);
  if (!frame && isUnknownAgentFrame(said)) return null;
  if (!frame) {
    const place = ['frames', index, ...(error?.issues[0]?.path ?? [])].join('.');
    throw new Problem('INVALID_REQUEST', {
      detail: `A frame is not of a documented shape; look at ${place}.`,
    });
  }
  if (frame.type === 'hello')
    throw new Problem('INVALID_REQUEST', { detail: 'A poll has one hello, in its own field.' });
  return storableValue(frame);
};
