import { randomBytes } from 'node:crypto';
import { copyFile, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type TaskResult, taskResult } from '#contracts/servers/agent-tasks.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';
import { readJson } from '#runtime/read-json.ts';
import { openJournalFile } from '../journal/journal-file.ts';

/** A task as received; its handler defines what it contains. */
const receivedTask = z.strictObject({
  kind: z.literal('received'),
  id: z.string(),
  task: z.looseObject({ kind: z.string() }),
  expiresInMs: z.number(),
  /** Unix time in milliseconds by this machine's clock. */
  at: z.number(),
});
export type ReceivedTask = z.infer<typeof receivedTask>;

/** A line of the journal, on disk before its event happens or is reported. */
const entry = z.discriminatedUnion('kind', [
  receivedTask,
  z.strictObject({ kind: z.literal('started'), id: z.string() }),
  /** The API has cancelled it: it must not start after a restart, and if it is running it ends where it can. */
  z.strictObject({ kind: z.literal('cancelled'), id: z.string() }),
  z.strictObject({ kind: z.literal('result'), id: z.string(), result: taskResult }),
  /** The API has the result; the id is kept so that nothing is run again. */
  z.strictObject({ kind: z.literal('forgotten'), id: z.string(), result: taskResult, at: z.number() }),
]);
type Entry = z.infer<typeof entry>;
const heading = z.strictObject({
  kind: z.literal('journal'),
  name: z.string().min(1).max(64),
  agentKey: z.string(),
});

interface OpenStage {
  readonly stage: 'received' | 'started';
  readonly task: ReceivedTask;
  readonly isCancelled: boolean;
}

type KnownTask =
  | OpenStage
  | { readonly stage: 'result'; readonly result: TaskResult }
  | { readonly stage: 'forgotten'; readonly result: TaskResult; readonly at: number };

/** The tasks of this agent and their progress; survives its death. All writes resolve when they are on disk. */
export interface TaskJournal extends AsyncDisposable {
  /** The same while nothing that was written is lost. */
  readonly name: string;
  find(id: string): KnownTask | undefined;
  /** Its newest state is not on disk yet, so it must not be reported. */
  isWriting(id: string): boolean;
  /** Written tasks without a result, in order. */
  open(): readonly (OpenStage & { readonly id: string })[];
  results(): readonly string[];
  /** Open tasks and results that the API has not received. */
  readonly size: number;
  receive(task: ReceivedTask): Promise<void>;
  start(id: string): Promise<void>;
  /** Only for a task that has no result yet. */
  cancel(id: string): Promise<void>;
  finish(id: string, result: TaskResult): Promise<void>;
  forget(ids: readonly string[]): Promise<void>;
}

const fileName = 'tasks.journal';
const usualGrowthBytes = 1024 * 1024;
const rememberMs = 48 * 60 * 60 * 1000;

export const lostTask: TaskResult = {
  outcome: 'unknown',
  detail: 'The agent has lost what it knew of this task.',
  value: null,
};

/** @throws {StartupError} when the journal cannot be read or written */
export const openTaskJournal = async (options: {
  readonly stateFolder: string;
  /** A journal that came with another agent's folder is set aside. */
  readonly agentKey: string;
  readonly log: Log;
  readonly now?: () => number;
  readonly growthBytes?: number;
}): Promise<TaskJournal> => {
  const { stateFolder, agentKey, log, now = Date.now, growthBytes = usualGrowthBytes } = options;
  const path = join(stateFolder, fileName);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new StartupError(`The journal ${path} cannot be read: ${error.code}.`, { cause: error });
  });
  const found = replay(text);
  const isForeign = found.heading !== null && found.heading.agentKey !== agentKey;
  if (isForeign) {
    await whenNotBusy(() => rename(path, `${path}.foreign`));
    log.error(
      { kept: `${path}.foreign` },
      'the task journal belongs to another agent; not running its tasks',
    );
  }
  const { tasks, damagedLines, ...kept } = isForeign ? replay('') : found;
  const { name } = kept.heading ?? { name: randomBytes(12).toString('base64url') };
  if (damagedLines > 0) {
    await copyFile(path, `${path}.damaged`);
    log.error({ damagedLines }, 'the task journal is damaged; not running tasks in doubt');
  }

  const encode = (line: Entry | z.infer<typeof heading>) => `${JSON.stringify(line)}\n`;
  const keptLines = () => {
    for (const [id, known] of tasks)
      if (known.stage === 'forgotten' && now() - known.at > rememberMs) tasks.delete(id);
    const lines = [...tasks].flatMap(([id, known]) => entriesOf(id, known));
    return [{ kind: 'journal', name, agentKey } as const, ...lines].map(encode).join('');
  };
  const file = await openJournalFile({ path, kept: keptLines, growthBytes }).catch((error: Error) => {
    throw new StartupError(`The journal ${path} cannot be written: ${error.message}`, { cause: error });
  });
  const writing = new Set<string>();
  const write = async (line: Entry) => {
    writing.add(line.id);
    await file.append(encode(line));
    writing.delete(line.id);
  };
  const written = () => [...tasks].filter(([id]) => !writing.has(id));

  return {
    name,
    find: (id) => tasks.get(id),
    isWriting: (id) => writing.has(id),
    open: () =>
      written().flatMap(([id, known]) =>
        known.stage === 'received' || known.stage === 'started' ? [{ id, ...known }] : [],
      ),
    results: () => written().flatMap(([id, { stage }]) => (stage === 'result' ? [id] : [])),
    get size() {
      return [...tasks.values()].filter(({ stage }) => stage !== 'forgotten').length;
    },
    async receive(task) {
      tasks.set(task.id, { stage: 'received', task, isCancelled: false });
      await write(task);
    },
    async start(id) {
      const known = tasks.get(id);
      if (known?.stage !== 'received') throw new Error('only a task that waits can be started');
      tasks.set(id, { ...known, stage: 'started' });
      await write({ kind: 'started', id });
    },
    async cancel(id) {
      const known = tasks.get(id);
      if (!known || 'result' in known || known.isCancelled) return;
      tasks.set(id, { ...known, isCancelled: true });
      await file.append(encode({ kind: 'cancelled', id }));
    },
    async finish(id, result) {
      tasks.set(id, { stage: 'result', result });
      await write({ kind: 'result', id, result });
    },
    async forget(ids) {
      const at = now();
      const lines = ids.flatMap((id): Entry[] => {
        const known = tasks.get(id);
        if (known?.stage !== 'result' || writing.has(id)) return [];
        return [{ kind: 'forgotten', id, result: { ...known.result, value: null }, at }];
      });
      for (const line of lines) apply(tasks, line);
      await Promise.all(lines.map((line) => file.append(encode(line))));
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
};

const entriesOf = (id: string, known: KnownTask): Entry[] => {
  switch (known.stage) {
    case 'received':
    case 'started':
      return [
        known.task,
        ...(known.stage === 'started' ? [{ kind: 'started' as const, id }] : []),
        ...(known.isCancelled ? [{ kind: 'cancelled' as const, id }] : []),
      ];
    case 'result':
      return [{ kind: 'result', id, result: known.result }];
    case 'forgotten':
      return [{ kind: 'forgotten', id, result: known.result, at: known.at }];
  }
};

/**
 * Reads a journal after its agent's death. An end without a line feed was never confirmed to anyone. A damaged line may have been
 * the start of any task received before it.
 */
const replay = (text: string) => {
  const tasks = new Map<string, KnownTask>();
  let damagedLines = 0;
  const lines = text.split('\n').slice(0, -1);
  const first = readJson(heading, lines[0] ?? '');
  if (first) lines.shift();
  for (const line of lines) {
    const read = readJson(entry, line);
    if (read) {
      apply(tasks, read);
      continue;
    }
    damagedLines += 1;
    for (const [id, { stage }] of tasks)
      if (stage === 'received') tasks.set(id, { stage: 'result', result: lostTask });
    const id = /"id":"([^"\\]{1,64})"/.exec(line)?.[1];
    const stage = id === undefined ? undefined : tasks.get(id)?.stage;
    if (id !== undefined && stage !== 'result' && stage !== 'forgotten')
      tasks.set(id, { stage: 'result', result: lostTask });
  }
  return { heading: first, tasks, damagedLines };
};

const apply = (tasks: Map<string, KnownTask>, read: Entry) => {
  const known = tasks.get(read.id);
  switch (read.kind) {
    case 'received':
      if (!known) tasks.set(read.id, { stage: 'received', task: read, isCancelled: false });
      break;
    case 'started':
      if (known?.stage === 'received') tasks.set(read.id, { ...known, stage: 'started' });
      // The line of its receipt is lost.
      else if (!known) tasks.set(read.id, { stage: 'result', result: lostTask });
      break;
    case 'cancelled':
      if (known && !('result' in known)) tasks.set(read.id, { ...known, isCancelled: true });
      break;
    case 'result':
      if (known?.stage !== 'forgotten') tasks.set(read.id, { stage: 'result', result: read.result });
      break;
    case 'forgotten':
      tasks.set(read.id, { stage: 'forgotten', result: read.result, at: read.at });
  }
};
