import { DiskFullError } from '../disk-space.ts';
import { DamagedDatabaseError } from '../postgres/damaged-database.ts';
import { StartupError } from '../program.ts';

/** Of a worker that streams: where it writes what its task makes. */
export const outputFd = 4;

/** To the worker; one at a time. */
export interface TaskRequest {
  /** The name of its function. */
  readonly task: string;
  readonly args: readonly unknown[];
}

/** From the worker: that it goes on, or how the task ended. */
export type TaskReport =
  /** `bytes`: since the last report. */
  | { readonly type: 'progress'; readonly bytes: number }
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'failed'; readonly fault: TaskFault };

/** What the caller's process needs to make the same error of it. */
interface TaskFault {
  readonly kind: 'damaged' | 'full' | 'startup' | 'other';
  readonly message: string;
  /** Of a damaged database. */
  readonly why: string;
  /** As in `NodeJS.ErrnoException`. */
  readonly code: string | undefined;
}

export const faultOf = (error: unknown): TaskFault => {
  const { message, code } = error as NodeJS.ErrnoException;
  const why = error instanceof DamagedDatabaseError ? error.why : '';
  return { kind: kindOf(error), message, why, code };
};

const kindOf = (error: unknown): TaskFault['kind'] => {
  if (error instanceof DamagedDatabaseError) return 'damaged';
  if (error instanceof DiskFullError) return 'full';
  return error instanceof StartupError ? 'startup' : 'other';
};

export const errorOf = ({ kind, message, why, code }: TaskFault): Error => {
  switch (kind) {
    case 'damaged':
      return new DamagedDatabaseError(why);
    case 'full':
      return new DiskFullError(message);
    case 'startup':
      return new StartupError(message);
    case 'other':
      return Object.assign(new Error(message), { code });
  }
};
