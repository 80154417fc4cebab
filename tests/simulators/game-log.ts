import { appendFileSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

export interface GameLog {
  /** All written lines. */
  readonly lines: readonly string[];
  /** Writes a complete line of the file; the line end is added. */
  write(line: string): void;
  /** Writes text unchanged to the file only, for truncated, endless or hostile lines. */
  writeRaw(text: string): void;
  /** Renames the file and begins a new one with the next line, as games do when they start. */
  rotate(to: string): void;
}

export interface GameLogOptions {
  readonly file?: string | undefined;
  /** Also receives the log's lines. */
  readonly onLine?: (line: string) => void;
}

/** Written synchronously, so that the lines of a killed simulator are in the file. */
export const openGameLog = ({ file, onLine }: GameLogOptions): GameLog => {
  const lines: string[] = [];
  const append = (text: string) => {
    if (file) appendFileSync(file, text);
  };
  if (file) mkdirSync(dirname(file), { recursive: true });
  append('');
  return {
    lines,
    write(line) {
      lines.push(line);
      append(`${line}\n`);
      onLine?.(line);
    },
    writeRaw: append,
    rotate(to) {
      if (!file) throw new Error('there is no log file');
      renameSync(file, to);
      append('');
    },
  };
};
