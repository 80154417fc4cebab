import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../program.ts';
import { readExportedText } from './registry-export.ts';
import { type ServiceState, stateOfQuery } from './service-state.ts';
import { type RunSystemProgram, runSystemProgram } from './system-program.ts';

type RefusalReason = 'needs-elevation' | 'depended-upon' | 'disabled' | 'marked-for-deletion' | 'exists';

/** Windows's own numbers (winerror.h); its words are translated, these are not. */
const refusals: Readonly<Record<number, RefusalReason>> = {
  5: 'needs-elevation',
  1051: 'depended-upon',
  1058: 'disabled',
  1072: 'marked-for-deletion',
  1073: 'exists',
};

const notInstalled = 1060;
const alreadyRunning = 1056;
const notRunning = 1062;
/** The service is still executing another control, such as an earlier stop. */
const cannotTakeControls = 1061;

const advice: Readonly<Record<RefusalReason, string>> = {
  'needs-elevation': 'Windows Services may be changed by an administrator only; run it as one.',
  'depended-upon': 'another service that runs depends on it; stop that one first',
  disabled: 'it is disabled; enable it in the list of services',
  'marked-for-deletion':
    'it is marked for deletion: close the list of services and the task manager, or restart Windows, and try again',
  exists: 'the name is taken',
};

/** Windows refused something that a person can fix. */
export class ServiceRefusedError extends Error {
  override readonly name = 'ServiceRefusedError';
  readonly reason: RefusalReason | 'failed';

  constructor(service: string, exitCode: number) {
    const reason = refusals[exitCode];
    super(`${service}: ${reason ? advice[reason] : `Windows answers ${exitCode}`}`);
    this.reason = reason ?? 'failed';
  }
}

/** Windows's service manager, as far as we need it. Every method rejects with ServiceRefusedError. */
export interface ServiceControl {
  state(service: string): Promise<ServiceState>;
  /** The command line that the service starts; null when there is no such service. */
  command(service: string): Promise<string | null>;
  create(service: string, command: string, account: string): Promise<void>;
  describe(service: string, words: string): Promise<void>;
  /** What Windows does when the service's host itself dies. */
  recover(service: string): Promise<void>;
  /** Returns when Windows has accepted the order; a running service counts as started. */
  start(service: string): Promise<void>;
  /** Likewise; a service that does not run counts as stopped. */
  stop(service: string): Promise<void>;
  /** A missing service counts as deleted. */
  delete(service: string): Promise<void>;
}

const dayInSeconds = 86_400;
/** After the first, the second and each further death within a day, in milliseconds. */
const restartsMs = [2000, 10_000, 60_000];

export const windowsServices = (run: RunSystemProgram = runSystemProgram): ServiceControl => {
  /** @param fine exit codes that mean that the state is already reached; the result is then null */
  const sc = async (
    args: readonly [string, string, ...string[]],
    ...fine: number[]
  ): Promise<string | null> => {
    try {
      return await run('sc.exe', args);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (typeof code === 'number' && fine.includes(code)) return null;
      if (typeof code === 'number') throw new ServiceRefusedError(args[1], code);
      throw error;
    }
  };

  const state = async (service: string) => {
    const printed = await sc(['query', service], notInstalled);
    return printed === null ? 'absent' : stateOfQuery(printed);
  };

  return {
    state,
    async command(service) {
      const command = await readCommand(service, run);
      if (command === null && (await state(service)) !== 'absent')
        throw new StartupError(`The command line of ${service} cannot be read from the registry.`);
      return command;
    },
    async create(service, command, account) {
      // The values are separate arguments: sc expects them that way.
      const values = ['binPath=', command, 'start=', 'delayed-auto', 'obj=', account];
      await sc(['create', service, ...values, 'DisplayName=', service]);
    },
    async describe(service, words) {
      await sc(['description', service, words]);
    },
    async recover(service) {
      const actions = restartsMs.map((ms) => `restart/${ms}`).join('/');
      await sc(['failure', service, 'reset=', String(dayInSeconds), 'actions=', actions]);
    },
    async start(service) {
      await sc(['start', service], alreadyRunning);
    },
    async stop(service) {
      await sc(['stop', service], notRunning, notInstalled, cannotTakeControls);
    },
    async delete(service) {
      await sc(['delete', service], notInstalled);
    },
  };
};

const servicesKey = 'HKLM\\SYSTEM\\CurrentControlSet\\Services';

/** Null when it is unavailable. It reads the registry: sc's output is translated, and loses letters that the console does not have. */
const readCommand = async (service: string, run: RunSystemProgram): Promise<string | null> => {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-services-'));
  const file = join(folder, 'service.reg');
  try {
    await run('reg.exe', ['export', `${servicesKey}\\${service}`, file, '/y']);
    return readExportedText(await readFile(file), 'ImagePath') ?? '';
  } catch (error) {
    // No such key, or any other failure: reg has no other code for those.
    if ((error as { code?: unknown }).code === 1) return null;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
