import { sleep } from '#runtime/sleep.ts';

/** Rows per statement: a few milliseconds of work, so that nothing waits longer than that for the disk or a lock. */
export const batchRows = 1000;
/** The pause between two batches lasts at least this long and at least as long as the batch took: others get half of the machine. */
const shortestPauseMs = 10;

interface DeletedBatch {
  readonly deleted: number;
  readonly isLast: boolean;
}

/** @param signal ends the work after the current batch @returns how many were deleted */
export const deleteInBatches = async (
  signal: AbortSignal,
  deleteBatch: () => Promise<DeletedBatch>,
): Promise<number> => {
  let total = 0;
  while (!signal.aborted) {
    const beganMs = performance.now();
    const { deleted, isLast } = await deleteBatch();
    total += deleted;
    if (isLast) return total;
    const pauseMs = Math.max(shortestPauseMs, performance.now() - beganMs);
    await sleep(pauseMs, signal);
  }
  return total;
};
