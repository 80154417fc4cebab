import * as z from 'zod';

/** What the supervisor says to a child process over its IPC channel. The end of the channel means: stop too. */
export const supervisorMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stop') }),
  /** Answered by `pong` with the same id, as a proof that the event loop turns. */
  z.object({ type: z.literal('ping'), id: z.int() }),
]);
export type SupervisorMessage = z.infer<typeof supervisorMessage>;

export const childMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pong'), id: z.int() }),
]);
