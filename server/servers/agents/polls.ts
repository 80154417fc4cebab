import type { IncomingMessage } from 'node:http';
import {
  type AgentFrame,
  type ApiFrame,
  agentFrame,
  agentProtocolVersion,
  isUnknownAgentFrame,
  type PollAnswer,
  type PollRequest,
} from '#contracts/servers/agent-protocol.ts';
import { releaseShare } from '#runtime/http/connection-limits.ts';
import { Problem } from '#runtime/problem.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { TaskLane } from '../agent-tasks/task-lane.ts';
import { type Admit, type Admitted, isAdmitted, problemOf, type RequestOrigin } from './admission.ts';
import type { AgentCommands } from './agent-commands.ts';
import type { Nonces } from './agent-proof.ts';
import type { AgentLink, AgentRefused, AgentSession, LinkFacts } from './agent-session.ts';
import type { TakeFrame } from './frame-intake.ts';

/** One poll in progress: what it is answered. */
interface PollTurn {
  /** What answers this poll's own frames. */
  readonly replies: ApiFrame[];
  /**
   * Settles when there is something to say, or by `untilMs`.
   * @throws {Problem} when another agent takes the place
   */
  hold(untilMs: number, gone: AbortSignal): Promise<void>;
  /** Ends it. @returns the replies, and what there is to say; nothing when no one is there to hear it */
  finish(): ApiFrame[];
}

/** The polls of one agent. What is to be said waits for a poll that can carry it. */
interface PollLink extends AgentLink {
  /** @param holds the poll will wait, and ends the one that is waiting now */
  begin(holds: boolean): PollTurn;
  /** Ends a hold that has lasted long enough. */
  sweep(nowMs: number): void;
}

interface Held {
  readonly untilMs: number;
  /** Ended by a newer one, or without a client: it must not take anything with it. */
  end(isLost: boolean): void;
  refuse(refused: AgentRefused): void;
}

const createPollLink = (facts: LinkFacts): PollLink => {
  let said: ApiFrame[] = [];
  let underWay = 0;
  /** Polls that are answered in a moment: these carry what is said, and a held one keeps waiting. */
  let passing = 0;
  let held: Held | null = null;
  let isOpen = true;

  const begin = (holds: boolean): PollTurn => {
    if (holds) held?.end(true);
    underWay += 1;
    passing += 1;
    let isPassing = true;
    const pass = () => {
      if (isPassing) passing -= 1;
      isPassing = false;
    };
    const replies: ApiFrame[] = [];
    let isLost = false;
    return {
      replies,
      hold(untilMs, gone) {
        pass();
        held?.end(true);
        isLost = gone.aborted;
        // An acknowledgement of heartbeats and events can wait.
        const isUrgent = said.length > 0 || replies.some(({ type }) => type !== 'ack');
        if (!isOpen || isLost || isUrgent) return Promise.resolve();
        return new Promise((resolve, reject) => {
          const leave = () => {
            if (held === own) held = null;
            gone.removeEventListener('abort', hear);
          };
          const hear = () => own.end(true);
          const own: Held = {
            untilMs,
            end(lost) {
              isLost ||= lost;
              leave();
              resolve();
            },
            refuse(refused) {
              leave();
              reject(problemOf(refused));
            },
          };
          held = own;
          gone.addEventListener('abort', hear);
        });
      },
      finish() {
        pass();
        underWay -= 1;
        if (isLost) return [];
        const all = [...replies, ...said];
        said = [];
        return all;
      },
    };
  };

  return {
    facts,
    connectedAt: new Date().toISOString(),
    get isReady() {
      return isOpen && underWay > 0;
    },
    get isOpen() {
      return isOpen;
    },
    send(frame) {
      said.push(frame);
      if (passing === 0) held?.end(false);
    },
    end(_code, _reason, refused) {
      isOpen = false;
      if (refused) held?.refuse(refused);
      else held?.end(false);
    },
    begin,
    sweep(nowMs) {
      if (held && nowMs >= held.untilMs) held.end(false);
    },
  };
};

/** @throws {Problem} when the agent is not admitted */
export type TakePoll = (
  request: PollRequest,
  from: { readonly origin: RequestOrigin; readonly socket: IncomingMessage['socket'] },
) => Promise<PollAnswer>;

/** Budget for polls of one agent. */
const pollLimits = { capacity: 200, refillMs: 50 };

export const isOfPolls = (link: AgentSession['link']): link is PollLink => link?.facts.mode === 'polling';

export const createPolls = (options: {
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
  readonly standing: (session: AgentSession, hello: PollRequest['hello']) => readonly ApiFrame[];
  readonly holdMs: number;
  readonly now: () => number;
}): TakePoll => {
  const { admit, nonces, commands, tasks, take, arrive, passOver, heard, welcome, standing, holdMs, now } =
    options;
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
    const isSame =
      link?.facts.journal === facts.journal && link.facts.version === facts.version && link.isOpen;
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

  return async ({ hello, frames: said, hold }, { origin, socket }) => {
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
    return {
      v: agentProtocolVersion,
      nonce: nonces.issue(),
      frames: [welcome(admitted, hello), ...answered, ...standing(session, hello)],
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
  return frame;
};
