import type { Clock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { dueStep } from './due-step.ts';
import type { SigningKeys } from './signing-keys.ts';

const intervalMs = 60_000;
/** More than a day's work; a step that does not change what is due must not be repeated forever. */
const maxSteps = 5;

interface KeepingOptions {
  readonly signingKeys: SigningKeys;
  /** Null: rotated by hand only. */
  readonly rotationDays: number | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Does what is due: a next key always exists, the active one is replaced on schedule, and a replaced one is retired. */
export const performDueSteps = async (options: KeepingOptions): Promise<void> => {
  const { signingKeys, rotationDays, clock, log } = options;
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const keys = await signingKeys.list();
    const step = dueStep(keys, rotationDays, clock.now());
    if (step === null) return;
    const activeKid = keys.find(({ state }) => state === 'active')?.kid ?? null;
    if (step === 'prepare') await signingKeys.prepare();
    else if (step === 'rotate') await signingKeys.rotate({ activeKid });
    else await signingKeys.retire(null);
    log.info({ step }, 'performed a signing key step that was due');
  }
};

/** Each portal process checks every minute; the lock of the keys lets one of them do what is due. */
export const runKeySchedule = (options: KeepingOptions): Disposable => {
  return runPeriodically({
    intervalMs,
    startsAtOnce: true,
    work: () => performDueSteps(options),
    failure: 'could not maintain the signing keys',
    log: options.log,
  });
};
