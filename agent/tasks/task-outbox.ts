import {
  type AgentCapability,
  type AgentFrame,
  agentFrame,
  agentProtocolVersion,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import type {
  MachineFacts,
  ProcessReport,
  TaskProgress,
  TaskResult,
} from '#contracts/servers/agent-tasks.ts';
import type { Log } from '#runtime/log.ts';
import { type Budget, type EncodedFrame, encodeFrame } from '../connection/outbox.ts';
import { createReceipts, type QueuedFrame } from '../connection/receipts.ts';
import type { TaskNews } from './task-executor.ts';
import type { TaskJournal } from './task-journal.ts';

/** Everything to be sent to the API about tasks and the machine, each thing once per connection and again on the next. */
export interface TaskOutbox extends TaskNews {
  processChanged(): void;
  machineChanged(): void;
  /** Starts a new connection, to an API with these capabilities. */
  rewind(capabilities: readonly string[]): void;
  /** What has not been sent yet, as far as it fits; it then counts as sent. */
  compose(budget: Budget): EncodedFrame[];
  /** Called when there is something to send; one listener at a time. */
  listen(listener: (() => void) | null): void;
}

const v = agentProtocolVersion;

/** Half of a poll is for tasks. A larger frame would never fit, and nothing behind it would ever be sent. */
const largestQueuedFrameBytes = (largestAgentFrame * 3) / 8;

/** Null when the API would not accept it: it closes the connection on an invalid frame. */
const encodeSound = (frame: AgentFrame): EncodedFrame | null => {
  if (!agentFrame.safeParse(frame).success) return null;
  const text = encodeFrame(frame);
  return Buffer.byteLength(text) <= largestQueuedFrameBytes ? text : null;
};

const untold: TaskResult = {
  outcome: 'failed',
  detail: 'What the agent found cannot be told in a result.',
  value: null,
};

/** The replacement for a frame that cannot be sent; null: none. */
const replacementOf = (frame: AgentFrame): EncodedFrame | null => {
  if (frame.type === 'task-result') return encodeSound({ ...frame, result: untold });
  if (frame.type !== 'process') return null;
  const { lastCrash, ...process } = frame.process;
  return (
    encodeSound({ ...frame, process: { ...process, lastCrash: lastCrash && { ...lastCrash, lines: [] } } }) ??
    encodeSound({ ...frame, process: { ...process, detail: null, lastCrash: null } })
  );
};

/** Its state and detail say the same to an API without the capability. */
const withoutProgram = ({ program: _, ...process }: ProcessReport): ProcessReport => process;

export const createTaskOutbox = (options: {
  readonly journal: Pick<TaskJournal, 'name' | 'find' | 'open' | 'results'>;
  readonly machine: () => MachineFacts;
  readonly process: () => ProcessReport;
  readonly log: Log;
  readonly progressEveryMs?: number;
}): TaskOutbox => {
  const { journal, machine, process, log, progressEveryMs = 1000 } = options;
  const progress = new Map<string, TaskProgress>();
  const progressSaidMs = new Map<string, number>();
  let isOpen = false;
  let takesProgram = false;
  let isMachineDue = false;
  let isProcessDue = false;
  let listener: (() => void) | null = null;
  let later: NodeJS.Timeout | undefined;
  const tell = () => listener?.();
  const complainedOf = new Set<AgentFrame['type']>();
  const encode = (frame: AgentFrame): EncodedFrame | null => {
    const text = encodeSound(frame);
    if (text !== null) return text;
    if (!complainedOf.has(frame.type))
      log.error(
        { type: frame.type },
        'a frame is not valid for the API; sending it shortened or leaving it out',
      );
    complainedOf.add(frame.type);
    return replacementOf(frame);
  };

  const receipts = createReceipts<TaskResult>({
    resultOf(id) {
      const known = journal.find(id);
      return known && 'result' in known ? known.result : null;
    },
    acceptedFrame: (taskIds) => ({ v, type: 'tasks-accepted', taskIds }),
    resultFrame: (taskId, result) => ({ v, type: 'task-result', taskId, result }),
  });
  const nextProgress = (): QueuedFrame | null => {
    const nowMs = performance.now();
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const [taskId, newest] of progress) {
      const dueMs = (progressSaidMs.get(taskId) ?? Number.NEGATIVE_INFINITY) + progressEveryMs;
      if (dueMs > nowMs) {
        soonestMs = Math.min(soonestMs, dueMs);
        continue;
      }
      return {
        frame: { v, type: 'task-progress', taskId, progress: newest },
        markSent() {
          progress.delete(taskId);
          progressSaidMs.set(taskId, nowMs);
        },
      };
    }
    clearTimeout(later);
    if (Number.isFinite(soonestMs)) later = setTimeout(tell, Math.max(1, soonestMs - nowMs)).unref();
    return null;
  };
  const nextFrame = (): QueuedFrame | null => {
    if (isMachineDue)
      return {
        frame: { v, type: 'machine', taskJournal: journal.name, machine: machine() },
        markSent: () => {
          isMachineDue = false;
        },
      };
    if (isProcessDue)
      return {
        frame: { v, type: 'process', process: takesProgram ? process() : withoutProgram(process()) },
        markSent: () => {
          isProcessDue = false;
        },
      };
    return receipts.next() ?? nextProgress();
  };

  return {
    accepted(id) {
      receipts.accepted(id);
      tell();
    },
    finished(id) {
      progress.delete(id);
      progressSaidMs.delete(id);
      receipts.finished(id);
      tell();
    },
    progress(id, newest) {
      progress.set(id, newest);
      tell();
    },
    processChanged() {
      isProcessDue = true;
      tell();
    },
    machineChanged() {
      isMachineDue = true;
      // An API that starts again treats a process report that precedes its machine report as outdated.
      isProcessDue = true;
      tell();
    },
    rewind(capabilities) {
      isOpen = capabilities.includes('tasks' satisfies AgentCapability);
      takesProgram = capabilities.includes('program-fault' satisfies AgentCapability);
      isMachineDue = true;
      isProcessDue = true;
      for (const { id } of journal.open()) receipts.accepted(id);
      for (const id of journal.results()) receipts.finished(id);
    },
    compose({ bytes, frames }) {
      const composed: EncodedFrame[] = [];
      let left = bytes;
      while (isOpen && composed.length < frames) {
        const next = nextFrame();
        if (!next) break;
        const text = encode(next.frame);
        if (text === null) {
          next.markSent();
          continue;
        }
        left -= Buffer.byteLength(text) + 1;
        if (left < 0) break;
        next.markSent();
        composed.push(text);
      }
      return composed;
    },
    listen(next) {
      listener = next;
      if (next === null) clearTimeout(later);
    },
  };
};
