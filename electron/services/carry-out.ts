import { type MoveStep, undoOf } from './move-plan.ts';

export type MoveOutcome =
  | { readonly outcome: 'done' }
  | {
      readonly outcome: 'undone';
      readonly failed: MoveStep;
      readonly error: Error;
      /** What could not be undone. */
      readonly left: readonly { readonly step: MoveStep; readonly error: Error }[];
    };

export type PerformStep = (step: MoveStep) => Promise<void>;

/** A failed step of these kinds may be half done; the others are done or not done. */
const mayBeHalfDone: ReadonlySet<MoveStep['kind']> = new Set([
  'stop-app',
  'start-app',
  'start',
  'stop',
  'write-envs',
  'remove-envs',
  'grant-rights',
  'revoke-rights',
]);

/** Performs the steps in order; when one fails, those before it are undone, the newest first. */
export const carryOut = async (steps: readonly MoveStep[], perform: PerformStep): Promise<MoveOutcome> => {
  const done: MoveStep[] = [];
  for (const step of steps) {
    try {
      await perform(step);
      done.push(step);
    } catch (error) {
      if (mayBeHalfDone.has(step.kind)) done.push(step);
      return { outcome: 'undone', failed: step, error: asError(error), left: await undo(done, perform) };
    }
  }
  return { outcome: 'done' };
};

/** A step that cannot be undone does not keep the others from being undone. */
const undo = async (done: readonly MoveStep[], perform: PerformStep) => {
  const left: { step: MoveStep; error: Error }[] = [];
  for (const step of done.toReversed().map(undoOf)) {
    if (step === null) continue;
    try {
      await perform(step);
    } catch (error) {
      left.push({ step, error: asError(error) });
    }
  }
  return left;
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
