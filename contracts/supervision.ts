import * as z from 'zod';

/** What the supervisor sends to a child process over its IPC channel. The end of the channel also means: stop. */
export const supervisorMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stop') }),
  /** Answered by `pong` with the same id, which proves that the event loop is running. */
  z.object({ type: z.literal('ping'), id: z.int() }),
  /** For the API: a caller with this bearer token is the owner of this machine. Random at each start of the supervisor. */
  z.object({
    type: z.literal('credential'),
    credential: z.string().min(32),
    /** The operating system account that runs the supervisor; the audit log names it. */
    user: z.string().min(1).max(256),
  }),
]);
export type SupervisorMessage = z.infer<typeof supervisorMessage>;

export const childMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pong'), id: z.int() }),
]);
