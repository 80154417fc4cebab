import {
  type AgentCapability,
  type AgentFrame,
  agentProtocolVersion,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { CommandNews } from '../commands/command-executor.ts';
import type { EventBuffer } from '../game/event-buffer.ts';
import type { WatchedLines } from '../game/watched-lines.ts';
import type { CommandJournal } from '../journal/command-journal.ts';
import { createReceipts, type QueuedFrame } from './receipts.ts';

/** A frame as sent over the wire. */
export type EncodedFrame = string;

export const encodeFrame = (frame: AgentFrame): EncodedFrame => JSON.stringify(frame);

export interface Budget {
  readonly bytes: number;
  readonly frames: number;
}

/**
 * Receipts, results and events are sent once per connection, and again on the next one until they are acknowledged; watched lines
 * are sent once. Tasks and heartbeats have their own queues.
 */
export interface Outbox extends CommandNews {
  /** Starts a new connection, to an API with these capabilities: anything sent on the last one may be lost. */
  rewind(capabilities: readonly string[]): void;
  /** What has not been sent yet, as far as it fits; it then counts as sent. */
  compose(budget: Budget): EncodedFrame[];
  /** Called when there is something to send; one listener at a time. */
  listen(listener: (() => void) | null): void;
  /** Announces that there is something to send from elsewhere. */
  poke(): void;
}

const v = agentProtocolVersion;
const mostEvents = 100;
const mostLines = 200;
/** Lists of small parts stay well below the limit of one frame. */
const listBytes = largestAgentFrame / 4;
/** At most 4000 characters, each of up to six bytes (an escaped control character). */
const mostLineBytes = 4000 * 6 + 100;
/** Fewer are not worth a frame. */
const linesAtOnce = 4;

export const createOutbox = ({
  journal,
  events,
  lines,
}: {
  readonly journal: Pick<CommandJournal, 'find' | 'waiting' | 'results'>;
  readonly events: EventBuffer;
  readonly lines: Pick<WatchedLines, 'take'>;
}): Outbox => {
  let sentEvents = 0;
  let takesEvidence = false;
  let listener: (() => void) | null = null;

  const receipts = createReceipts<CommandResult>({
    resultOf(id) {
      const known = journal.find(id);
      return known && 'result' in known ? known.result : null;
    },
    acceptedFrame: (commandIds) => ({ v, type: 'accepted', commandIds }),
    resultFrame: (commandId, result) => ({
      v,
      type: 'result',
      commandId,
      result: takesEvidence ? result : withoutEvidence(result),
    }),
  });
  const nextEvents = (): QueuedFrame | null => {
    const batch = fitting(events.after(sentEvents, mostEvents));
    const last = batch.at(-1);
    if (!last) return null;
    return {
      frame: { v, type: 'events', events: batch },
      markSent: () => {
        sentEvents = last.number;
      },
    };
  };
  const nextFrame = () => receipts.next() ?? nextEvents();

  const tell = () => listener?.();
  return {
    accepted(id) {
      receipts.accepted(id);
      tell();
    },
    finished(id) {
      receipts.finished(id);
      tell();
    },
    rewind(capabilities) {
      takesEvidence = capabilities.includes('result-evidence' satisfies AgentCapability);
      for (const { id } of journal.waiting()) receipts.accepted(id);
      for (const id of journal.results().keys()) receipts.finished(id);
      sentEvents = events.acknowledged();
    },
    compose({ bytes, frames }) {
      const composed: EncodedFrame[] = [];
      let left = bytes;
      const add = (text: EncodedFrame) => {
        left -= Buffer.byteLength(text) + 1;
        composed.push(text);
      };
      while (composed.length < frames) {
        const next = nextFrame();
        if (!next) break;
        const text = encodeFrame(next.frame);
        if (Buffer.byteLength(text) > left) return composed;
        next.markSent();
        add(text);
      }
      // Lines are gone once taken, so they are taken only if the longest ones fit.
      if (composed.length < frames && left > mostLineBytes * linesAtOnce) {
        const taken = lines.take(Math.min(mostLines, Math.floor(left / mostLineBytes)));
        if (taken.length > 0) add(encodeFrame({ v, type: 'lines', lines: taken }));
      }
      return composed;
    },
    listen(next) {
      listener = next;
    },
    poke: tell,
  };
};

const withoutEvidence = ({ connection: _, logLine: __, ...result }: CommandResult): CommandResult => result;

const fitting = <T>(parts: readonly T[]): T[] => {
  let left = listBytes;
  const end = parts.findIndex((part) => {
    left -= Buffer.byteLength(JSON.stringify(part)) + 1;
    return left < 0;
  });
  return parts.slice(0, end === -1 ? parts.length : Math.max(1, end));
};
