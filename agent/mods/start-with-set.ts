import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { untilAborted } from '#runtime/until-aborted.ts';
import { waitFor } from '../power/bring-down.ts';
import type { Power } from '../power/power.ts';
import { sinceBootMs } from '../power/process/process-identity.ts';

const whyStopped = 'The game was stopped in the meantime.';

interface StartFault {
  readonly why: string;
  /** People have stopped it. */
  readonly wasStopped: boolean;
}

/** Starts the game with the set in place. @returns null: it runs with it */
export const startWithSet = async (options: {
  readonly power: Pick<Power, 'report' | 'lookNow' | 'actionsBegun' | 'act'>;
  readonly task: string;
  /**
   * When the set was in place, in milliseconds since the start of the machine: a game that was started earlier may have loaded
   * parts of both sets, and is restarted. Null: any run is fine.
   */
  readonly sinceMs: number | null;
  /** An earlier agent may have started the game with this set already. */
  readonly isResumed: boolean;
  /** Aborts the start when the agent stops. */
  readonly signal: AbortSignal;
  readonly pollMs?: number;
}): Promise<StartFault | null> => {
  const { power, task, sinceMs, isResumed, signal, pollMs = 250 } = options;
  const act = (action: 'start' | 'restart') =>
    untilAborted(
      power.act({
        action,
        countdown: null,
        task,
        signal: new AbortController().signal,
        onStep: () => undefined,
      }),
      signal,
    );
  const before = await power.lookNow();
  // While no agent was there to see it.
  if (isResumed && before.crashes > 0)
    return { why: 'The game crashed with the new mods.', wasStopped: false };
  const wasUp = !['stopped', 'crash-looping'].includes(before.state);
  for (let action: 'start' | 'restart' = 'start'; ; ) {
    const begun = power.actionsBegun();
    const started = await act(action);
    const lookedMs = sinceBootMs();
    const { state, upMs, wanted } = await power.lookNow();
    // Only a kill aborts a start.
    if (started.outcome === 'cancelled') return { why: whyStopped, wasStopped: true };
    const mustBeNew = action === 'start' && wasUp && sinceMs !== null;
    // People may cancel their stop during its countdown.
    if (isActedOn(state) && (started.outcome === 'refused' || (started.outcome === 'done' && mustBeNew))) {
      await untilActed(power, signal, pollMs);
      if (power.report().wanted === 'stopped') return { why: whyStopped, wasStopped: true };
      continue;
    }
    if (started.outcome !== 'done') {
      // After a refused start, the stop is the change's own.
      const wasStopped = wanted === 'stopped' && power.actionsBegun() > begun + 1;
      return { why: started.detail ?? 'The game did not start.', wasStopped };
    }
    if (!mustBeNew || state !== 'running') return null;
    // Its age may have been measured when the look began.
    const isOlder = upMs === null ? !isResumed : lookedMs - upMs < sinceMs;
    // Started by hand during the swap.
    if (!isOlder) return null;
    action = 'restart';
  }
};

const isActedOn = (state: ProcessReport['state']): boolean => state === 'stopping' || state === 'starting';

/** Waits until people's actions on the game have ended. @throws the reason of `signal` */
const untilActed = async (
  power: Pick<Power, 'report' | 'lookNow' | 'actionsBegun' | 'act'>,
  signal: AbortSignal,
  pollMs: number,
): Promise<void> => {
  do {
    await waitFor(pollMs, [signal]);
    signal.throwIfAborted();
  } while (isActedOn(power.report().state));
};
