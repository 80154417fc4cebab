import { readSddl, type SecurityDescriptor } from './sddl.ts';
import { isOurService } from './service-names.ts';
import { type RunSystemProgram, runSystemProgram } from './system-program.ts';

interface FolderSecurity {
  /** By path, the folder first; null: Windows does not let this account read it. */
  readonly descriptors: ReadonlyMap<string, SecurityDescriptor | null>;
  /** The members of the group of administrators, whose own account each of them may use. */
  readonly administrators: readonly string[];
}

/** The folder alone, with what is directly in it, or with everything below it. */
type SecurityDepth = 'itself' | 'children' | 'all';

const levels: Readonly<Record<SecurityDepth, number>> = { itself: 0, children: 1, all: 1000 };

/** By how much is read; a cold PowerShell takes seconds, and many files more. */
const timeoutsMs: Readonly<Record<SecurityDepth, number>> = { itself: 20_000, children: 60_000, all: 60_000 };
const powershell = 'WindowsPowerShell\\v1.0\\powershell.exe';

/** PowerShell takes these, too, as quotation marks. */
export const inPowerShell = (text: string): string => `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`;

/** `icacls` shows no owner and words in the language of Windows. No link below the folder is followed. */
const script = (folder: string, depth: SecurityDepth): string =>
  [
    '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
    `Get-LocalGroupMember -SID 'S-1-5-32-544' -ErrorAction SilentlyContinue | ForEach-Object { 'member ' + $_.SID.Value }`,
    `function Tell($i, $l) { $s = ''; try { $s = (Get-Acl -LiteralPath $i.FullName -ErrorAction Stop).Sddl } catch {}; 'path ' + $i.FullName; 'sddl ' + $s; if ($l -gt 0 -and $i.PSIsContainer -and ($l -eq ${levels[depth]} -or -not ($i.Attributes -band [IO.FileAttributes]::ReparsePoint))) { Get-ChildItem -LiteralPath $i.FullName -Force -ErrorAction SilentlyContinue | ForEach-Object { Tell $_ ($l - 1) } } }`,
    // The account that made it may have closed it to us.
    `try { Tell (Get-Item -LiteralPath ${inPowerShell(folder)} -Force -ErrorAction Stop) ${levels[depth]} } catch { 'path ' + ${inPowerShell(folder)}; 'sddl ' }`,
  ].join('; ');

/** @returns null where PowerShell is unavailable */
export const readFolderSecurity = async (
  folder: string,
  depth: SecurityDepth,
  run: RunSystemProgram = runSystemProgram,
): Promise<FolderSecurity | null> => {
  const printed = await runPowerShell(script(folder, depth), timeoutsMs[depth], run);
  const told = (kind: string) =>
    Array.from(printed.matchAll(new RegExp(`^${kind} ([^\\r\\n]*)`, 'gm')), ([, text = '']) => text);
  const [paths, texts] = [told('path'), told('sddl')];
  if (paths.length === 0) return null;
  return {
    descriptors: new Map(paths.map((path, index) => [path, readSddl(texts[index] ?? '')])),
    administrators: told('member'),
  };
};

/** An account's name in the language of Windows; its SID where it has none. */
export const accountNameOf = async (
  sid: string,
  run: RunSystemProgram = runSystemProgram,
): Promise<string> => {
  const name = `([Security.Principal.SecurityIdentifier]'${sid}').Translate([Security.Principal.NTAccount]).Value`;
  return (
    (
      await runPowerShell(
        `[Console]::OutputEncoding = [Text.Encoding]::UTF8; ${name}`,
        timeoutsMs.itself,
        run,
      )
    ).trim() || sid
  );
};

/** Encoded, since a path may contain any letter and quotation marks. Empty where PowerShell is unavailable. */
export const runPowerShell = (command: string, timeoutMs: number, run: RunSystemProgram): Promise<string> => {
  const encoded = Buffer.from(command, 'utf16le').toString('base64');
  const args = ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded];
  return run(powershell, args, timeoutMs).catch(() => '');
};

/** By number, since their names are translated: Windows itself, and the administrators. */
export const alwaysAllowed = ['S-1-5-18', 'S-1-5-32-544'] as const;
/** The creator and the owner of a file: which account that is, its owner says. */
const creators = ['S-1-3-0', 'S-1-3-4'];
/** The built-in administrator, and the administrators of a domain. */
const administratorNumber = /^S-1-5-21-.*-(?:500|512|519)$/;

/** Whether an account may own our folders and have rights on them. @param own the account that asks */
export const isTrusted =
  (own: string, { administrators }: Pick<FolderSecurity, 'administrators'>) =>
  (sid: string): boolean =>
    sid === own ||
    [...alwaysAllowed, ...creators, ...administrators].includes(sid) ||
    isOurService(sid) ||
    administratorNumber.test(sid);
