import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { fault, otherStartFault, programStartFault, type StartFault } from '../program/fault.ts';
import type { HoldOrder } from './holder-wire.ts';

export type GameAccount = NonNullable<HoldOrder['account']>;
type Program = Pick<HoldOrder, 'program' | 'args'>;

/**
 * Runs a program under the account with exactly its groups. Node's own `uid` and `gid` omit the account's supplementary groups,
 * so util-linux does it, which replaces itself with the program.
 */
export const asAccount = (
  { uid, gid, groups }: GameAccount,
  { program, args }: Program,
): [string, string[]] => [
  'setpriv',
  [`--reuid=${uid}`, `--regid=${gid}`, `--groups=${groups.join(',')}`, '--', program, ...args],
];

/** As after a login: what the agent's own account has, such as sockets of its session, is not for another account. */
export const environmentOf = ({ name, home }: GameAccount): NodeJS.ProcessEnv => {
  // biome-ignore lint/style/noProcessEnv: of the machine rather than of the account
  const { PATH, LANG, TZ } = process.env;
  return { PATH, LANG, TZ, SHELL: '/bin/sh', HOME: home, USER: name, LOGNAME: name };
};

const lookUpMs = 10_000;

/** Includes accounts of a directory service; null: there is none with this name. */
export const lookUpAccount = (name: string): GameAccount | null => {
  const ask = (program: string, args: readonly string[]) =>
    (spawnSync(program, args, { encoding: 'utf8', timeout: lookUpMs }).stdout ?? '').trim();
  const [found, , uid, gid, , home] = ask('getent', ['passwd', '--', name]).split(':');
  const groups = ask('id', ['-G', '--', name]).split(' ').filter(Boolean).map(Number);
  return found === name && groups.length > 0
    ? { name, uid: Number(uid), gid: Number(gid), groups, home: home || '/' }
    : null;
};

const exits = { folder: 3, program: 4 };
const look = `cd -- "$1" || exit ${exits.folder}; [ -x "$2" ] || exit ${exits.program}`;
const lookMs = 10_000;

/** Why the account cannot start the program; null when it can. */
export const accountObstacle = async (
  account: GameAccount,
  { program, folder }: Pick<HoldOrder, 'program' | 'folder'>,
): Promise<StartFault | null> => {
  const [setpriv, args] = asAccount(account, {
    program: '/bin/sh',
    args: ['-c', look, 'sh', folder, program],
  });
  const { name } = account;
  try {
    await promisify(execFile)(setpriv, args, { cwd: '/', env: environmentOf(account), timeout: lookMs });
    return null;
  } catch (error) {
    const { code, stderr } = error as { code?: string | number; stderr?: string };
    if (code === 'ENOENT')
      return otherStartFault(
        'The program setpriv, which starts the game under its account, is not there. Install the package util-linux.',
      );
    if (code === exits.folder) return programStartFault(fault('folder-closed', folder, name));
    if (code === exits.program) return programStartFault(fault('program-closed', program, name));
    return otherStartFault(
      `The game cannot be run under the account ${name}: ${stderr?.trim() || `the system answers ${code}`}.`,
    );
  }
};
