import { onProgress } from './progress.ts';
import { faultOf, type TaskReport, type TaskRequest } from './protocol.ts';
import { tasks } from './tasks.ts';

const reportEveryMs = 100;
let reported = 0;

const report = (message: TaskReport): void => {
  if (process.connected) process.send?.(message);
};

onProgress(() => {
  const now = performance.now();
  if (now - reported < reportEveryMs) return;
  reported = now;
  report({ type: 'progress' });
});

// Only the caller's end counts, and then nothing more may be written.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.on('message', ({ task, args }: TaskRequest) => {
  report({ type: 'progress' });
  const run = tasks.get(task);
  (run?.(...args) ?? Promise.reject(new Error(`There is no task ${task}.`))).then(
    (result) => report({ type: 'done', result }),
    (error: unknown) => report({ type: 'failed', fault: faultOf(error) }),
  );
});

// The caller may have ended while this process was loading, before it listened.
if (!process.connected) process.exit();
