import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';
import type { Sighting, StartWay } from './start-way.ts';

/** Windows's own numbers (winerror.h); its words are translated, these are not. */
const fine = { alreadyRunning: 1056, notRunning: 1062, cannotTakeControls: 1061 };
const refusals: Readonly<Record<number, string>> = {
  5: "this agent's account may not control it; run the agent as an administrator, or allow its account",
  1051: 'another service that runs depends on it',
  1058: 'it is disabled; enable it in the list of services',
  1060: 'there is no such service; check "service" in the configuration',
  1069: 'its account or password is not right',
  1072: 'it is marked for deletion; close the list of services, or restart Windows',
};

/** The game as a Windows Service; no other service is ever named. */
export const openWindowsServiceWay = (
  service: string,
  runProgram: RunSystemProgram = runSystemProgram,
): StartWay => {
  const order = async (args: readonly string[], ...fineCodes: number[]): Promise<string | null> => {
    try {
      await runProgram('sc.exe', args);
      return null;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (typeof code === 'number' && fineCodes.includes(code)) return null;
      return describe(service, code);
    }
  };
  const look = async (): Promise<Sighting> => {
    try {
      return readService(await runProgram('sc.exe', ['queryex', service]));
    } catch (error) {
      return { is: 'unknown', detail: describe(service, (error as { code?: unknown }).code) };
    }
  };
  return {
    method: 'windows-service',
    takesShutdownCommand: false,
    look,
    start: () => order(['start', service], fine.alreadyRunning),
    stop: () => order(['stop', service], fine.notRunning, fine.cannotTakeControls),
    async kill() {
      const seen = await look();
      if (seen.is !== 'running' || seen.pid === null)
        return order(['stop', service], fine.notRunning, fine.cannotTakeControls);
      // The service manager names the pid of a process that it holds, so it belongs to no other one.
      await runProgram('taskkill.exe', ['/PID', String(seen.pid), '/T', '/F']).catch(() => '');
      return null;
    },
    write: null,
    onChange: () => undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

const describe = (service: string, code: unknown): string =>
  `The service ${service}: ${(typeof code === 'number' ? refusals[code] : undefined) ?? `Windows answers ${code}`}.`;

/**
 * Reads the output of `sc queryex` by position after the name: kind, state, exit code, the service's own exit code, checkpoint,
 * wait hint, pid. States are those of winsvc.h.
 */
export const readService = (printed: string): Sighting => {
  const behindName = printed.trimStart().replace(/^[^\n]*\n/, '');
  const numbers = [...behindName.matchAll(/^[^:\r\n]*:\s*((?:0x)?[0-9a-f]+)\b/gim)].map(
    ([, number]) => number ?? '',
  );
  const [, state, exitCode, ownExitCode] = numbers;
  const pid = Number(numbers[6]);
  switch (state) {
    case '1': {
      // ERROR_SERVICE_SPECIFIC_ERROR: the service's own code counts.
      const code = Number(exitCode) === 1066 ? Number(ownExitCode) : Number(exitCode);
      // ERROR_SERVICE_NEVER_STARTED.
      if (code === 1077) return { is: 'absent' };
      return {
        is: 'ended',
        launch: null,
        exit: { code, signal: null },
        ranMs: null,
        firstLine: null,
        wasStopped: code === 0,
        detail: null,
      };
    }
    case '2':
    case '5':
      return { is: 'changing', to: 'running' };
    case '3':
      return { is: 'changing', to: 'stopped' };
    case '4':
      return { is: 'running', launch: null, pid: pid > 0 ? pid : null, upMs: null, detail: null };
    case '6':
    case '7':
      return { is: 'unknown', detail: 'The service is paused. Continue it in the list of services.' };
    default:
      return { is: 'unknown', detail: 'What Windows says of the service cannot be read.' };
  }
};
