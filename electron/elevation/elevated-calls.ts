import { win32 } from 'node:path';
import { firewallCalls } from '../first-start/firewall.ts';
import type { ElevatedAct } from './elevated-act.ts';
import type { WindowsFolders } from './windows-folders.ts';

/** A firewall that is managed by others may keep netsh waiting for ever. */
const netshMs = 60_000;

/** A program that an act runs. */
interface ElevatedCall {
  /** Its full path. */
  readonly program: string;
  readonly args: readonly string[];
  /** Its failure does not fail the act: a rule to delete may not exist. */
  readonly mayFail: boolean;
  /** Null: however long it takes, as ours do. */
  readonly timeoutMs: number | null;
}

/**
 * The programs that an act runs, in this order: our own of this installation, and Windows's.
 * @param system Windows's folder for its own programs
 */
export const elevatedCalls = (
  act: ElevatedAct,
  programsFolder: string,
  system: string,
): readonly ElevatedCall[] => {
  const node = win32.join(programsFolder, 'node.exe');
  const castellan = (...args: readonly string[]): ElevatedCall => ({
    program: node,
    args: [win32.join(programsFolder, 'castellan.mjs'), ...args],
    mayFail: false,
    timeoutMs: null,
  });
  switch (act.act) {
    case 'services': {
      const { change, home, wire, user, component } = act;
      const one = component ? ['--component', component] : [];
      return [castellan('--home', home, 'services', 'for-desktop', change, wire, '--user', user, ...one)];
    }
    case 'firewall':
      return firewallCalls(act, node).map((args) => ({
        program: win32.join(system, 'netsh.exe'),
        args,
        mayFail: args.includes('delete'),
        timeoutMs: netshMs,
      }));
    case 'update':
      return [castellan('update', 'install', act.folder, act.version)];
  }
};

/** Windows's programs and ours find their files through these; none of them says what runs, or from where. */
const kept = [
  'ProgramData',
  'ALLUSERSPROFILE',
  'PUBLIC',
  'COMPUTERNAME',
  'USERDOMAIN',
  'USERNAME',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
] as const;

/**
 * The environment of what runs with an administrator's rights. It has no `NODE_OPTIONS`, nor anything else through which an
 * account could load its own code, and a path that contains only Windows's own folder. Windows, not the account, names the
 * folders that code is run from.
 */
export const elevatedEnv = (
  variables: Readonly<Record<string, string | undefined>>,
  { root, programFiles }: WindowsFolders,
): Record<string, string> => {
  const temporary = win32.join(root, 'Temp');
  const env: Record<string, string> = {
    PATH: win32.join(root, 'System32'),
    SystemRoot: root,
    SystemDrive: win32.parse(root).root.slice(0, 2),
    ProgramFiles: programFiles,
    ProgramW6432: programFiles,
    TEMP: temporary,
    TMP: temporary,
  };
  for (const name of kept) {
    const value = variables[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
};
