import { win32 } from 'node:path';
import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import { windowsAnswerText } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { type RunSystemProgram, runSystemProgram } from '#runtime/windows/system-program.ts';
import { fault, otherStartFault, type StartFault } from '../program/fault.ts';
import { stillMissing } from '../program/libraries.ts';
import { serviceProgramFault } from '../program/service-program.ts';
import type { CheckedWay, Sighting } from './start-way.ts';

/** Windows's own numbers (winerror.h); its words are translated, these are not. */
const fine = { alreadyRunning: 1056, notRunning: 1062, cannotTakeControls: 1061 };
/** What the table of Windows's numbers cannot know: who asked, and where the name stands. */
const refusals: Readonly<Record<number, string>> = {
  5: "This agent's account may not control it. Run the agent as an administrator, or allow its account.",
  1060: 'There is no such service. Check "service" in the configuration.',
};

/** ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_BAD_EXE_FORMAT, ERROR_EXE_MACHINE_TYPE_MISMATCH. */
const notRun: readonly number[] = [2, 3, 193, 216];

/** The game as a Windows Service; no other service is ever named. */
export const openWindowsServiceWay = (
  service: string,
  runProgram: RunSystemProgram = runSystemProgram,
): CheckedWay => {
  /** @returns null when it was accepted, else the code of the refusal */
  const ask = async (args: readonly string[], ...fineCodes: number[]): Promise<{ code: unknown } | null> => {
    try {
      await runProgram('sc.exe', args);
      return null;
    } catch (error) {
      const { code } = error as { code?: unknown };
      return typeof code === 'number' && fineCodes.includes(code) ? null : { code };
    }
  };
  const order = async (args: readonly string[], ...fineCodes: number[]): Promise<string | null> => {
    const refused = await ask(args, ...fineCodes);
    return refused && describe(service, refused.code, args[0] ?? '');
  };
  const start = async (): Promise<StartFault | null> => {
    const refused = await ask(['start', service], fine.alreadyRunning);
    if (refused === null) return null;
    const { code } = refused;
    const detail = describe(service, code, 'start');
    if (typeof code !== 'number' || !notRun.includes(code)) return otherStartFault(detail);
    return { detail, program: (await programFault()) ?? fault('service-program', service) };
  };
  /** The fault of the service's program by its file; null when none can be told. */
  const programFault = async (): Promise<ProgramFault | null> => {
    const path = readServiceProgram(await runProgram('sc.exe', ['qc', service]).catch(() => ''));
    return path === null ? null : serviceProgramFault(path, win32.dirname(path));
  };
  const look = async (): Promise<Sighting> => {
    try {
      return readService(await runProgram('sc.exe', ['queryex', service]));
    } catch (error) {
      return { is: 'unknown', detail: describe(service, (error as { code?: unknown }).code, 'queryex') };
    }
  };
  return {
    method: 'windows-service',
    takesShutdownCommand: false,
    look,
    start,
    inspect: async (known) => {
      if (known === null || known.code === 'service-program') return null;
      return known.code === 'library-missing'
        ? stillMissing(known, win32.dirname(known.values[0] ?? ''))
        : programFault();
    },
    explain: async ({ exit }) => (notRun.includes(exit.code ?? 0) ? programFault() : null),
    check: programFault,
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

const describe = (service: string, code: unknown, verb: string): string => {
  if (typeof code !== 'number') return `The service ${service}: ${code ?? 'Windows does not answer'}.`;
  const answer = { asked: `sc ${verb} ${service}`, code };
  return `The service ${service}: ${refusals[code] ?? windowsAnswerText(answer, 'en')}`;
};

/**
 * The program in the output of `sc qc`, whose labels are translated: the only value with a path. Without quotes, its arguments
 * may follow; null when there is none.
 */
export const readServiceProgram = (printed: string): string | null =>
  /^[^:\r\n]*:\s+"?((?:[a-z]:\\|\\\\)[^"\r\n]*?\.exe)\b/im.exec(printed)?.[1] ?? null;

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
