import { alwaysAllowed } from './folder-security.ts';
import { type RunSystemProgram, runSystemProgram } from './system-program.ts';

/**
 * Closes a folder, and everything later created in it, to every account but ours, the system and the administrators; file modes
 * do nothing on Windows, and %ProgramData% lets every account read. Rights that were given on the folder itself stay.
 */
export const closeToOthers = async (
  folder: string,
  runProgram: RunSystemProgram = runSystemProgram,
): Promise<void> => {
  const allowed = [await ownAccount(runProgram), ...alwaysAllowed];
  const grants = allowed.map((account) => `*${account}:(OI)(CI)F`);
  await runProgram('icacls.exe', [folder, '/inheritance:r', '/grant:r', ...grants]);
};

/** The SID of the account that we run as. */
export const ownAccount = async (runProgram: RunSystemProgram = runSystemProgram): Promise<string> => {
  const printed = await runProgram('whoami.exe', ['/user', '/fo', 'csv', '/nh']);
  const account = /\b(S-1-[\d-]+)"?\s*$/.exec(printed)?.[1];
  if (account === undefined) throw new Error('whoami names no account');
  return account;
};
