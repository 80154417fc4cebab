import type { ProblemCode } from '#contracts/kernel/problems.ts';
import { type ValueFault, valueFault } from '#contracts/kernel/value-faults.ts';
import { Problem } from '#runtime/problem.ts';

/** An expected "no", as a value: rules return it, and the route tells the caller. */
export interface Refusal {
  readonly refused: ProblemCode;
  /** For people. */
  readonly detail?: string;
  readonly retryAfterMs?: number;
  /** Where in the request the error is, such as `body.wipedAt`. */
  readonly field?: string;
  /** What is wrong with the field, for clients that phrase it themselves. */
  readonly fault?: ValueFault;
}

export const refuse = (refused: ProblemCode, detail?: string): Refusal => ({
  refused,
  ...(detail === undefined ? {} : { detail }),
});

/** Refuses a field of the request that its schema alone cannot validate. */
export const refuseField = (field: string, detail: string): Refusal => ({
  refused: 'INVALID_REQUEST',
  detail,
  field,
});

/** Refuses a field whose value another entity has. */
export const refuseTakenValue = (refused: ProblemCode, field: string, detail?: string): Refusal => ({
  ...refuse(refused, detail),
  field,
  fault: valueFault('taken'),
});

export const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'refused' in result;

/** What a changed row looks like to callers, unless the change was refused. */
export const describeUnlessRefused = async <Row, Shown>(
  outcome: Row | Refusal,
  describe: (rows: readonly Row[]) => Promise<readonly Shown[]>,
): Promise<Shown | Refusal> => {
  if (isRefusal(outcome)) return outcome;
  const [described] = await describe([outcome]);
  return described ?? refuse('NOT_FOUND');
};

/** @returns what was asked for @throws {Problem} when it was refused */
export const demandGranted = <Result>(result: Result | Refusal): Result => {
  if (!isRefusal(result)) return result;
  const { refused, detail, retryAfterMs, field, fault } = result;
  throw new Problem(refused, {
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfterMs === undefined
      ? {}
      : { headers: { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) } }),
    ...(field === undefined
      ? {}
      : { extensions: { errors: [{ path: field, message: detail ?? '', ...fault }] } }),
  });
};
