import type { TaskProgress, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { largestUpload } from '#contracts/servers/agent-uploads.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { OpenTask, TaskWaiter } from './open-task.ts';
import type { TaskUpload, TaskUploads } from './task-uploads.ts';

export interface StartOptions {
  /** Unique among tasks; generated unless given. */
  readonly id?: string;
  readonly by: Actor;
  /** If it has not begun after this time, it is no longer run. */
  readonly expiresInMs: number;
}

export interface RunTaskOptions extends StartOptions {
  /** Cancels the task. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
  /** Ends the waiting with `unknown`, not the task; defaults to an hour after it expires. */
  readonly waitMs?: number | undefined;
  /** Gets what the agent has uploaded, before the result is returned; the file is gone once it settles. Without it, uploads are refused. */
  readonly onUpload?: ((upload: TaskUpload) => Promise<void>) | undefined;
  /** A larger upload is refused before it is written; defaults to `largestUpload`. */
  readonly mostUploadBytes?: number | undefined;
}

/** Waits for a task's result, and hands over what was uploaded. */
type WaitForTask = (task: OpenTask, options: RunTaskOptions) => Promise<TaskResult>;

/** Beyond the expiry of a task that the agent has not accepted. */
const unacceptedGraceMs = 10_000;
/** Beyond the expiry of one that it has accepted. */
const usualWaitMs = 60 * 60_000;

export const ended = (outcome: 'expired' | 'cancelled' | 'unknown', detail: string | null): TaskResult => ({
  outcome,
  detail,
  value: null,
});
const noWord = 'The Game Agent has not said how this ended; a result that comes later is still kept.';

export const createTaskWaiting = (options: {
  readonly uploads: Pick<TaskUploads, 'find' | 'remove'>;
  /** Never fails. */
  readonly cancel: (task: OpenTask) => void;
  readonly now: () => number;
  /** How often to check the patience of a waiting caller. */
  readonly everyMs: number;
}): WaitForTask => {
  const { uploads, cancel, now, everyMs } = options;

  const settled = (
    task: OpenTask,
    { signal, onProgress, onUpload, mostUploadBytes = largestUpload, waitMs, expiresInMs }: RunTaskOptions,
  ) =>
    new Promise<TaskResult>((resolve, reject) => {
      if (task.ended) return resolve(task.ended);
      const beganMs = now();
      const mostMs = waitMs ?? expiresInMs + usualWaitMs;
      const leave = () => {
        clearInterval(patience);
        task.waiters.delete(waiter);
        signal?.removeEventListener('abort', cancelTask);
      };
      const waiter: TaskWaiter = {
        mostUploadBytes: onUpload ? mostUploadBytes : 0,
        settle(result) {
          leave();
          resolve(result);
        },
        fail(error) {
          leave();
          reject(error);
        },
        progress: (progress) => onProgress?.(progress),
      };
      const cancelTask = () => cancel(task);
      const patience = setInterval(() => {
        const isLost = task.isSent && !task.isAccepted && now() >= task.expiresAtMs + unacceptedGraceMs;
        if (isLost || now() - beganMs >= mostMs) waiter.settle(ended('unknown', noWord));
      }, everyMs).unref();
      task.waiters.add(waiter);
      signal?.addEventListener('abort', cancelTask);
      if (signal?.aborted) cancelTask();
    });

  return async (task, runOptions) => {
    try {
      const result = await settled(task, runOptions);
      const upload = result.outcome === 'done' ? uploads.find(task.id) : null;
      if (upload) await runOptions.onUpload?.(upload);
      return result;
    } finally {
      await uploads.remove(task.id);
    }
  };
};
