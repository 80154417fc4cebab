import * as z from 'zod';

/** Environment variables by which the supervisor names an API process. */
export const processIdVariable = 'CASTELLAN_PROCESS_ID';
/** The ids of former API processes that it saw end, separated by commas. */
export const endedProcessesVariable = 'CASTELLAN_ENDED_PROCESSES';

/** Also the name of a folder. */
const processId = z.string().regex(/^[\w-]{1,64}$/);

const apiProcessEnv = z.object({
  [processIdVariable]: processId,
  [endedProcessesVariable]: z
    .string()
    .transform((text) => text.split(',').filter((id) => id !== ''))
    .pipe(z.array(processId)),
});

/** An API process, and the former ones that ended before it. */
export interface ApiProcess {
  readonly id: string;
  readonly ended: readonly string[];
}

/** Undefined: the supervisor has not started this process. */
export const readApiProcess = (env: Readonly<Record<string, string | undefined>>): ApiProcess | undefined => {
  const { data } = apiProcessEnv.safeParse(env);
  return data && { id: data[processIdVariable], ended: data[endedProcessesVariable] };
};

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
