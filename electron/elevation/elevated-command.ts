import { commandLineText } from '#runtime/windows/command-line-text.ts';

/** Windows's number for: the person said no (ERROR_CANCELLED). */
const elevationRefused = 1223;

/** Windows's numbers for: an account that must not do this (ERROR_ELEVATION_REQUIRED, ERROR_ACCESS_DISABLED_BY_POLICY). */
const elevationImpossible: readonly number[] = [740, 1260];

/** PowerShell takes the typographic quotes, which names of folders may hold, for the plain one. */
const literal = (text: string): string => `'${text.replace(/['\u2018-\u201B]/g, '$&$&')}'`;

/**
 * The arguments of a powershell.exe that asks the person for an administrator's rights, runs the program with them to
 * its end, and ends with its exit code; with 1223 when the person refuses. Encoded, since no quoting survives all the
 * hands that it passes through.
 */
export const elevatedCommand = (program: string, args: readonly string[]): readonly string[] => {
  const argumentText = commandLineText(program, args).slice(`"${program}"`.length).trimStart();
  const script = [
    '$ErrorActionPreference = "Stop"',
    '$info = New-Object Diagnostics.ProcessStartInfo',
    `$info.FileName = ${literal(program)}`,
    `$info.Arguments = ${literal(argumentText)}`,
    '$info.Verb = "runas"',
    '$info.UseShellExecute = $true',
    '$info.WindowStyle = "Hidden"',
    'try { $process = [Diagnostics.Process]::Start($info) }',
    'catch { $code = $_.Exception.GetBaseException().NativeErrorCode; if ($code) { exit $code } else { exit 1 } }',
    '$process.WaitForExit()',
    'exit $process.ExitCode',
  ].join('\n');
  const encoded = Buffer.from(script, 'utf16le').toString('base64');
  return ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded];
};

/** What came of a program that was to run elevated. */
export type ElevationOutcome = 'done' | 'refused' | 'impossible' | 'failed';

/** @param exitCode of that powershell */
export const elevationOutcome = (exitCode: number): ElevationOutcome => {
  if (exitCode === 0) return 'done';
  if (exitCode === elevationRefused) return 'refused';
  return elevationImpossible.includes(exitCode) ? 'impossible' : 'failed';
};
