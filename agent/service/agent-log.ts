import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';

const fullBytes = 5 * 2 ** 20;
const keptFiles = 3;

/**
 * Appends to a log file immediately, so that lines written before a crash are there; a full file becomes `<file>.1`. Lines that
 * the disk does not accept are lost, and nothing else.
 */
export const openAgentLog = (path: string, full = fullBytes) => {
  let bytes = sizeOf(path);
  return (line: string): void => {
    try {
      if (bytes >= full) {
        rotate(path);
        bytes = 0;
      }
      appendFileSync(path, line, { mode: 0o600 });
      bytes += Buffer.byteLength(line);
    } catch {
      // The same line also goes to standard error.
    }
  };
};

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const rotate = (path: string): void => {
  rmSync(`${path}.${keptFiles}`, { force: true });
  for (let number = keptFiles - 1; number >= 0; number -= 1) {
    const from = number === 0 ? path : `${path}.${number}`;
    if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${number + 1}`);
  }
};
