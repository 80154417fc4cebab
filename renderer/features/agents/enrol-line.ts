import type { AgentProgramFile } from '#contracts/agent-downloads.ts';

export interface EnrolLineInput {
  /** As `isApiAddress` takes it. */
  readonly apiUrl: string;
  readonly program: Pick<AgentProgramFile, 'file' | 'sha256'>;
  readonly enrolment: string;
  readonly code: string;
  /** What the line says where it runs; no quotes, backquotes, dollars or exclamation marks. */
  readonly says: {
    readonly wrongSystem: string;
    readonly noTool: string;
    readonly notDownloaded: string;
    readonly wrongSum: string;
    readonly notClosed: string;
  };
}

const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const inPowerShell = (text: string): string => `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`;

const addressOf = ({ apiUrl, program, enrolment }: EnrolLineInput) => {
  const api = apiUrl.trim().replace(/\/+$/, '');
  return { api, url: `${api}/api/game-agent/downloads/${program.file}?enrolment=${enrolment}` };
};

/**
 * For any POSIX shell. Fetches the program into the agent's home, checks its sum, and enrols; what fails leaves nothing behind.
 * The code goes by the environment: arguments are shown to every account of the machine. A subshell keeps variables, traps and
 * `set -e` out of the shell that it is pasted into.
 */
export const shellLine = (input: EnrolLineInput): string => {
  const { program, enrolment, code, says } = input;
  const { api, url } = addressOf(input);
  const complain = (text: string) => `echo ${inShell(text)} >&2; exit 1`;
  const fail = (text: string) => `{ ${complain(text)}; }`;
  return `(${[
    'set -e',
    'umask 077',
    `u=${inShell(url)}`,
    // As agent/configuration/agent-home.ts has it.
    `if [ "$(id -u)" = 0 ]; then h=/var/lib/castellan-agent; else h="\${XDG_DATA_HOME:-$HOME/.local/share}/castellan-agent"; fi`,
    'p="$h/program"; n="$p/.new-$$"',
    `[ "$(uname -sm)" = 'Linux x86_64' ] || ${fail(says.wrongSystem)}`,
    // A program stays only where an agent is enrolled, and an enrolment that may go on keeps its folder.
    `trap 'rm -f "$n"; [ -e "$h/servers" ] || rm -f "$p/castellan-agent"; rmdir "$p" "$h" 2>/dev/null || :' EXIT`,
    `trap 'exit 130' HUP INT TERM`,
    'mkdir -p "$p"',
    `if command -v curl >/dev/null; then curl -f -# -o "$n" "$u"; elif command -v wget >/dev/null; then wget -O "$n" "$u"; else ${complain(says.noTool)}; fi || ${fail(says.notDownloaded)}`,
    `echo "${program.sha256}  $n" | sha256sum -c - >/dev/null 2>&1 || ${fail(says.wrongSum)}`,
    'chmod 700 "$n"',
    'mv -f "$n" "$p/castellan-agent"',
    `CASTELLAN_ENROLMENT_CODE=${inShell(code)} "$p/castellan-agent" enrol --api ${inShell(api)} --enrolment ${inShell(enrolment)}`,
  ].join('; ')})`;
};

/** For Windows PowerShell 5.1 and later, in the same way. */
export const powerShellLine = (input: EnrolLineInput): string => {
  const { program, enrolment, code, says } = input;
  const { api, url } = addressOf(input);
  const steps = [
    `$ErrorActionPreference = 'Stop'`,
    // With its progress shown, 5.1 takes many times as long.
    `$ProgressPreference = 'SilentlyContinue'`,
    '[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072',
    `$h = Join-Path $env:ProgramData 'Castellan Agent'`,
    `$p = Join-Path $h 'program'`,
    `$n = Join-Path $p ('new-' + $PID + '.exe')`,
    `$e = Join-Path $p 'castellan-agent.exe'`,
  ];
  const work = [
    'New-Item -ItemType Directory -Force -Path $h | Out-Null',
    // Every account may make folders in %ProgramData%: what another one made or may do there ends before anything is written. Accounts
    // go by number, since their names are translated; who runs this without administrators' rights stays in.
    `icacls.exe $h /setowner '*S-1-5-32-544' /T /C /Q | Out-Null`,
    'icacls.exe $h /reset /T /C /Q | Out-Null',
    `icacls.exe $h /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' ('*' + [Security.Principal.WindowsIdentity]::GetCurrent().User.Value + ':(OI)(CI)F') /Q | Out-Null`,
    `if ($LASTEXITCODE -ne 0) { throw ${inPowerShell(says.notClosed)} }`,
    'New-Item -ItemType Directory -Force -Path $p | Out-Null',
    // Of lines before this one; one that still runs stays.
    `Remove-Item -Force -Path (Join-Path $p 'old-*.exe') -ErrorAction SilentlyContinue`,
    `try { Invoke-WebRequest -UseBasicParsing -Uri ${inPowerShell(url)} -OutFile $n } catch { throw (${inPowerShell(`${says.notDownloaded} `)} + $_) }`,
    `if ((Get-FileHash -Algorithm SHA256 -LiteralPath $n).Hash -ne '${program.sha256}') { throw ${inPowerShell(says.wrongSum)} }`,
    // A program that runs cannot be replaced, but it can be renamed.
    `if (Test-Path -LiteralPath $e) { Move-Item -Force -LiteralPath $e -Destination (Join-Path $p ('old-' + $PID + '.exe')) }`,
    'Move-Item -LiteralPath $n -Destination $e',
    `$env:CASTELLAN_ENROLMENT_CODE = ${inPowerShell(code)}`,
    `& $e enrol --api ${inPowerShell(api)} --enrolment ${inPowerShell(enrolment)}`,
  ];
  const cleaning = [
    'Remove-Item Env:CASTELLAN_ENROLMENT_CODE -ErrorAction SilentlyContinue',
    'Remove-Item -Force -LiteralPath $n -ErrorAction SilentlyContinue',
    `if (-not (Test-Path -LiteralPath (Join-Path $h 'servers'))) { Remove-Item -Force -LiteralPath $e -ErrorAction SilentlyContinue }`,
  ];
  return `& { ${steps.join('; ')}; try { ${work.join('; ')} } catch { Write-Host $_ -ForegroundColor Red } finally { ${cleaning.join('; ')} } }`;
};
