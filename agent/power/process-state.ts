import type { PowerAction, ProcessReport } from '#contracts/agent-tasks.ts';
import { cutText } from '../game/cut-text.ts';
import type { GameExit } from './holder/holder-record.ts';
import type { Sighting } from './ways/start-way.ts';

interface Facts {
  readonly seen: Sighting | null;
  readonly current: {
    readonly kind: PowerAction;
    readonly isStarting: boolean;
    readonly step: string;
  } | null;
  readonly hasGivenUp: boolean;
  readonly nextStartMs: number | null;
}

export const stateOf = ({
  seen,
  current,
  hasGivenUp,
  nextStartMs,
}: Facts): Pick<ProcessReport, 'state' | 'detail'> => {
  if (current) {
    const isStarting = current.isStarting || current.kind === 'start';
    return { state: isStarting ? 'starting' : 'stopping', detail: current.step || null };
  }
  if (seen === null) return { state: 'unknown', detail: 'The agent has only just started.' };
  if (seen.is === 'unknown') return { state: 'unknown', detail: cutText(seen.detail, 500) };
  if (seen.is === 'running') return { state: 'running', detail: seen.detail && cutText(seen.detail, 500) };
  if (seen.is === 'changing') return { state: seen.to === 'running' ? 'starting' : 'stopping', detail: null };
  if (hasGivenUp)
    return { state: 'crash-looping', detail: 'It crashed too often. Look at its last lines, then start it.' };
  return { state: nextStartMs === null ? 'stopped' : 'backing-off', detail: null };
};

export const answersElsewhere =
  "The game's console answers, but its process is not held here: it was started in another way, or its start command put it where it cannot be followed. A command that stays in the foreground, or a systemd unit, helps.";

export const neverStarted = (detail: string) => ({
  exit: { code: null, signal: null },
  ranMs: 0,
  firstLine: null,
  detail,
});

export const describeExit = ({ code, signal }: GameExit): string => {
  if (signal !== null) return `signal ${signal}`;
  return code === null ? 'exit code not known' : `exit code ${code}`;
};
