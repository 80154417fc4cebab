import { createQuietTimer, type endByQuiet, type ReplyEnd } from './reply-end.ts';
import {
  createFrameSizes,
  endsByItsSize,
  type FenceKind,
  fenceHabit,
  learnCut,
  learnFence,
  type ServerQuirks,
} from './server-quirks.ts';

/**
 * Silence after which a fence counts as ignored; it costs this once per server. The console's thread answers the odd type; the
 * main thread, which may be busy saving the world, answers the command.
 */
const patienceMs = {
  untried: { 'odd type': 1000, command: 2000 },
  answered: { 'odd type': 5000, command: 5000 },
} as const;

/**
 * After a frame that may be continued, a fence is sent: servers process requests in order, so its answer comes when the reply is
 * complete. docs/decisions/0028-when-a-reply-is-whole.md explains what counts as proof.
 */
export const endByFence = (
  options: Parameters<typeof endByQuiet>[0] & {
    readonly quirks: ServerQuirks;
    /** The fences available for this game. */
    readonly kinds: readonly FenceKind[];
    /** Sends one and returns its id. */
    sendFence(kind: FenceKind): number;
    /** The silence that ends a reply when no fence is answered. */
    readonly quietMs: number;
  },
): ReplyEnd => {
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
    // After an ignored fence it has long been quiet.
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
      // Not earlier: a server may close the connection because of the fence although the end of its reply has arrived.
      if (stage === 'to be fenced' && !isDone) sendNext();
    },
    isWhole,
    stop: timer.stop,
  };
};
