import { randomInt } from 'node:crypto';
import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { longestReply } from '#contracts/servers/games.ts';
import type { Connect, ConsoleTarget } from '../connection.ts';
import { addressOf } from '../wire/connect-failure.ts';
import { type Dialogue, openConsole, type Wire } from '../wire/open-console.ts';
import { mostReplyBytes, type Reply, toReply } from '../wire/reply.ts';
import { endByFence } from './end-by-fence.ts';
import { createFrameDecoder, encodeFrame, type Frame, frameTypes, longestLoginFrameBytes } from './frames.ts';
import { endByQuiet, type ReplyEnd } from './reply-end.ts';
import {
  createHabitsMemory,
  type FenceKind,
  learnClosing,
  learnContinuation,
  learnFence,
  type ServerQuirks,
} from './server-quirks.ts';

/** UTF-8 needs at most three bytes for what counts as one character of a text. */
const keptBytes = longestReply * 3;
/** Counted for a frame without a body, so that empty frames reach the limit too. */
const frameOverheadBytes = 14;

/** A reply that arrives in several frames. */
interface ReplyBytes {
  add(body: Buffer): void;
  isEmpty(): boolean;
  /** More has arrived than any reply contains. */
  isEndless(): boolean;
  /** Decoded over all frames together: one may end in the middle of a character. */
  toReply(isWhole: boolean): Reply;
}

const createReplyBytes = (): ReplyBytes => {
  const kept: Buffer[] = [];
  let keptSoFar = 0;
  let received = 0;
  let isCut = false;
  return {
    add(body) {
      received += body.length + frameOverheadBytes;
      if (keptSoFar > keptBytes) isCut ||= body.length > 0;
      else if (body.length > 0) kept.push(body);
      keptSoFar += body.length;
    },
    isEmpty: () => keptSoFar === 0,
    isEndless: () => received > mostReplyBytes,
    toReply: (isWhole) => toReply(Buffer.concat(kept).toString(), isCut || !isWhole),
  };
};

/** The differences between games. */
export interface SourceRconDialect {
  /** In bytes of UTF-8; the password may not be longer either. */
  readonly longestCommandBytes: number;
  /**
   * The protocol marks no end of a reply.
   * - `odd-type-fence`: after a frame that may be continued, one of an unknown type is sent: its answer comes when the reply is
   * complete. For games that read one frame per segment.
   * - `quiet`: after a frame that may be continued, the reply is complete when no byte follows for `quietMs`.
   */
  readonly endOfReply: 'odd-type-fence' | 'quiet';
  /** A harmless question, for servers that do not answer the odd type. */
  readonly fenceCommand?: string;
  /** Bodies that the game sends unasked. */
  isUnsolicited(body: string): boolean;
  /** Default 250. */
  readonly quietMs?: number;
}

const defaultQuietMs = 250;
const fenceType = 100;
/** Abandoned fences; their answers may still arrive and show that the server does answer. */
const mostRememberedFences = 16;

/** Connects to a game that speaks Source RCON in this dialect. */
export const sourceRcon = (dialect: SourceRconDialect): Connect => {
  const habitsOf = createHabitsMemory();
  return (target, options) =>
    openConsole(target, options, {
      longestCommandBytes: dialect.longestCommandBytes,
      open: (wire) => openDialogue(wire, target, dialect, habitsOf(target)),
    });
};

interface Exchange {
  readonly id: number;
  readonly reply: ReplyBytes;
  readonly end: ReplyEnd;
}

const openDialogue = (
  wire: Wire,
  target: ConsoleTarget,
  dialect: SourceRconDialect,
  quirks: ServerQuirks,
): Dialogue => {
  let isLoggedIn = false;
  // A reply may be one frame of any size, but a large one before the login belongs to another protocol.
  const decoder = createFrameDecoder(() => (isLoggedIn ? mostReplyBytes : longestLoginFrameBytes));
  const address = addressOf(target);
  const takeId = createIds();
  const loginId = takeId();
  const fences = new Map<number, FenceKind>();
  const { fenceCommand, quietMs = defaultQuietMs } = dialect;
  let exchange: Exchange | null = null;
  /** For the last reply that counted as complete. */
  let finished: { readonly id: number; readonly lastFrameBytes: number } | null = null;
  let lastFrameBytes = 0;

  const takeLoginReply = ({ id, type }: Frame) => {
    if (type !== frameTypes.response && type !== frameTypes.loginReply) return refuseProtocol();
    if (id === -1)
      return wire.refuse('authentication failed', consoleReasons['console-password-refused'](address));
    // The empty frame that some servers send first proves nothing.
    if (type === frameTypes.response) return;
    if (id !== loginId) return refuseProtocol();
    isLoggedIn = true;
    wire.ready();
  };

  const takeReply = ({ id, body }: Frame) => {
    const fence = fences.get(id);
    if (fence) {
      fences.delete(id);
      learnFence(quirks, fence, 'answered');
    }
    if (exchange?.end.takeFence(id)) return;
    if (id === finished?.id && body.length > 0) learnContinuation(quirks, finished.lastFrameBytes);
    // An answer to an earlier command does not belong to this one.
    if (!exchange || id !== exchange.id) return;
    lastFrameBytes = body.length;
    exchange.reply.add(body);
    if (exchange.reply.isEndless()) return giveUpEndless(exchange);
    exchange.end.take(body);
  };

  const sendFence = (kind: FenceKind): number => {
    const id = takeId();
    fences.set(id, kind);
    const [oldest] = fences.keys();
    if (fences.size > mostRememberedFences && oldest !== undefined) fences.delete(oldest);
    const isOdd = kind === 'odd type';
    wire.write(encodeFrame(id, isOdd ? fenceType : frameTypes.exec, isOdd ? '' : (fenceCommand ?? '')));
    return id;
  };

  const createEnd = (): ReplyEnd => {
    const options = { hasPartial: decoder.hasPartial, over: finish };
    if (dialect.endOfReply === 'quiet') return endByQuiet(options, quietMs);
    const kinds: FenceKind[] = fenceCommand === undefined ? ['odd type'] : ['odd type', 'command'];
    return endByFence({ ...options, quirks, kinds, sendFence, quietMs });
  };

  const finish = (isWhole: boolean) => {
    const ended = exchange;
    exchange = null;
    if (!ended) return;
    ended.end.stop();
    finished = isWhole ? { id: ended.id, lastFrameBytes } : null;
    wire.answer(ended.reply.toReply(isWhole));
  };

  const giveUpEndless = ({ reply, end }: Exchange) => {
    end.stop();
    exchange = null;
    wire.end('connection lost', consoleReasons['console-reply-endless'], reply.toReply(false));
  };

  const refuseProtocol = () => wire.end('wrong protocol', consoleReasons['console-no-rcon'](address));

  return {
    begin: () => wire.write(encodeFrame(loginId, frameTypes.login, target.password.reveal())),
    receive(bytes) {
      exchange?.end.heard();
      for (const frame of decoder.push(bytes)) {
        if (!wire.isOpen()) return;
        if (dialect.isUnsolicited(frame.body.toString())) continue;
        if (!isLoggedIn) takeLoginReply(frame);
        else if (frame.type === frameTypes.response || frame.type === frameTypes.exec) takeReply(frame);
      }
      if (decoder.isBroken()) refuseProtocol();
      else exchange?.end.caughtUp();
    },
    closedAtLogin: () =>
      decoder.hasPartial()
        ? { outcome: 'wrong protocol', detail: consoleReasons['console-no-rcon'](address) }
        : {
            outcome: 'authentication failed',
            detail: consoleReasons['console-closed-on-rcon-password'](address),
          },
    send(command) {
      lastFrameBytes = 0;
      exchange = { id: takeId(), reply: createReplyBytes(), end: createEnd() };
      wire.write(encodeFrame(exchange.id, frameTypes.exec, command));
    },
    closed() {
      // Also after a reply that was complete before: the server closed because of its fence.
      for (const kind of new Set(fences.values())) learnClosing(quirks, kind);
    },
    unfinished: () =>
      !exchange || exchange.reply.isEmpty() ? null : exchange.reply.toReply(exchange.end.isWhole()),
    stop: () => exchange?.end.stop(),
  };
};

/** Positive, since -1 means a refused login; starts at a random number, so that no fixed answer is ever the right one. */
const createIds = () => {
  let last = randomInt(2 ** 30);
  return (): number => {
    last = last === 2 ** 31 - 1 ? 1 : last + 1;
    return last;
  };
};
