import type { ConsoleTarget } from '../connection.ts';
import { addressOf } from '../wire/connect-failure.ts';

/**
 * Sent to find the end of a reply.
 * - `odd type`: a frame of a type that no server knows, which vanilla answers with `Unknown request`
 * - `command`: a harmless question, which every server answers
 */
export type FenceKind = 'odd type' | 'command';

/**
 * How a server handles a fence. One that was answered counts as `closes` only when the server closed twice in a row: a game that
 * dies while a fence is pending also closes.
 */
type FenceHabit = 'untried' | 'answered' | 'answered, then closed' | 'ignored' | 'closes';

/** Observations of one server; the protocol defines none of them. */
export interface ServerQuirks {
  readonly fences: Record<FenceKind, { readonly habit: FenceHabit; readonly seenMs: number }>;
  /** In bytes: no shorter frame of this server is continued. */
  shortestContinuedBytes: number;
  /** Null while it is unknown, and for good once it has proved wrong. */
  cut: Cut | null;
  isIrregular: boolean;
}

/** Where a server splits its replies: in bytes, characters, or undecided between the two. */
interface Cut {
  readonly bytes: number | null;
  readonly characters: number | null;
}

interface FrameSize {
  readonly bytes: number;
  readonly characters: number;
}

/** The frames of a reply so far. Only their sizes are kept: a hostile server sends hundreds of thousands. */
interface FrameSizes {
  add(body: Buffer): void;
  hasText(): boolean;
  last(): FrameSize | null;
  /** The number of full frames, which are all but the last. */
  fullCount(): number;
  /** Infinity while there is no full one. */
  shortestFullBytes(): number;
  /** The cut that the full frames show; null unless there are at least two, all of one size. */
  cut(): Cut | null;
}

export const createFrameSizes = (): FrameSizes => {
  let last: FrameSize | null = null;
  let shown: Cut | null = null;
  let hasText = false;
  let full = 0;
  let shortest = Number.POSITIVE_INFINITY;
  return {
    add(body) {
      if (last) {
        full += 1;
        shortest = Math.min(shortest, last.bytes);
        shown = full === 1 ? last : shared(shown, last);
      }
      last = { bytes: body.length, characters: body.toString().length };
      hasText ||= body.length > 0;
    },
    hasText: () => hasText,
    last: () => last,
    fullCount: () => full,
    shortestFullBytes: () => shortest,
    cut: () => (full < 2 ? null : shown),
  };
};

const shared = (cut: Cut | null, { bytes, characters }: FrameSize): Cut | null => {
  const isSame = { bytes: cut?.bytes === bytes, characters: cut?.characters === characters };
  if (!isSame.bytes && !isSame.characters) return null;
  return { bytes: isSame.bytes ? bytes : null, characters: isSame.characters ? characters : null };
};

/** No known server splits replies into smaller frames: a shorter frame is the last one. */
const shortestKnownCutBytes = 1000;
const mostServers = 1000;
/** Bytes that a cut may leave unused so as not to split a character. */
const sparedByCut = 3;
/** After this time a fence that the server once ignored or closed on is tried again: it may have been a coincidence. */
const fenceRestMs = 3_600_000;

const unknownQuirks = (): ServerQuirks => ({
  fences: { 'odd type': { habit: 'untried', seenMs: 0 }, command: { habit: 'untried', seenMs: 0 } },
  shortestContinuedBytes: shortestKnownCutBytes,
  cut: null,
  isIrregular: false,
});

/** Remembers servers by address while the process lives; beyond the limit, the one not used for longest is forgotten. */
export const createHabitsMemory = () => {
  const known = new Map<string, ServerQuirks>();
  return (target: ConsoleTarget): ServerQuirks => {
    const address = addressOf(target);
    const quirks = known.get(address) ?? unknownQuirks();
    known.delete(address);
    known.set(address, quirks);
    const [oldest] = known.keys();
    if (known.size > mostServers && oldest !== undefined) known.delete(oldest);
    return quirks;
  };
};

export const fenceHabit = ({ fences }: ServerQuirks, kind: FenceKind): FenceHabit => {
  const { habit, seenMs } = fences[kind];
  const isRested = performance.now() - seenMs >= fenceRestMs;
  return isRested && (habit === 'ignored' || habit === 'closes') ? 'untried' : habit;
};

export const learnFence = (quirks: ServerQuirks, kind: FenceKind, habit: FenceHabit): void => {
  quirks.fences[kind] = { habit, seenMs: performance.now() };
};

/** The connection closed while this fence was pending. */
export const learnClosing = (quirks: ServerQuirks, kind: FenceKind): void => {
  const before = fenceHabit(quirks, kind);
  if (before === 'ignored') return;
  learnFence(quirks, kind, before === 'answered' ? 'answered, then closed' : 'closes');
};

/** Whether the last frame is shorter than the server's frames are when a reply continues. */
export const endsByItsSize = ({ cut, isIrregular }: ServerQuirks, frames: FrameSizes): boolean => {
  const last = frames.last();
  const shown = isIrregular ? null : (frames.cut() ?? cut);
  if (!last || !shown) return false;
  return (
    (shown.bytes === null || last.bytes < shown.bytes - sparedByCut) &&
    (shown.characters === null || last.characters < shown.characters - sparedByCut)
  );
};

/** Learns from a completed reply. */
export const learnCut = (quirks: ServerQuirks, frames: FrameSizes): void => {
  quirks.shortestContinuedBytes = Math.min(frames.shortestFullBytes(), quirks.shortestContinuedBytes);
  if (quirks.isIrregular || frames.fullCount() < 2) return;
  quirks.cut = frames.cut();
  quirks.isIrregular = quirks.cut === null;
};

/** A reply that counted as complete continued after all, after a frame of this size. */
export const learnContinuation = (quirks: ServerQuirks, bytes: number): void => {
  quirks.shortestContinuedBytes = Math.min(quirks.shortestContinuedBytes, bytes);
  quirks.cut = null;
  quirks.isIrregular = true;
};
