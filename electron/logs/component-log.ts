import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ComponentName } from '#contracts/operations/stack.ts';
import type { Redact } from '#runtime/redact.ts';
import type { LogFile } from './log-file.ts';

/** The output of a component, on its way into its log file. */
export interface ComponentLog {
  line(text: string): void;
  /** Reads a process's output to its end; waits when the disk is slower than the process. */
  follow(output: Readable): Promise<void>;
  /** The newest lines, for people; `forget` clears them. */
  lastLines(): readonly string[];
  forget(): void;
}

const longestLine = 64 * 1024;
/** Longer than any secret: the rest of a secret that was cut is unrecognizable, so it goes, too. */
const cutMargin = 4096;
const keptLines = 20;
const keptLineLength = 2000;

export const createComponentLog = (
  component: ComponentName | 'demo-portal',
  file: LogFile,
  redact: Redact,
  now: () => Date = () => new Date(),
): ComponentLog => {
  const kept: string[] = [];

  const add = ({ text, cut }: SplitLine) => {
    if (text.trim() === '') return;
    const clean = redact(text);
    const whole = cut ? `${clean.slice(0, -cutMargin)} … (cut)` : clean;
    const record = cut ? null : readRecord(whole);
    file.write(record ? whole : wrap(component, whole, now()));
    kept.push((record ? inWords(record) : whole).slice(0, keptLineLength));
    if (kept.length > keptLines) kept.shift();
  };

  return {
    line: (text) => add({ text: text.slice(0, longestLine), cut: text.length > longestLine }),
    async follow(output) {
      const splitter = createLineSplitter(longestLine);
      for await (const chunk of output) {
        for (const line of splitter.push(chunk)) add(line);
        await file.ready();
      }
      for (const line of splitter.end()) add(line);
    },
    lastLines: () => [...kept],
    forget: () => {
      kept.length = 0;
    },
  };
};

type LogRecord = Readonly<Record<string, unknown>>;

const readRecord = (line: string): LogRecord | null => {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogRecord;
  } catch {
    // Not a line of ours; it is wrapped like any other text.
    return null;
  }
};

/** Turns a line of our own programs into `error: could not open: no such file`. */
const inWords = (record: LogRecord): string => {
  const { level, msg, err } = record as { level?: string; msg?: string; err?: { message?: string } };
  return [level, msg, err?.message].filter((part) => part !== undefined).join(': ');
};

/** The first word of a Postgres line gives its severity. */
const levels: Readonly<Record<string, string>> = {
  WARNING: 'warn',
  ERROR: 'error',
  FATAL: 'error',
  PANIC: 'fatal',
};

const wrap = (component: string, text: string, time: Date): string => {
  const level = levels[/^([A-Z]+): /.exec(text)?.[1] ?? ''] ?? 'info';
  return JSON.stringify({ level, time: time.toISOString(), component, msg: text });
};

interface SplitLine {
  readonly text: string;
  /** The line was longer than the limit; its end was discarded. */
  readonly cut: boolean;
}

interface LineSplitter {
  /** The lines that this chunk completes. */
  push(chunk: Buffer): SplitLine[];
  /** The last line without an end of line, if any. */
  end(): SplitLine[];
}

/** Splits output into lines without ever holding more than `limit` characters; bytes that are not UTF-8 become �. */
export const createLineSplitter = (limit: number): LineSplitter => {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let cut = false;

  const add = (piece: string) => {
    const room = limit - text.length;
    if (piece.length > room) cut = true;
    text += piece.slice(0, Math.max(room, 0));
  };
  const take = (): SplitLine => {
    const line = { text: text.replace(/\r$/, ''), cut };
    text = '';
    cut = false;
    return line;
  };

  return {
    push(chunk) {
      const pieces = decoder.write(chunk).split('\n');
      const last = pieces.pop() ?? '';
      const lines = pieces.map((piece) => {
        add(piece);
        return take();
      });
      add(last);
      return lines;
    },
    end() {
      add(decoder.end());
      return text === '' ? [] : [take()];
    },
  };
};
