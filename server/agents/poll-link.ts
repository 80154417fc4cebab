import type { ApiFrame } from '#contracts/agent-protocol.ts';
import type { AgentLink, AgentRefused, LinkFacts } from './agent-link.ts';
import { problemOf } from './agent-refusals.ts';

/** One poll in progress: what it is answered. */
export interface PollTurn {
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
export interface PollLink extends AgentLink {
  /** @param holds the poll will wait: it ends the one that waits now */
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

export const createPollLink = (facts: LinkFacts): PollLink => {
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
    ...facts,
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
