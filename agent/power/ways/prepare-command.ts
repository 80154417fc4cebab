import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import { answers } from '#runtime/answering-folder.ts';
import { foreignHand } from '#runtime/owned-path.ts';
import { systemFolder } from '#runtime/windows/system-program.ts';
import type { ServerStart } from '../../configuration/server-section.ts';
import { accountObstacle, lookUpAccount } from '../holder/game-account.ts';
import type { HoldOrder } from '../holder/holder-wire.ts';
import { fault, otherStartFault, programStartFault, type StartFault } from '../program/fault.ts';
import { findProgram } from '../program/find-program.ts';
import { inspectProgram } from '../program/inspect-program.ts';

type Prepared =
  | Pick<HoldOrder, 'program' | 'args' | 'isVerbatim' | 'account'>
  | { readonly fault: StartFault };

/** Why there is no game to start in this folder; null when there is. */
export const folderObstacle = async (folder: string): Promise<ProgramFault | null> => {
  if (!(await answers(folder))) return fault('folder-silent', folder);
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere ? null : fault('folder-missing', folder);
};

/** Resolves the parts of the command that are known only on the machine, at the time of the start. */
export const prepareCommand = async (
  folder: string,
  { command, account }: Pick<Extract<ServerStart, { by: 'holder' }>, 'command' | 'account'>,
): Promise<Prepared> => {
  const missing = await folderObstacle(folder);
  if (missing !== null) return { fault: programStartFault(missing) };
  const [word, ...args] = command;
  if (isAbsolute(word) && !(await answers(word)))
    return { fault: programStartFault(fault('folder-silent', word)) };
  const found = await findProgram(folder, word);
  if ('fault' in found) return { fault: programStartFault(found.fault) };
  const program = found.path;
  if (/\.(?:bat|cmd)$/i.test(program)) return prepareBatch(program, args);
  const user = account === null ? null : lookUpAccount(account);
  if (account !== null && user === null)
    return { fault: otherStartFault(`The account ${account} is not there. Make it, or name another one.`) };
  const unsafe = await rootObstacle(user?.uid ?? process.geteuid?.(), [folder, program]);
  if (unsafe !== null) return { fault: otherStartFault(unsafe) };
  const unfit = await inspectProgram(program, folder);
  if (unfit !== null) return { fault: programStartFault(unfit) };
  // Only root can try what another account may do.
  const closed = user && process.geteuid?.() === 0 ? await accountObstacle(user, { program, folder }) : null;
  return closed === null ? { program, args, isVerbatim: false, account: user } : { fault: closed };
};

/** Only root may be able to change what root starts and the folder it runs in: otherwise anyone who can change them has root's rights. */
const rootObstacle = async (uid: number | undefined, paths: readonly string[]): Promise<string | null> => {
  if (uid !== 0) return null;
  for (const path of paths) {
    const why = await foreignHand(path).catch(
      (error: NodeJS.ErrnoException) => `Who may change ${path} cannot be told: ${error.code}.`,
    );
    if (why !== null)
      return `The game would run as root. ${why} Better still, name the account of the game as "account" beside "command" in the configuration.`;
  }
  return null;
};

/**
 * Windows runs batch files only with cmd.exe, which reads their command line by its own rules. All words are in quotes, within which
 * `&`, `^`, `(` and the like are letters. `/s` removes the outer quotes and keeps all others; `/v:off` makes `!` a letter where the
 * registry says otherwise; extensions are on for what `asWord` does with `%`. As Rust's library does since CVE-2024-24576.
 */
export const prepareBatch = (file: string, args: readonly string[]): Prepared =>
  [file, ...args].some((word) => /[\0\r\n]/.test(word)) || file.includes('"')
    ? { fault: otherStartFault(`${file} is a batch file: its arguments may hold no line break`) }
    : {
        program: join(systemFolder, 'cmd.exe'),
        args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${[file, ...args].map(asWord).join(' ')}"`],
        isVerbatim: true,
        account: null,
      };

/**
 * A word of cmd.exe, for the program as well that the batch file passes it to. No quotes keep `%` from naming a variable: the empty
 * beginning of `%cd%` stands behind each, so that what follows belongs to no name.
 */
const asWord = (word: string): string =>
  `"${word
    .replaceAll(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    .replaceAll('%', '%%cd:~,%')}"`;
