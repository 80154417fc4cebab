import * as z from 'zod';

/** What the supervisor says to a child process over its IPC channel. The end of the channel means: stop too. */
export const supervisorMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stop') }),
  /** Answered by `pong` with the same id, as a proof that the event loop turns. */
  z.object({ type: z.literal('ping'), id: z.int() }),
  /** To the API: whoever shows this as the bearer is the owner of this machine. Random at each start of the supervisor. */
  z.object({
    type: z.literal('credential'),
    credential: z.string().min(32),
    /** The account of the operating system that runs the supervisor; the audit log names it. */
    user: z.string().min(1).max(256),
  }),
]);
export type SupervisorMessage = z.infer<typeof supervisorMessage>;

export const childMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pong'), id: z.int() }),
]);
