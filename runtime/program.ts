import { type SupervisorMessage, supervisorMessage } from '#contracts/operations/supervision.ts';
import { ConfigError } from './env.ts';
import type { Log } from './log.ts';
import { Secret } from './secret.ts';

/** The owner of this machine's stack, as reported by the supervisor. */
export interface LocalOwner {
  readonly credential: Secret;
  /** Their account of the operating system. */
  readonly user: string;
}

interface Program {
  /** Aborted when the program is asked to stop; its reason says by what. */
  readonly stopping: AbortSignal;
  /** Disposed in reverse order when the program stops. */
  readonly resources: AsyncDisposableStack;
  /** Requests an orderly stop, as a signal would. */
  readonly stop: (reason: string, exitCode?: number) => void;
  /** Null until the supervisor has reported it. */
  readonly localOwner: () => LocalOwner | null;
}

/** A fault of the environment that a person can fix: shown as one line, without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** sysexits: a configuration error. The supervisor does not restart a process that ended with it. */
export const configExitCode = 78;
const failureExitCode = 1;

/**
 * The life cycle of every long-running process: start, then wait for SIGTERM, SIGINT, the supervisor's stop message or the
 * supervisor's death, then dispose everything within the deadline and exit.
 *
 * Under a supervisor SIGINT is ignored: Ctrl-C in a terminal reaches the whole process group, and the supervisor stops its
 * children in order.
 */
export const runProgram = async (
  start: (program: Program) => Promise<void>,
  {
    log,
    stopDeadlineMs = 10_000,
  }: {
    readonly log: Log;
    /** How long an orderly stop may take before the process exits anyway. */
    readonly stopDeadlineMs?: number;
  },
): Promise<void> => {
  const stopping = new AbortController();
  const resources = new AsyncDisposableStack();
  let exitCode = 0;
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));

  const stop = (reason: string, code = 0) => {
    exitCode ||= code;
    if (stopping.signal.aborted) return;
    log.info({ reason }, 'stopping');
    // Unreferenced timers do fire while something else keeps the process alive, which is exactly the case to end.
    setTimeout(() => {
      log.error({ stopDeadlineMs }, 'could not stop in time; ending now');
      process.exit(exitCode || failureExitCode);
    }, stopDeadlineMs).unref();
    stopping.abort(reason);
  };
  const fail = (error: unknown, what: string) => {
    log.fatal({ err: error }, what);
    stop(what, failureExitCode);
  };

  process.on('uncaughtException', (error) => fail(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => fail(error, 'unhandled rejection'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGHUP', () => stop('SIGHUP'));
  const supervised = process.send !== undefined;
  process.on('SIGINT', () => {
    if (!supervised) stop('SIGINT');
  });
  let localOwner: LocalOwner | null = null;
  if (supervised)
    listenToSupervisor(stop, (owner) => {
      localOwner = owner;
    });

  try {
    await start({ stopping: stopping.signal, resources, stop, localOwner: () => localOwner });
  } catch (error) {
    // It was asked to stop before it was up, so the error of the broken start is not a failure.
    if (!stopping.signal.aborted) {
      reportStartFailure(error, log);
      stop('could not start', error instanceof ConfigError ? configExitCode : failureExitCode);
    }
  }
  await stopped;

  try {
    await resources.disposeAsync();
  } catch (error) {
    log.error({ err: error }, 'could not close a resource cleanly');
    exitCode ||= failureExitCode;
  }
  log.info({ exitCode }, 'stopped');
  process.exit(exitCode);
};

const reportStartFailure = (error: unknown, log: Log) => {
  if (error instanceof ConfigError || error instanceof StartupError) log.fatal(error.message);
  else log.fatal({ err: error }, 'could not start');
};

const listenToSupervisor = (stop: Program['stop'], own: (owner: LocalOwner) => void) => {
  process.on('message', (raw) => {
    const message = supervisorMessage.safeParse(raw);
    if (message.success) obey(message.data, stop, own);
  });
  process.on('disconnect', () => stop('the supervisor is gone'));
  // The supervisor may have ended while this process was loading, before it listened.
  if (!process.connected) stop('the supervisor is gone');
};

const obey = (message: SupervisorMessage, stop: Program['stop'], own: (owner: LocalOwner) => void) => {
  if (message.type === 'stop') stop('asked by the supervisor');
  else if (message.type === 'ping') process.send?.({ type: 'pong', id: message.id });
  else own({ credential: new Secret(message.credential), user: message.user });
};
