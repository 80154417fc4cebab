import { Socket } from 'node:net';
import { onProgress } from './progress.ts';
import { faultOf, outputFd, type TaskReport, type TaskRequest } from './protocol.ts';
import { streamTasks, tasks } from './tasks.ts';

const reportEveryMs = 100;
const slowReaderMs = 1000;
let reported = 0;
let bytes = 0;

const report = (message: TaskReport): void => {
  if (process.connected) process.send?.(message);
};

const goOn = () => {
  reported = performance.now();
  report({ type: 'progress', bytes });
  bytes = 0;
};

onProgress((more) => {
  bytes += more;
  if (performance.now() - reported >= reportEveryMs) goOn();
});

const perform = async ({ task, args }: TaskRequest): Promise<unknown> => {
  const run = tasks.get(task);
  if (run) return run(...args);
  const stream = streamTasks.get(task);
  if (!stream) throw new Error(`There is no task ${task}.`);
  const output = new Socket({ fd: outputFd });
  // The caller may read as slowly as it likes: that is no silence of the folder.
  const timer = setInterval(() => output.writableNeedDrain && goOn(), slowReaderMs);
  await stream(output, ...args).finally(() => clearInterval(timer));
  return undefined;
};

// Only the caller's end counts, and then nothing more may be written.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.on('message', (request: TaskRequest) => {
  goOn();
  perform(request).then(
    (result) => report({ type: 'done', result }),
    (error: unknown) => report({ type: 'failed', fault: faultOf(error) }),
  );
});

// The caller may have ended while this process was loading, before it listened.
if (!process.connected) process.exit();
