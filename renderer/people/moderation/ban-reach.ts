import type { Ban, BanPlaceState } from '#contracts/people/bans.ts';
import type { Tone } from '../../kit/design/state-label.tsx';

/** The progress of a ban, or of its end: on how many of how many servers. */
interface BanReach {
  readonly done: number;
  readonly all: number;
  /** It is over, and another ban of the player is in force on every one of them. */
  readonly isHeld: boolean;
  readonly tone: Tone;
}

const banning = ['waiting', 'in-force', 'unconfirmed', 'unknown', 'refused'] as const;
const lifting = ['lifting', 'lifted', 'lift-unconfirmed', 'lift-refused', 'held'] as const;

/** Only what a game has proven counts as done. */
export const reachOf = ({ endedAt, places }: Pick<Ban, 'endedAt' | 'places'>): BanReach => {
  const count = (states: readonly BanPlaceState[]): number =>
    states.reduce((sum, state) => sum + (places[state] ?? 0), 0);
  const isActive = endedAt === null;
  const all = count(isActive ? banning : lifting);
  const done = count([isActive ? 'in-force' : 'lifted']);
  const isRefused = count([isActive ? 'refused' : 'lift-refused']) > 0;
  const isOpen = count(isActive ? ['waiting', 'unknown'] : ['lifting']) > 0;
  const isHeld = !isActive && all > 0 && count(['held']) === all;
  return { done, all, isHeld, tone: isRefused ? 'warn' : isOpen ? 'busy' : isActive ? 'ok' : 'idle' };
};

export const placeTones: Readonly<Record<BanPlaceState, Tone>> = {
  waiting: 'busy',
  'in-force': 'ok',
  unconfirmed: 'warn',
  unknown: 'warn',
  refused: 'bad',
  lifting: 'busy',
  lifted: 'idle',
  'lift-unconfirmed': 'warn',
  'lift-refused': 'bad',
  never: 'idle',
  held: 'idle',
  gone: 'idle',
};
