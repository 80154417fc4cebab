import { appendFileSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

export interface GameLog {
  /** All that was written, line by line. */
  readonly lines: readonly string[];
  /** A whole line as it stands in the file; the end of the line is added. */
  write(line: string): void;
  /** To the file alone and as it is, for lines that are cut, endless or hostile. */
  writeRaw(text: string): void;
  /** Puts the file away and begins a new one with the next line, as games do when they start. */
  rotate(to: string): void;
}

export interface GameLogOptions {
  readonly file?: string | undefined;
  /** Whoever else sees the log's lines. */
  readonly onLine?: (line: string) => void;
}

/** Written at once: what a killed simulator had logged is in the file. */
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
