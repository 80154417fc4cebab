import type { CommandOutcome } from '#contracts/servers/games.ts';
import type { Tone } from '../kit/design/state-label.tsx';

/** What the reply of a game proves, if its adapter reads it. */
export const replyVerdicts = ['done', 'failed', 'later', 'unproven'] as const;
type ReplyVerdict = (typeof replyVerdicts)[number];

export const verdictTones = {
  done: 'ok',
  failed: 'bad',
  later: 'warn',
  unproven: 'warn',
} as const satisfies Record<ReplyVerdict, Tone>;

const tones: Partial<Record<CommandOutcome, Tone>> = {
  // A reply alone does not prove that the game obeyed.
  answered: 'idle',
  timeout: 'warn',
  'connection lost': 'warn',
  unknown: 'warn',
  'not ready': 'busy',
  cancelled: 'idle',
  expired: 'idle',
};

export interface OutcomeFacts {
  /** Null while it runs. */
  readonly outcome: CommandOutcome | null;
  /** The reply is an error of the game. */
  readonly isGameError: boolean;
  readonly verdict?: ReplyVerdict | null | undefined;
}

/** How a command ended, the same wherever it is shown: green only if the game's reply proves it, red if the game rejected it. */
export const outcomeView = ({
  outcome,
  isGameError,
  verdict = null,
}: OutcomeFacts): {
  readonly tone: Tone;
  readonly says: 'running' | 'gameError' | { verdict: ReplyVerdict } | { outcome: CommandOutcome };
} => {
  if (outcome === null) return { tone: 'busy', says: 'running' };
  if (isGameError) return { tone: 'bad', says: 'gameError' };
  if (outcome === 'answered' && verdict !== null) return { tone: verdictTones[verdict], says: { verdict } };
  return { tone: tones[outcome] ?? 'bad', says: { outcome } };
};
