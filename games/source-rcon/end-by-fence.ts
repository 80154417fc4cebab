import { createQuietTimer, type ReplyEnd, type ReplyEndOptions } from './reply-end.ts';
import {
  createFrameSizes,
  endsByItsSize,
  type FenceKind,
  fenceHabit,
  learnCut,
  learnFence,
  type ServerQuirks,
} from './server-quirks.ts';

export interface FenceEndOptions extends ReplyEndOptions {
  readonly quirks: ServerQuirks;
  /** The fences that this game has. */
  readonly kinds: readonly FenceKind[];
  /** Sends one and returns its id. */
  sendFence(kind: FenceKind): number;
  /** Where no fence is answered. */
  readonly quietMs: number;
}

/**
 * Without a byte, until a fence counts as ignored; it is paid once for each server. The thread of the game's console
 * answers the one, its main thread the other, which may be busy saving the world.
 */
const patienceMs = {
  untried: { 'odd type': 1000, command: 2000 },
  answered: { 'odd type': 5000, command: 5000 },
} as const;

/**
 * After a frame that may be continued a fence is sent: servers work off what they read one after the other, so that its
 * answer comes when the reply is over. Why what counts as proof: docs/decisions/0028-when-a-reply-is-whole.md.
 */
export const endByFence = (options: FenceEndOptions): ReplyEnd => {
  const { quirks, kinds, quietMs } = options;
  const timer = createQuietTimer(options.hasPartial);
  const frames = createFrameSizes();
  const fenceIds = new Set<number>();
  let isDone = false;
  let stage: 'short' | 'to be fenced' | 'fenced' | 'quiet' = 'short';

  const isWhole = () => endsByItsSize(quirks, frames);

  const over = (whole: boolean) => {
    if (isDone) return;
    isDone = true;
    timer.stop();
    learnCut(quirks, frames);
    options.over(whole);
  };

  const sendNext = () => {
    const kind = kinds.find((each) => !['ignored', 'closes'].includes(fenceHabit(quirks, each)));
    if (kind === undefined) return awaitQuiet();
    stage = 'fenced';
    const patience = fenceHabit(quirks, kind) === 'untried' ? patienceMs.untried : patienceMs.answered;
    fenceIds.add(options.sendFence(kind));
    timer.start(patience[kind], () => {
      learnFence(quirks, kind, 'ignored');
      sendNext();
    });
  };

  const awaitQuiet = () => {
    // After a fence that was ignored it has been quiet for long.
    if (stage === 'fenced' || isWhole()) return over(isWhole());
    stage = 'quiet';
    timer.start(quietMs, () => over(isWhole()));
  };

  return {
    take(body) {
      // An empty frame after others is the last one, as Cuberite sends it.
      if (body.length === 0 && frames.hasText()) return over(true);
      frames.add(body);
      if (stage === 'short') {
        if (body.length < quirks.shortestContinuedBytes) over(true);
        else stage = 'to be fenced';
      } else if (stage === 'quiet' && isWhole()) over(true);
    },
    takeFence(id) {
      if (!fenceIds.has(id)) return false;
      over(true);
      return true;
    },
    heard: timer.restart,
    caughtUp() {
      // Not before: a server may close on the fence although the end of its reply is here already.
      if (stage === 'to be fenced' && !isDone) sendNext();
    },
    isWhole,
    stop: timer.stop,
  };
};
