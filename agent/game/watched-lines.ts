import { cutText } from './cut-text.ts';

/** Lines of the console or the log, while someone watches. */
export interface WatchedLines {
  /** @param ageMs since it was written, if it is read later */
  add(line: string, ageMs?: number): void;
  /** 0: no one watches any more. */
  watch(seconds: number): void;
  /** At most this many, oldest first; each is returned once. */
  take(most: number): { readonly text: string; readonly ageMs: number }[];
  /** Called when there are lines to take; one listener at a time. */
  listen(listener: () => void): void;
}

const longestLine = 4000;
/** No one reads more; of the rest only the number is reported. */
const mostPerSecond = 500;
const longestWatchMs = 60 * 60 * 1000;

export const createWatchedLines = (now: () => number = () => performance.now()): WatchedLines => {
  let listener: (() => void) | null = null;
  let until = 0;
  let kept: { readonly text: string; readonly seenAtMs: number }[] = [];
  let windowBegan = 0;
  let inWindow = 0;
  let leftOut = 0;

  const put = (text: string, ageMs = 0) => {
    kept.push({ text, seenAtMs: now() - ageMs });
    listener?.();
  };
  return {
    add(line, ageMs) {
      if (now() >= until) {
        kept = [];
        return;
      }
      if (now() - windowBegan >= 1000) {
        windowBegan = now();
        inWindow = 0;
        if (leftOut > 0) put(`… ${leftOut} lines left out`);
        leftOut = 0;
      }
      inWindow += 1;
      if (inWindow > mostPerSecond || kept.length >= mostPerSecond) leftOut += 1;
      else put(cutText(line, longestLine), ageMs);
    },
    watch(seconds) {
      until = seconds > 0 ? now() + Math.min(seconds * 1000, longestWatchMs) : 0;
      if (until === 0) kept = [];
    },
    take: (most) =>
      kept
        .splice(0, most)
        .map(({ text, seenAtMs }) => ({ text, ageMs: Math.max(0, Math.round(now() - seenAtMs)) })),
    listen(next) {
      listener = next;
    },
  };
};
