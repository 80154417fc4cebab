import { expect } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import type { Api } from '../../api.ts';

/**
 * A start migrates an empty database and creates the queues; on a busy machine that takes a while, and the supervisor waits
 * longer.
 */
const deadlineMs = 90_000;

/** Waits until the schema is ready and the queues run. */
export const whenInUse = ({ context }: Pick<Api, 'context'>): Promise<void> =>
  eventually(() => expect(context.obstacle()).toBeNull(), deadlineMs);
