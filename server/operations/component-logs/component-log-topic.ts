import type { ComponentLogRow, LogComponent } from '#contracts/operations/component-logs.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { Redact } from '#runtime/redact.ts';
import { encodeMessage, type LiveTopic, type Subscriber } from '../../kernel/live/live-topic.ts';
import {
  formatPosition,
  isBefore,
  type ListedFile,
  type LogPosition,
  listLogFiles,
  readPosition,
} from './log-files.ts';
import { rowOf } from './log-row.ts';
import { endOfLog, type LoggedLine, type ReadForwards, readForwards } from './read-lines.ts';

/** The log of one component as it grows. */
export const createComponentLogTopic = (options: {
  readonly folder: string;
  readonly redact: Redact;
  readonly log: Log;
}): LiveTopic => {
  const followers = new Map<LogComponent, LogFollower>();

  const followerOf = (component: LogComponent): LogFollower => {
    const present = followers.get(component);
    if (present) return present;
    const follower = createLogFollower({ ...options, component });
    followers.set(component, follower);
    return follower;
  };

  return {
    subscribe(subscriber, { component, since }) {
      if (!component) throw new TypeError('a log is always that of one component');
      return followerOf(component).join(subscriber, since === null ? null : readPosition(since));
    },
    [Symbol.dispose]() {
      for (const follower of followers.values()) follower[Symbol.dispose]();
    },
  };
};

/** How often the file is checked. It is not watched: not every file system reports changes. */
const lookMs = 400;
/** A client that was away for longer than this many bytes reads the list again. */
const farthestBack = 8 * 1024 * 1024;

/** It is read only while someone watches. */
interface LogFollower extends Disposable {
  /** @param since where the client has read up to; null: from now on */
  join(subscriber: Subscriber, since: LogPosition | null): Disposable;
}

interface Reader {
  readonly subscriber: Subscriber;
  readonly since: LogPosition | null;
  readonly buffer: RowBuffer;
  isHere: boolean;
}

const createLogFollower = ({
  folder,
  component,
  redact,
  log,
}: {
  readonly folder: string;
  readonly component: LogComponent;
  readonly redact: Redact;
  readonly log: Log;
}): LogFollower => {
  const readers = new Set<Reader>();
  let arrivals: Reader[] = [];
  /** The position that all readers have reached; null while there are none. */
  let position: LogPosition | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isInTrouble = false;

  const fill = (buffers: readonly RowBuffer[], lines: readonly LoggedLine[]) => {
    const newest = lines
      .slice(-mostRows)
      .map((line) => measureRow(rowOf(component, { ...line, text: redact(line.text) })));
    for (const buffer of buffers) buffer.add(newest, lines.length - newest.length);
  };

  /** Sends a reader what was written since its client last read, up to the position of all others. */
  const admit = async (reader: Reader, files: readonly ListedFile[], here: LogPosition) => {
    const { subscriber, since, buffer } = reader;
    const resumed = since !== null && isNear(files, since, here);
    if (resumed) for await (const { lines } of readOn(files, since)) fill([buffer], lines);
    if (!reader.isHere) return;
    const cursor = formatPosition(resumed ? since : here);
    subscriber.send(encodeMessage({ type: 'subscribed', topic: 'log', component, cursor, resumed }));
    readers.add(reader);
  };

  const look = async () => {
    // A client that arrives while the files are read may know a newer end of them.
    const arrived = arrivals;
    arrivals = [];
    try {
      const files = await listLogFiles(folder, component);
      position ??= await endOfLog(files);
      for await (const read of readOn(files, position)) {
        fill(buffersOf(readers), read.lines);
        // Immediately: if the next read fails, this one is not repeated.
        position = read.position;
      }
      for (const reader of arrived) await admit(reader, files, position);
      flush(readers, component, position);
      isInTrouble = false;
    } catch (error) {
      if (!isInTrouble) log.warn({ err: error, component }, "could not read a component's log");
      isInTrouble = true;
      for (const reader of arrived)
        if (reader.isHere && !readers.has(reader)) refuse(reader, component, error);
    }
  };

  const lookAgain = async () => {
    clearTimeout(timer);
    if (isLooking) return;
    isLooking = true;
    await look();
    isLooking = false;
    if (arrivals.length > 0) return void lookAgain();
    if (readers.size > 0) timer = setTimeout(() => void lookAgain(), lookMs).unref();
    else position = null;
  };

  return {
    join(subscriber, since) {
      const reader = { subscriber, since, buffer: createRowBuffer(), isHere: true };
      arrivals.push(reader);
      void lookAgain();
      return {
        [Symbol.dispose]() {
          reader.isHere = false;
          readers.delete(reader);
        },
      };
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const reader of [...arrivals, ...readers]) reader.isHere = false;
      arrivals = [];
      readers.clear();
    },
  };
};

/** Everything that was written between this place and the listing of the files. */
async function* readOn(files: readonly ListedFile[], from: LogPosition): AsyncGenerator<ReadForwards> {
  for (let position = from, isMore = true; isMore; ) {
    const read = await readForwards(files, position);
    yield read;
    ({ position, isMore } = read);
  }
}

const buffersOf = (readers: ReadonlySet<Reader>): RowBuffer[] => [...readers].map(({ buffer }) => buffer);

/** Whether what is in between still exists, and is not too much. */
const isNear = (files: readonly ListedFile[], since: LogPosition, here: LogPosition): boolean => {
  const between = files.filter(({ number }) => number >= since.file && number <= here.file);
  if (between[0]?.number !== since.file || isBefore(here, since)) return false;
  return between.reduce((sum, { bytes }) => sum + bytes, 0) - since.offset <= farthestBack;
};

const flush = (readers: ReadonlySet<Reader>, component: LogComponent, position: LogPosition): void => {
  for (const { subscriber, buffer } of readers) {
    if (buffer.isEmpty() || !subscriber.isReady()) continue;
    const cursor = formatPosition(position);
    subscriber.send(encodeMessage({ type: 'log', component, ...buffer.take(), cursor }));
  }
};

const refuse = ({ subscriber }: Reader, component: LogComponent, error: unknown): void =>
  subscriber.send(
    encodeMessage({
      type: 'ended',
      topic: 'log',
      component,
      code: error instanceof Problem ? error.code : 'INTERNAL',
      detail: 'The log of this component cannot be read at the moment.',
    }),
  );

/** Limit for what waits for one client: the newest rows, at most this many and this long together. */
const mostRows = 500;
const mostCharacters = 256 * 1024;

/** A row, and its length on the wire. */
interface MeasuredRow {
  readonly row: ComponentLogRow;
  readonly characters: number;
}

const measureRow = (row: ComponentLogRow): MeasuredRow => ({
  row,
  characters: JSON.stringify(row).length,
});

interface RowBuffer {
  /** @param skipped how many lines before these no one wants to see */
  add(rows: readonly MeasuredRow[], skipped: number): void;
  isEmpty(): boolean;
  /** Everything that waits, and how many lines before it were left out. */
  take(): { readonly rows: ComponentLogRow[]; readonly skipped: number };
}

/** Rows for one client, bounded however fast they come and however slowly it takes them. */
const createRowBuffer = (): RowBuffer => {
  let waiting: MeasuredRow[] = [];
  let characters = 0;
  let skipped = 0;
  return {
    add(rows, skippedBefore) {
      if (skippedBefore > 0) {
        skipped += waiting.length + skippedBefore;
        waiting = [];
        characters = 0;
      }
      for (const row of rows) {
        waiting.push(row);
        characters += row.characters;
      }
      while (waiting.length > mostRows || characters > mostCharacters) {
        characters -= waiting.shift()?.characters ?? 0;
        skipped += 1;
      }
    },
    isEmpty: () => waiting.length === 0 && skipped === 0,
    take() {
      const all = { rows: waiting.map(({ row }) => row), skipped };
      waiting = [];
      characters = 0;
      skipped = 0;
      return all;
    },
  };
};
