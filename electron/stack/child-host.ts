import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { processEndText, shownCode } from '#contracts/kernel/windows-codes/windows-answer.ts';
import type { ComponentName } from '#contracts/operations/stack.ts';
import { childMessage, type SupervisorMessage } from '#contracts/operations/supervision.ts';
import type { Guardian } from '#runtime/guardian/guardian.ts';
import { configExitCode } from '#runtime/program.ts';
import type { ComponentLog } from '../logs/component-log.ts';
import type { ComponentHost, Health, ProcessEnd, RunningProcess } from '../supervisor/component.ts';

interface ChildHostOptions {
  readonly name: ComponentName;
  /** The Node executable. */
  readonly node: string;
  /** The program's file. */
  readonly entry: string;
  /** The whole environment of the process; read again at each start. */
  readonly env: () => Readonly<Record<string, string>>;
  readonly guardian: Guardian;
  readonly log: ComponentLog;
  /** What must hold before there is a process, such as a free port; rejects when it does not. */
  readonly beforeStart?: (signal: AbortSignal) => Promise<void>;
  /** Asks over the network; without it the process is pinged over its IPC channel. */
  readonly probe?: (signal: AbortSignal) => Promise<Health>;
  /** Sent to each new process before anything else. */
  readonly greeting?: SupervisorMessage;
  /** How long an orderly stop may take. */
  readonly stopDeadlineMs?: number;
}

/** Longer than a program's own deadline (runtime/program.ts), so that it can say what delayed it. */
const defaultStopDeadlineMs = 12_000;
/** How long output of a process that has ended may still arrive. */
const lastOutputMs = 500;

/** Runs a component as a child process with an IPC channel, whose end tells it that we have died. */
export const childHost = (options: ChildHostOptions): ComponentHost => ({
  async start(signal) {
    await options.beforeStart?.(signal);
    signal.throwIfAborted();
    options.log.forget();
    const child = spawn(options.node, [options.entry], {
      env: options.env(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A separate session: a signal to our terminal's group must not reach it before we stop it in order.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    options.guardian.watch({ name: options.name, pid });
    if (options.greeting) send(child, options.greeting);
    return runningChild(child, pid, options);
  },
});

const runningChild = (child: ChildProcess, pid: number, options: ChildHostOptions): RunningProcess => {
  const { log, guardian, name, stopDeadlineMs = defaultStopDeadlineMs } = options;
  const output = [child.stdout, child.stderr].map((stream) =>
    stream ? log.follow(stream) : Promise.resolve(),
  );
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      guardian.forget(name);
      resolve(signal ? `killed by ${signal}` : endInWords(code ?? 0));
    });
  });
  // Without a listener a failed send would end the supervisor; the exit of the process says the same.
  child.on('error', () => undefined);

  const ended = async (): Promise<ProcessEnd> => {
    const how = await exited;
    await Promise.race([Promise.allSettled(output), delay(lastOutputMs)]);
    const needsConfiguration = child.exitCode === configExitCode;
    const lastLines = log.lastLines();
    const fault = faultIn(lastLines);
    const reason = needsConfiguration
      ? `refused to start: ${fault ?? lastLines.at(-1) ?? 'wrong configuration'}`
      : [how, ...(fault === null ? [] : [fault])].join(': ');
    return { reason, needsConfiguration, lastLines };
  };

  return {
    pid,
    ended: ended(),
    probe: options.probe ?? ((signal) => ping(child, signal)),
    async stop(how) {
      if (how === 'now') child.kill('SIGKILL');
      else if (child.connected) send(child, { type: 'stop' });
      else child.kill('SIGTERM');
      const cut = setTimeout(() => {
        log.line(`${name} did not stop within ${stopDeadlineMs / 1000} s and was killed`);
        child.kill('SIGKILL');
      }, stopDeadlineMs);
      await exited;
      clearTimeout(cut);
    },
  };
};

/** On Windows the number may say that the program could not even be loaded. */
const endInWords = (code: number): string => {
  const why = processEndText(code, 'en');
  return `ended with exit code ${shownCode(code)}${why === null ? '' : `: ${why}`}`;
};

const fatal = 'fatal: ';

/** What a program of ours said was its end, in one line; its last lines only say that it stopped. */
const faultIn = (lastLines: readonly string[]): string | null => {
  const line = lastLines.findLast((each) => each.startsWith(fatal));
  if (line === undefined) return null;
  return line
    .slice(fatal.length)
    .trimEnd()
    .replace(/:\s*\n\s*/g, ': ')
    .replace(/\s*\n\s*/g, '; ');
};

const send = (child: ChildProcess, message: SupervisorMessage) => {
  child.send(message, () => undefined);
};

let pings = 0;

/** Answered only while the process's event loop turns. */
const ping = async (child: ChildProcess, signal: AbortSignal): Promise<Health> => {
  pings += 1;
  const id = pings;
  if (!child.connected) throw new Error('the IPC channel is closed');
  const answered = Promise.withResolvers<Health>();
  const onMessage = (raw: unknown) => {
    const message = childMessage.safeParse(raw);
    if (message.data?.id === id) answered.resolve({ condition: 'ok', detail: null });
  };
  const onAbort = () => answered.reject(new Error('no answer in time'));
  child.on('message', onMessage);
  signal.addEventListener('abort', onAbort, { once: true });
  send(child, { type: 'ping', id });
  try {
    return await answered.promise;
  } finally {
    child.off('message', onMessage);
    signal.removeEventListener('abort', onAbort);
  }
};
