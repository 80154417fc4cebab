import { inPowerShell, runPowerShell } from './folder-security.ts';
import { type RunSystemProgram, runSystemProgram } from './system-program.ts';

/** What Windows alone knows about a folder that is there. */
export interface FolderFacts {
  /** As .NET numbers them. */
  readonly drive: 'removable' | 'fixed' | 'network' | 'disc' | 'memory' | 'unknown';
  /** By the encrypting file system, for one account; what is made in the folder will be, too. */
  readonly isEncrypted: boolean;
  readonly isCompressed: boolean;
  /** Folders that sync clients have registered with the system, of all accounts as far as they can be read. */
  readonly syncRoots: readonly string[];
  /** Folders that "controlled folder access" of Defender keeps from unknown programs; none while it is off. */
  readonly protectedFolders: readonly string[];
}

const driveKinds = ['unknown', 'unknown', 'removable', 'fixed', 'network', 'disc', 'memory'] as const;
/** Of `System.IO.FileAttributes`. */
const attributes = { compressed: 0x800, encrypted: 0x4000 } as const;

/**
 * Prints lines of a word in English and a value, in whatever language Windows is. Sync roots: files-community/Files, and
 * havocontheharddrive.com/dropbox-artifacts. Controlled folder access decides by program: Node may be known to it where Postgres
 * is not (anthropics/claude-code#53761), so that no attempt to write tells; its own folders are those of
 * learn.microsoft.com/defender-endpoint/controlled-folders.
 */
const script = (folder: string): string =>
  [
    '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
    "$ErrorActionPreference = 'SilentlyContinue'",
    `$f = ${inPowerShell(folder)}`,
    "try { 'drive ' + [int](New-Object IO.DriveInfo $f).DriveType } catch {}",
    "try { 'attributes ' + [int](Get-Item -LiteralPath $f -Force).Attributes } catch {}",
    "Get-ChildItem 'HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Explorer\\SyncRootManager' | ForEach-Object { $k = $_.OpenSubKey('UserSyncRoots'); if ($k) { $k.GetValueNames() | ForEach-Object { 'root ' + $k.GetValue($_) } } }",
    "Get-ChildItem 'HKCU:\\Software\\SyncEngines\\Providers\\OneDrive' | ForEach-Object { 'root ' + $_.GetValue('MountPoint') }",
    "Get-ChildItem 'HKCU:\\Software\\Microsoft\\OneDrive\\Accounts' | ForEach-Object { 'root ' + $_.GetValue('UserFolder') }",
    "$on = $false; foreach ($p in 'Policies\\Microsoft', 'Microsoft') { $c = 'HKLM:\\SOFTWARE\\' + $p + '\\Windows Defender\\Windows Defender Exploit Guard\\Controlled Folder Access'; if ((Get-ItemProperty $c).EnableControlledFolderAccess -eq 1) { $on = $true }; (Get-Item ($c + '\\ProtectedFolders')).GetValueNames() | ForEach-Object { 'chosen ' + $_ } }",
    "if ($on) { 'guard on'; 'MyDocuments', 'CommonDocuments', 'MyPictures', 'CommonPictures', 'MyVideos', 'CommonVideos', 'MyMusic', 'CommonMusic', 'Favorites' | ForEach-Object { 'chosen ' + [Environment]::GetFolderPath($_) } }",
  ].join('; ');

/** A cold PowerShell takes seconds; a page waits for it. */
const timeoutMs = 10_000;

/** @returns null where PowerShell is unavailable: nothing is known then */
export const readFolderFacts = async (
  folder: string,
  run: RunSystemProgram = runSystemProgram,
): Promise<FolderFacts | null> => {
  const printed = await runPowerShell(script(folder), timeoutMs, run);
  const told = (word: string) =>
    Array.from(printed.matchAll(new RegExp(`^${word} ([^\\r\\n]+)`, 'gm')), ([, text = '']) => text.trim());
  const [drive, found] = [told('drive')[0], Number(told('attributes')[0] ?? 0)];
  if (drive === undefined && told('attributes').length === 0) return null;
  return {
    drive: driveKinds[Number(drive)] ?? 'unknown',
    isEncrypted: (found & attributes.encrypted) !== 0,
    isCompressed: (found & attributes.compressed) !== 0,
    syncRoots: [...new Set(told('root'))].filter((path) => path !== ''),
    protectedFolders:
      told('guard').length === 0 ? [] : [...new Set(told('chosen'))].filter((path) => path !== ''),
  };
};
