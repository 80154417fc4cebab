import type { ConsoleTarget } from '../connection.ts';
import { addressOf } from '../wire/connect-failure.ts';

/**
 * What is sent to find the end of a reply.
 * - `odd type`: a frame of a type that no server knows, which vanilla answers with `Unknown request`
 * - `command`: a harmless question, which every server answers
 */
export type FenceKind = 'odd type' | 'command';

/** What has been seen of one server; the protocol says none of it. */
export interface ServerHabits {
  readonly fences: Record<FenceKind, 'untried' | 'answered' | 'ignored' | 'closes'>;
  /** Bytes: no shorter frame of this server is continued. */
  shortestContinuedBytes: number;
  /** Null while it is not known, and for good once it was seen to be wrong. */
  cut: Cut | null;
  isIrregular: boolean;
}

/** Where a server cuts its replies, in bytes, characters, or what may be either. */
export interface Cut {
  readonly bytes: number | null;
  readonly characters: number | null;
}

export interface FrameSize {
  readonly bytes: number;
  readonly characters: number;
}

/** No server is known that cuts replies into smaller frames: a shorter frame is the last one. */
const shortestKnownCutBytes = 1000;
const mostServers = 1000;
/** What a cut may leave out so as not to go through a character. */
const sparedByCut = 3;

const unknownHabits = (): ServerHabits => ({
  fences: { 'odd type': 'untried', command: 'untried' },
  shortestContinuedBytes: shortestKnownCutBytes,
  cut: null,
  isIrregular: false,
});

/** Remembers servers by address for as long as the process lives; of too many, the one not used for longest is forgotten. */
export const createHabitsMemory = () => {
  const known = new Map<string, ServerHabits>();
  return (target: ConsoleTarget): ServerHabits => {
    const address = addressOf(target);
    const habits = known.get(address) ?? unknownHabits();
    known.delete(address);
    known.set(address, habits);
    const [oldest] = known.keys();
    if (known.size > mostServers && oldest !== undefined) known.delete(oldest);
    return habits;
  };
};

/** The cut that these full frames show; null unless there are two at least, all of one size. */
const cutOf = (full: readonly FrameSize[]): Cut | null => {
  const [first, ...others] = full;
  if (!first || others.length === 0) return null;
  const bytes = others.every((frame) => frame.bytes === first.bytes) ? first.bytes : null;
  const characters = others.every((frame) => frame.characters === first.characters) ? first.characters : null;
  return bytes === null && characters === null ? null : { bytes, characters };
};

/** Whether the last frame is shorter than the server's frames are where a reply goes on. */
export const endsByItsSize = ({ cut, isIrregular }: ServerHabits, frames: readonly FrameSize[]): boolean => {
  const last = frames.at(-1);
  const shown = isIrregular ? null : (cutOf(frames.slice(0, -1)) ?? cut);
  if (!last || !shown) return false;
  return (
    (shown.bytes === null || last.bytes < shown.bytes - sparedByCut) &&
    (shown.characters === null || last.characters < shown.characters - sparedByCut)
  );
};

/** Learns from a reply that is over. */
export const learnCut = (habits: ServerHabits, frames: readonly FrameSize[]): void => {
  const full = frames.slice(0, -1);
  const shortest = Math.min(...full.map(({ bytes }) => bytes), habits.shortestContinuedBytes);
  habits.shortestContinuedBytes = shortest;
  if (habits.isIrregular || full.length < 2) return;
  habits.cut = cutOf(full);
  habits.isIrregular = habits.cut === null;
};

/** A reply that counted as whole went on after all, behind a frame of this size. */
export const learnContinuation = (habits: ServerHabits, bytes: number): void => {
  habits.shortestContinuedBytes = Math.min(habits.shortestContinuedBytes, bytes);
  habits.cut = null;
  habits.isIrregular = true;
};
