import { randomInt } from 'node:crypto';
import type { Connect, ConsoleTarget } from '../connection.ts';
import { addressOf } from '../wire/connect-failure.ts';
import { type Dialogue, openConsole, type Wire } from '../wire/open-console.ts';
import { createFrameDecoder, encodeFrame, type Frame, frameTypes } from './frames.ts';
import { createReplyBytes, type ReplyBytes } from './reply-bytes.ts';

/** Where games differ. */
export interface SourceRconDialect {
  /** Bytes of UTF-8; the password may not be longer either. */
  readonly longestCommandBytes: number;
  /**
   * The protocol marks no end of a reply.
   * - `odd-type-fence`: after a frame that may be continued, one of a type that nobody knows is sent: its answer comes
   *   when the reply is over. For games that read one frame per segment.
   * - `quiet`: after a frame that may be continued, the reply is over when no byte follows for `quietMs`.
   */
  readonly endOfReply: 'odd-type-fence' | 'quiet';
  /** Bodies that the game sends without being asked. */
  isUnsolicited(body: string): boolean;
  /** 250 unless told. */
  readonly quietMs?: number;
}

/** Minecraft cuts at 4096 characters, which are at least as many bytes. */
const fencedBytes = 4096;
/** Nobody has written down where ARK cuts: a frame this large may be continued. Wrong, it costs `quietMs`. */
const continuableBytes = 1024;
const defaultQuietMs = 250;
const fenceType = 100;

/** Connects to a game that speaks Source RCON in this dialect. */
export const sourceRcon =
  (dialect: SourceRconDialect): Connect =>
  (target, options) =>
    openConsole(target, options, {
      longestCommandBytes: dialect.longestCommandBytes,
      open: (wire) => openDialogue(wire, target, dialect),
    });

interface Exchange {
  readonly id: number;
  readonly reply: ReplyBytes;
  fenceId: number | null;
}

const openDialogue = (wire: Wire, target: ConsoleTarget, dialect: SourceRconDialect): Dialogue => {
  const decoder = createFrameDecoder();
  const address = addressOf(target);
  const takeId = createIds();
  const loginId = takeId();
  let isLoggedIn = false;
  let exchange: Exchange | null = null;
  let quiet: NodeJS.Timeout | undefined;
  let late: NodeJS.Immediate | undefined;

  const takeLoginReply = ({ id, type }: Frame) => {
    if (type !== frameTypes.response && type !== frameTypes.loginReply) return refuseProtocol();
    if (id === -1) return wire.refuse('authentication failed', `${address} refused the password.`);
    // The empty frame that some send first proves nothing.
    if (type === frameTypes.response) return;
    if (id !== loginId) return refuseProtocol();
    isLoggedIn = true;
    wire.ready();
  };

  const takeReply = ({ id, body }: Frame) => {
    // What answers a command of before is not for this one.
    if (!exchange || (id !== exchange.id && id !== exchange.fenceId)) return;
    if (id === exchange.fenceId) return finish();
    const wasEmpty = exchange.reply.isEmpty();
    exchange.reply.add(body);
    if (exchange.reply.isEndless()) return giveUpEndless(exchange.reply);
    if (dialect.endOfReply === 'odd-type-fence') fence(exchange, body);
    else awaitQuiet(body, wasEmpty);
  };

  const fence = (current: Exchange, body: Buffer) => {
    if (current.fenceId !== null) return;
    if (body.length < fencedBytes) return finish();
    current.fenceId = takeId();
    wire.write(encodeFrame(current.fenceId, fenceType, ''));
  };

  const awaitQuiet = (body: Buffer, isFirst: boolean) => {
    // An empty frame after others is the last one; an empty first one may be an echo before the reply.
    if (body.length === 0 ? !isFirst : body.length < continuableBytes) return finish();
    startQuiet();
  };

  const startQuiet = () => {
    stopQuiet();
    quiet = setTimeout(() => {
      // What came while this machine was busy elsewhere is read first; a frame that has begun will be continued.
      late = setImmediate(() => (decoder.hasPartial() ? startQuiet() : finish()));
    }, dialect.quietMs ?? defaultQuietMs);
  };
  const stopQuiet = () => {
    clearTimeout(quiet);
    clearImmediate(late);
    quiet = undefined;
  };

  const finish = () => {
    const reply = exchange?.reply.toReply();
    stopQuiet();
    exchange = null;
    if (reply) wire.answer(reply);
  };

  const giveUpEndless = (reply: ReplyBytes) => {
    exchange = null;
    wire.end('connection lost', 'A reply did not end.', { ...reply.toReply(), truncated: true });
  };

  const refuseProtocol = () => wire.end('wrong protocol', `What answers on ${address} does not speak RCON.`);

  return {
    begin: () => wire.write(encodeFrame(loginId, frameTypes.login, target.password.reveal())),
    receive(bytes) {
      if (quiet) startQuiet();
      for (const frame of decoder.push(bytes)) {
        if (!wire.isOpen()) return;
        if (dialect.isUnsolicited(frame.body.toString())) continue;
        if (!isLoggedIn) takeLoginReply(frame);
        else if (frame.type === frameTypes.response || frame.type === frameTypes.exec) takeReply(frame);
      }
      if (decoder.isBroken()) refuseProtocol();
    },
    closedAtLogin: () =>
      decoder.hasPartial()
        ? { outcome: 'wrong protocol', detail: `What answers on ${address} does not speak RCON.` }
        : {
            outcome: 'authentication failed',
            detail: `${address} closed the connection on the password: it is wrong, or the game refuses this address.`,
          },
    send(command) {
      exchange = { id: takeId(), reply: createReplyBytes(), fenceId: null };
      wire.write(encodeFrame(exchange.id, frameTypes.exec, command));
    },
    stop: stopQuiet,
  };
};

/** Positive, since -1 means a refused login; from a random one on, so that no fixed answer is ever the right one. */
const createIds = () => {
  let last = randomInt(2 ** 30);
  return (): number => {
    last = last === 2 ** 31 - 1 ? 1 : last + 1;
    return last;
  };
};
