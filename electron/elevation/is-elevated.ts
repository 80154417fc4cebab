import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { systemFolder } from '#runtime/windows/system-program.ts';

/** Every Windows has it, everyone may read it, and only administrators may write it. */
const onlyForAdministrators = join(systemFolder, '..', 'win.ini');

/** Whether this process already has an administrator's rights. Nothing is written; a wrong "no" costs a question. */
export const isElevated = async (file: string = onlyForAdministrators): Promise<boolean> => {
  try {
    await (await open(file, 'r+')).close();
    return true;
  } catch {
    return false;
  }
};
