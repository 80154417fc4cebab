import { type WindowsAnswer, windowsAnswerText } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { StartupError } from '../program.ts';
import { exportRegistryKey, readExportedText } from './registry-export.ts';
import { exitOfQuery, type ServiceState, stateOfQuery } from './service-state.ts';
import { type RunSystemProgram, runSystemProgram } from './system-program.ts';

type RefusalReason = 'needs-elevation' | 'depended-upon' | 'disabled' | 'marked-for-deletion' | 'exists';

/** Refusals that pages and commands treat each in its own way, by Windows's numbers (winerror.h). */
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

/** Windows refused something that a person can fix. */
export class ServiceRefusedError extends Error {
  override readonly name = 'ServiceRefusedError';
  readonly reason: RefusalReason | 'failed';
  readonly answer: WindowsAnswer;

  /** @param verb what was asked of the service, as `sc` names it */
  constructor(service: string, code: number, verb = 'query') {
    const answer = { asked: `sc ${verb} ${service}`, code };
    super(`${service}: ${windowsAnswerText(answer, 'en')}`);
    this.reason = refusals[code] ?? 'failed';
    this.answer = answer;
  }
}

/** Windows's service manager, as far as we need it. Every method rejects with ServiceRefusedError. */
export interface ServiceControl {
  state(service: string): Promise<ServiceState>;
  /** Windows's number for why it does not run; null where there is none. */
  lastExit(service: string): Promise<number | null>;
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
      if (typeof code === 'number') throw new ServiceRefusedError(args[1], code, args[0]);
      throw error;
    }
  };

  const state = async (service: string) => {
    const printed = await sc(['query', service], notInstalled);
    return printed === null ? 'absent' : stateOfQuery(printed);
  };

  return {
    state,
    async lastExit(service) {
      const printed = await sc(['query', service], notInstalled);
      return printed === null ? null : exitOfQuery(printed);
    },
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
  const exported = await exportRegistryKey(`${servicesKey}\\${service}`, run);
  return exported && (readExportedText(exported, 'ImagePath') ?? '');
};
