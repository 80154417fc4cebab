import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { cutText } from '../game/cut-text.ts';
import { faultText } from './program/fault.ts';
import type { Sighting } from './ways/start-way.ts';

/** The state of the game's process as it is shown. */
export const stateOf = (facts: {
  readonly seen: Sighting | null;
  readonly current: { readonly kind: string; readonly step: string; readonly isStarting: boolean } | null;
  readonly hasGivenUp: boolean;
  readonly nextStartMs: number | null;
  /** Why its program cannot be run, when it was looked for last; null: nothing is known to keep it from running. */
  readonly program: ProgramFault | null;
  /** Why nothing can be done for a game that is down; null when it can. */
  readonly trouble: string | null;
}): Pick<ProcessReport, 'state' | 'detail' | 'program'> => {
  const { seen, current, hasGivenUp, nextStartMs, program, trouble } = facts;
  if (current) {
    const isStarting = current.isStarting || current.kind === 'start';
    return { state: isStarting ? 'starting' : 'stopping', detail: current.step || null };
  }
  if (seen === null) return { state: 'unknown', detail: 'The agent has only just started.' };
  if (seen.is === 'unknown') return { state: 'unknown', detail: cutText(seen.detail, 500) };
  if (seen.is === 'running') return { state: 'running', detail: seen.detail && cutText(seen.detail, 500) };
  if (seen.is === 'changing')
    return { state: seen.to === 'running' ? 'starting' : 'stopping', ...told(seen.program ?? null) };
  if (trouble !== null) return { state: 'unknown', detail: cutText(trouble, 500) };
  if (hasGivenUp)
    return { state: 'crash-looping', detail: 'It crashed too often. Look at its last lines, then start it.' };
  return nextStartMs === null
    ? { state: 'stopped', ...told(program) }
    : { state: 'backing-off', detail: null };
};

/** Also in words, for an API that does not know the code. */
const told = (program: ProgramFault | null): Pick<ProcessReport, 'detail' | 'program'> =>
  program === null ? { detail: null } : { detail: cutText(faultText(program), 500), program };

export const answersElsewhere =
  "The game's console answers, but its process is not held here: it was started in another way, or its start command put it where it cannot be followed. A command that stays in the foreground, or a systemd unit, helps.";
