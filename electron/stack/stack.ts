import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { ComponentName, ComponentStatus, StackStatus } from '#contracts/operations/stack.ts';
import { newSecretText } from '#runtime/auth/secret-token.ts';
import { freezeNotePath } from '#runtime/guardian/freeze-note.ts';
import { startGuardian } from '#runtime/guardian/guardian.ts';
import { logsFolder } from '#runtime/home.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { findSystemProxy } from '#runtime/outside/system-proxy.ts';
import { type LocalOwner, StartupError } from '#runtime/program.ts';
import { createRedactor, type Redact } from '#runtime/redact.ts';
import { Secret } from '#runtime/secret.ts';
import { readStackConfig, type StackConfig, stackSecrets } from '#runtime/stack-config.ts';
import { setFoundProxy } from '#runtime/system-env.ts';
import { createComponentLog } from '../logs/component-log.ts';
import { type LogFile, openLogFile } from '../logs/log-file.ts';
import { isStopped } from '../supervisor/stack-state.ts';
import type { SupervisionLimits } from '../supervisor/supervised-component.ts';
import { createSupervisor, type Supervisor } from '../supervisor/supervisor.ts';
import {
  type ApiAnswer,
  type ConfirmableInit,
  callApi,
  fetchApi,
  type LocalApiCall,
} from './local-api-call.ts';
import { reportBot } from './report-bot.ts';
import { describeComponents } from './stack-components.ts';

/** It was asked to start while it is being stopped for good. */
export class StackClosedError extends Error {
  override readonly name = 'StackClosedError';
  override readonly message = 'The stack is stopping. Start it again once it has stopped.';
}

/** The supervised stack of one data folder. Disposing stops it in order. */
export interface Stack extends AsyncDisposable {
  readonly log: Log;
  status(): StackStatus;
  /** Null when there is no guardian, or it could not be started. */
  guardianPid(): number | null;
  /** @throws {StackClosedError} */
  start: Supervisor['start'];
  /** Stops everything; `start` starts it again. */
  pause(): Promise<void>;
  /** For good: anything that would start something again is refused from now on. */
  stop: Supervisor['stop'];
  /**
   * Reads `.env` again first; a change of a setting that components share restarts them all. One component of a stopped stack stays
   * stopped.
   * @throws {ConfigError} leaving everything unchanged
   * @throws {StackClosedError}
   */
  restart(name?: ComponentName): Promise<void>;
  /** The machine has slept: every component is asked again, immediately. */
  onResume(): void;
  /** Asks the API as the owner of this machine. @throws {StartupError} when it does not answer */
  callApi(call: LocalApiCall): Promise<ApiAnswer>;
  /** Like `callApi`, with the answer as it streams in. @throws when no answer comes */
  fetchApi(path: string, init: ConfirmableInit): Promise<Response>;
}

/** The settings that several components must agree on. */
const sharedSettings = ({ databaseUrl, apiOrigin, apiUrl, internalApiSecret }: StackConfig): string =>
  JSON.stringify([databaseUrl.reveal(), apiOrigin, apiUrl, internalApiSecret.reveal()]);

/** @throws {ConfigError} naming every fault of `.env` */
export const openStack = async (options: {
  readonly home: string;
  /** Holds api.mjs, bot.mjs and guardian.mjs. */
  readonly programsFolder: string;
  /** The Node executable that they run under. */
  readonly node: string;
  /** Which program supervises, in words. */
  readonly heldBy: string;
  readonly onChange: (component: ComponentStatus) => void;
  /** For what the log files themselves cannot take. */
  readonly complain: (text: string) => void;
  readonly limits?: SupervisionLimits;
  /** All of them, unless other supervisors run the rest. */
  readonly components?: readonly ComponentName[];
  /** Name of the supervisor's own log file, where several supervisors write into one data folder. */
  readonly logName?: string;
  /** The supervisor's own log file, where it outlives this stack. */
  readonly ownLog?: LogFile;
}): Promise<Stack> => {
  const { home, node } = options;
  let config = await readStackConfig(home);
  // Its components inherit it.
  setFoundProxy(await findSystemProxy(home));
  const secrets = new Set<string>();
  let redactor = createRedactor();
  /** An older value stays known: what was not restarted may still print it. */
  const learnSecrets = () => {
    for (const secret of stackSecrets(config)) secrets.add(secret.reveal());
    redactor = createRedactor(secrets);
  };
  learnSecrets();
  const owner = createLocalOwner();
  secrets.add(owner.credential.reveal());
  learnSecrets();
  const redact: Redact = (text) => redactor(text);

  await using opening = new AsyncDisposableStack();
  const logFile = (name: string) =>
    opening.use(
      openLogFile({
        folder: logsFolder(home),
        name: `${name}.log`,
        onTrouble: (path, error) => options.complain(`${path} cannot be written: ${error.message}`),
      }),
    );
  const own = options.ownLog ?? logFile(options.logName ?? 'supervisor');
  const destination = { write: (line: string) => own.write(line.trimEnd()) };
  const log = createLog({ component: 'supervisor', redact, destination });
  const program = (name: string) => join(options.programsFolder, `${name}.mjs`);
  const guardian = opening.use(
    startGuardian(node, program('guardian'), () => log.error('the guardian ended; restarting it'), {
      path: freezeNotePath(home, options.logName ?? 'supervisor'),
    }),
  );

  const supervisor = createSupervisor({
    components: describeComponents({
      ...options,
      owner,
      config: () => config,
      guardian,
      program,
      log: (name) => createComponentLog(name, logFile(name), redact),
    }),
    ...(options.limits ? { limits: options.limits } : {}),
    onChange(component) {
      log[levelOf(component)](component, `${component.name} is ${component.state}`);
      options.onChange(component);
    },
  });
  opening.defer(() => supervisor.stop());
  /** While ours is down, another program may have its port, and would be shown a secret. */
  const isApiUp = () => {
    const api = supervisor.components().find(({ name }) => name === 'api');
    return api?.state === 'running' || api?.state === 'unhealthy';
  };
  opening.use(
    reportBot({
      supervisor,
      api: () => (isApiUp() ? { origin: config.apiOrigin, secret: config.internalApiSecret } : null),
    }),
  );

  let closed = false;
  const refuseWhenClosed = () => {
    if (closed) throw new StackClosedError();
  };
  const resources = opening.move();
  return {
    log,
    async start() {
      refuseWhenClosed();
      await supervisor.start();
    },
    pause: () => supervisor.stop(),
    stop(how) {
      closed = true;
      return supervisor.stop(how);
    },
    async restart(name) {
      const read = await readStackConfig(home);
      refuseWhenClosed();
      const alone = sharedSettings(read) === sharedSettings(config);
      config = read;
      learnSecrets();
      await supervisor.restart(alone || isStopped(supervisor.state()) ? name : undefined);
    },
    async callApi(call) {
      if (!isApiUp()) throw new StartupError('The API does not answer. See: castellan status');
      return callApi(config.apiOrigin, owner.credential, call);
    },
    onResume: supervisor.probeNow,
    guardianPid: guardian.pid,
    fetchApi: (path, init) => fetchApi(config.apiOrigin, owner.credential, path, init),
    status: () => ({
      state: supervisor.state(),
      home,
      pid: process.pid,
      heldBy: options.heldBy,
      apiUrl: config.apiOrigin,
      components: supervisor.components(),
    }),
    [Symbol.asyncDispose]() {
      closed = true;
      return resources.disposeAsync();
    },
  };
};

/** Created again with each supervisor; only the API learns it, over its channel. */
const createLocalOwner = (): LocalOwner => ({
  credential: new Secret(newSecretText()),
  user: userInfo().username,
});

const levelOf = ({ state }: ComponentStatus) => {
  if (state === 'failed') return 'error';
  return state === 'crashed' || state === 'unhealthy' ? 'warn' : 'info';
};
