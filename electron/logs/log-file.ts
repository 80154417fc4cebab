import { join } from 'node:path';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

export interface LogFile extends AsyncDisposable {
  /** Adds a line; a line that the disk does not take is lost, and nothing else. */
  write(line: string): void;
  /** Resolves at once unless lines come faster than the disk takes them. */
  ready(): Promise<void>;
}

export interface LogFileOptions {
  readonly folder: string;
  /** Such as `api.log`; older files get a number behind. */
  readonly name: string;
  /** Called once per trouble, not once per line. */
  readonly onTrouble: (path: string, error: Error) => void;
  /** As rotating-file-stream writes sizes. */
  readonly size?: `${number}${'K' | 'M'}`;
}

const keptFiles = 5;
/** How long a disk that took nothing is left alone. */
const retryMs = 10_000;

export const openLogFile = ({ folder, name, onTrouble, size = '10M' }: LogFileOptions): LogFile => {
  let stream: RotatingFileStream | null = null;
  let inTrouble = false;
  let retryAtMs = 0;
  let disposed = false;

  const open = (): RotatingFileStream => {
    const opened = createStream(name, { path: folder, size, rotate: keptFiles, mode: 0o600 });
    opened.on('error', (error) => {
      if (stream === opened) stream = null;
      retryAtMs = performance.now() + retryMs;
      if (!inTrouble) onTrouble(join(folder, name), error);
      inTrouble = true;
    });
    return opened;
  };

  return {
    write(line) {
      if (disposed || (!stream && performance.now() < retryAtMs)) return;
      stream ??= open();
      stream.write(`${line}\n`, (error) => {
        if (!error) inTrouble = false;
      });
    },
    async ready() {
      const slow = stream;
      if (!slow?.writableNeedDrain) return;
      await new Promise<void>((resolve) => {
        slow.once('drain', resolve);
        slow.once('close', resolve);
      });
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      const last = stream;
      if (!last || last.destroyed) return;
      await new Promise<void>((resolve) => {
        last.once('close', resolve);
        last.end();
      });
    },
  };
};
