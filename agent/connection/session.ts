import {
  type AgentCapability,
  type ApiFrame,
  agentProtocolVersion,
} from '#contracts/servers/agent-protocol.ts';
import type { CommandExecutor } from '../commands/command-executor.ts';
import type { ChatReader } from '../game/chat-reader.ts';
import type { EventBuffer } from '../game/event-buffer.ts';
import type { GameView } from '../game/game-view.ts';
import type { WatchedLines } from '../game/watched-lines.ts';
import type { TaskExecutor } from '../tasks/task-executor.ts';
import type { TaskOutbox } from '../tasks/task-outbox.ts';
import { createHeartbeats } from './heartbeats.ts';
import { type Budget, type EncodedFrame, encodeFrame, type Outbox } from './outbox.ts';

/** The parts of the agent that every connection reports. */
export interface Subjects {
  readonly reading: GameView['reading'];
  readonly executor: CommandExecutor;
  readonly events: EventBuffer;
  readonly lines: WatchedLines;
  readonly outbox: Outbox;
  readonly tasks: TaskExecutor;
  readonly taskOutbox: TaskOutbox;
  /** Names the agent's journal of commands. */
  readonly commandJournal: string;
  readonly chat: Pick<ChatReader, 'setForms' | 'take' | 'rewind'>;
  /** Called when a newer version of the agent is offered, with the signed release in base64. */
  readonly onRelease: (release: string) => void;
}

/** What is sent and received on one connection once the API has proven itself; the transport is not its concern. */
export interface Session extends Disposable {
  hear(frame: ApiFrame): void;
  /** What to send now, as far as it fits. */
  compose(budget: Budget): EncodedFrame[];
}

/** Frames about tasks each time it sends. */
const mostOfTasks = 10;
/** No API means a shorter interval, so it is not kept. */
const leastMs = 50;
const mostMs = 60 * 60_000;
const bounded = (ms: number) => Math.min(mostMs, Math.max(leastMs, ms));

export const openSession = (options: {
  readonly subjects: Subjects;
  readonly welcome: Extract<ApiFrame, { type: 'welcome' }>;
  /** There is something to send. */
  readonly onNews: () => void;
  /** The first heartbeat was acknowledged. */
  readonly onAcknowledged: () => void;
  readonly onSilence: () => void;
}): Session => {
  const { subjects, welcome, onNews, onAcknowledged, onSilence } = options;
  const { reading, executor, events, lines, outbox, tasks, taskOutbox, commandJournal, chat, onRelease } =
    subjects;
  const heartbeats = createHeartbeats(reading);
  const { capabilities = [] } = welcome;
  let isJournalDue = capabilities.includes('command-journal' satisfies AgentCapability);
  let isBeatDue = true;
  let wasAcknowledged = false;

  const tellsReading = capabilities.includes('chat-forms' satisfies AgentCapability);
  chat.rewind();
  outbox.rewind(capabilities);
  outbox.listen(onNews);
  taskOutbox.rewind(capabilities);
  taskOutbox.listen(onNews);
  const pulse = setInterval(
    () => {
      isBeatDue = true;
      onNews();
    },
    bounded(welcome.heartbeatSeconds * 1000),
  );
  // Without an acknowledgement for this long, the API counts as gone.
  const silence = setTimeout(onSilence, bounded(welcome.staleSeconds * 1000));

  return {
    hear(frame) {
      switch (frame.type) {
        case 'ack':
          if (frame.events !== null) events.acknowledge(frame.events);
          if (frame.heartbeat === null) return;
          silence.refresh();
          heartbeats.acknowledge(frame.heartbeat);
          if (!wasAcknowledged) onAcknowledged();
          wasAcknowledged = true;
          return;
        case 'command':
          return executor.take(frame);
        case 'received':
          return executor.forget(frame.commandIds);
        case 'watch':
          return lines.watch(frame.seconds);
        case 'task':
          return tasks.take(frame);
        case 'task-cancel':
          return tasks.cancel(frame.id);
        case 'tasks-received':
          return tasks.forget(frame.taskIds);
        case 'chat-forms':
          return chat.setForms(frame.forms);
        case 'release':
          return onRelease(frame.release);
      }
    },
    compose({ bytes, frames }) {
      const composed: EncodedFrame[] = [];
      // Before everything else: how the API handles commands of an earlier connection depends on it.
      if (isJournalDue)
        composed.push(
          encodeFrame({ v: agentProtocolVersion, type: 'command-journal', journal: commandJournal }),
        );
      isJournalDue = false;
      if (isBeatDue) composed.push(encodeFrame(heartbeats.beat()));
      isBeatDue = false;
      const chatReading = tellsReading ? chat.take() : null;
      if (chatReading !== null)
        composed.push(encodeFrame({ v: agentProtocolVersion, type: 'chat-reading', ...chatReading }));
      const usedBy = (texts: readonly EncodedFrame[]) =>
        texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
      // Few and small; lines of a watched log must not crowd them out.
      const ofTasks = { bytes: (bytes - usedBy(composed)) / 2, frames: mostOfTasks };
      composed.push(...taskOutbox.compose(ofTasks));
      const left = { bytes: bytes - usedBy(composed), frames: frames - composed.length };
      return [...composed, ...outbox.compose(left)];
    },
    [Symbol.dispose]() {
      clearInterval(pulse);
      clearTimeout(silence);
      outbox.listen(null);
      taskOutbox.listen(null);
      lines.watch(0);
    },
  };
};
