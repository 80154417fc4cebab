import { setTimeout as delay } from 'node:timers/promises';
import type { AcceptedOrder } from './customers.ts';
import type { FaultStack } from './fault-stack.ts';

/** A copy of the database that is put back later, as an owner restores a backup. */
export interface CopiedDatabase {
  take(): Promise<void>;
  /** @param ageMs of the copy, at least */
  putBack(ageMs: number): Promise<void>;
  /** Whether the database cannot know the order, since it was restored to a time before it. */
  isForgotten(order: Pick<AcceptedOrder, 'acceptedMs'>): boolean;
}

/** @param whileClosed runs work while no order is in progress, so that it is known which orders the copy holds */
export const createCopiedDatabase = (
  stack: Pick<FaultStack, 'takeSnapshot' | 'restoreSnapshot'>,
  whileClosed: (work: () => Promise<void>) => Promise<void>,
): CopiedDatabase => {
  let takenMs = Number.POSITIVE_INFINITY;
  let putBackMs = Number.NEGATIVE_INFINITY;
  return {
    take: () =>
      whileClosed(async () => {
        takenMs = performance.now();
        await stack.takeSnapshot();
      }),
    async putBack(ageMs) {
      await delay(Math.max(0, takenMs + ageMs - performance.now()));
      await whileClosed(async () => {
        await stack.restoreSnapshot();
        putBackMs = performance.now();
      });
    },
    isForgotten: ({ acceptedMs }) => acceptedMs > takenMs && acceptedMs < putBackMs,
  };
};
