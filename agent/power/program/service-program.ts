import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import { answers } from '#runtime/answering-folder.ts';
import { fault } from './fault.ts';
import { inspectProgram } from './inspect-program.ts';
import { libraryFault } from './libraries.ts';

/**
 * Why a service manager could not run this program, by its file; null when it could, or when that cannot be told. The manager may
 * run it under an account that reaches more than the agent's, so that missing rights prove nothing.
 */
export const serviceProgramFault = async (path: string, folder: string): Promise<ProgramFault | null> => {
  if (!(await answers(path))) return fault('folder-silent', path);
  const found = (await inspectProgram(path, folder)) ?? (await libraryFault(path, folder));
  return found?.code === 'program-not-executable' ? null : found;
};
