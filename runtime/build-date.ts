import { statSync } from 'node:fs';
import { isAhead } from './is-ahead.ts';

/**
 * When this program was built: its file has that date wherever it is installed, as archives and installers keep it. 0: unknown. A file
 * can be given any date, so it proves no more than that a clock is behind.
 */
const readBuiltMs = (): number => {
  try {
    return statSync(import.meta.filename).mtimeMs;
  } catch {
    // Inside a single executable, the file has no path of its own.
    return 0;
  }
};

const builtMs = readBuiltMs();

/** Whether a clock shows a time before this program was built, as after a start with an empty battery: it is behind. */
export const isBeforeBuild = (nowMs: number): boolean => isAhead(builtMs, nowMs);
