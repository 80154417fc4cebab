import { listLinuxPrograms } from './linux-programs.ts';
import type { RunningProgram } from './running-program.ts';
import { listWindowsPrograms } from './windows-programs.ts';

export const listPrograms = (): Promise<readonly RunningProgram[]> =>
  process.platform === 'win32' ? listWindowsPrograms() : listLinuxPrograms();
