import type { AgentProgramFile } from '#contracts/servers/agent-downloads.ts';

export interface EnrolLineInput {
  /** As `isApiAddress` accepts it. */
  readonly apiUrl: string;
  readonly program: Pick<AgentProgramFile, 'file' | 'sha256'>;
  /** The id of the server: the agent looks for obstacles before it uses the code. */
  readonly serverId: string;
  /** Identifies the API's certificate where the usual authorities do not vouch for it. */
  readonly certificate: { readonly pin: string; readonly sha256: string } | null;
  readonly enrolment: string;
  readonly code: string;
  /** The line's messages; no quotes, backquotes, dollars or exclamation marks. */
  readonly says: {
    readonly wrongSystem: string;
    readonly noTool: string;
    readonly notDownloaded: string;
    readonly wrongSum: string;
    readonly notRun: string;
    readonly notClosed: string;
  };
}

const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const inPowerShell = (text: string): string => `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`;

const addressOf = ({ apiUrl, program, enrolment, certificate }: EnrolLineInput) => {
  const api = apiUrl.trim().replace(/\/+$/, '');
  return {
    api,
    url: `${api}/api/game-agent/downloads/${program.file}?enrolment=${enrolment}`,
    certificate: /^https:/i.test(api) ? certificate : null,
  };
};

/** The agent's command line arguments, quoted for a shell. */
const enrolArguments = (input: EnrolLineInput, quote: (text: string) => string): string => {
  const { api, certificate } = addressOf(input);
  const named = { api, enrolment: input.enrolment, server: input.serverId, pin: certificate?.pin };
  return Object.entries(named)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--${name} ${quote(value ?? '')}`)
    .join(' ');
};

/**
 * For any POSIX shell. Fetches the program into a folder next to the agent's home, checks its checksum, and enrols; a
 * failure leaves nothing behind. The program moves into the home once it is enrolled: until then an agent that is
 * installed there keeps its program, and no account except the one that pastes the line can change what it runs.
 * The code is passed by the environment: every account of the machine can see arguments. A subshell keeps variables,
 * traps and `set -e` out of the shell that the line is pasted into.
 */
export const shellLine = (input: EnrolLineInput): string => {
  const { program, code, says } = input;
  const { url, certificate } = addressOf(input);
  const complain = (text: string) => `echo ${inShell(text)} >&2; exit 1`;
  const fail = (text: string) => `{ ${complain(text)}; }`;
  // The name and the dates of a self-signed certificate do not count, its key does; the checksum covers the rest.
  const pinned = certificate && inShell(certificate.pin);
  const curl = `curl -f -# --connect-timeout 20${pinned ? ` -k --pinnedpubkey ${pinned}` : ''} -o "$n" "$u"`;
  const wget = `wget -T 30 -t 3${pinned ? ` --no-check-certificate --pinnedpubkey=${pinned}` : ''} -O "$n" "$u"`;
  return `(${[
    'set -e',
    'umask 077',
    `u=${inShell(url)}`,
    // As in agent/configuration/agent-home.ts.
    `if [ "$(id -u)" = 0 ]; then h=/var/lib/castellan-agent; else h="\${XDG_DATA_HOME:-$HOME/.local/share}/castellan-agent"; fi`,
    'd="$h.new-$$"; n="$d/castellan-agent"',
    `[ "$(uname -sm)" = 'Linux x86_64' ] || ${fail(says.wrongSystem)}`,
    `mkdir -p "\${h%/*}"`,
    'mkdir "$d"',
    // An enrolment that may continue keeps its folder.
    `trap 'rm -rf "$d"; rmdir "$h" 2>/dev/null || :' EXIT`,
    `trap 'exit 130' HUP INT TERM`,
    `if command -v curl >/dev/null; then ${curl}; elif command -v wget >/dev/null; then ${wget}; else ${complain(says.noTool)}; fi || ${fail(says.notDownloaded)}`,
    `echo "${program.sha256}  $n" | sha256sum -c - >/dev/null 2>&1 || ${fail(says.wrongSum)}`,
    'chmod 700 "$n"',
    // Before the code is used: noexec and musl end with 126 and 127, a glibc that is too old with 1 and a line of the loader's.
    `"$n" --version >/dev/null || ${fail(says.notRun)}`,
    `CASTELLAN_ENROLMENT_CODE=${inShell(code)} "$n" enrol --into-home ${enrolArguments(input, inShell)}`,
  ].join('; ')})`;
};

/**
 * The certificate check is an expression that .NET compiles: it is called on threads that cannot run PowerShell scripts.
 * It belongs to this request alone, in Windows PowerShell and in PowerShell 7.
 */
const pinnedDownload = (url: string, sha256: string): string => {
  const shown = (sha256.toUpperCase().match(/../g) ?? []).join('-');
  return [
    '$x = [Linq.Expressions.Expression]',
    '$a = [object], [Security.Cryptography.X509Certificates.X509Certificate], [Security.Cryptography.X509Certificates.X509Chain], [Net.Security.SslPolicyErrors] | ForEach-Object { $x::Parameter($_) }',
    `$b = $x::Call($x::Constant([Security.Cryptography.SHA256]::Create()), [Security.Cryptography.HashAlgorithm].GetMethod('ComputeHash', [Type[]]@([byte[]])), $x::Call($a[1], 'GetRawCertData', $null))`,
    `$b = $x::Equal($x::Call([BitConverter].GetMethod('ToString', [Type[]]@([byte[]])), $b), $x::Constant('${shown}'))`,
    `$q = [Net.WebRequest]::Create(${inPowerShell(url)})`,
    '$q.ServerCertificateValidationCallback = $x::Lambda([Net.Security.RemoteCertificateValidationCallback], $b, [Linq.Expressions.ParameterExpression[]]$a).Compile()',
    '$q = $q.GetResponse()',
    'try { $f = [IO.File]::Create($n); try { $q.GetResponseStream().CopyTo($f) } finally { $f.Close() } } finally { $q.Close() }',
  ].join('; ');
};

/** For Windows PowerShell 5.1 and later, in the same way. */
export const powerShellLine = (input: EnrolLineInput): string => {
  const { program, code, says } = input;
  const { url, certificate } = addressOf(input);
  const steps = [
    `$ErrorActionPreference = 'Stop'`,
    // With its progress bar, 5.1 takes many times as long.
    `$ProgressPreference = 'SilentlyContinue'`,
    '[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072',
    `$h = Join-Path $env:ProgramData 'Castellan Agent'`,
    `$p = Join-Path $h 'program'`,
    `$n = Join-Path $p ('new-' + $PID + '.exe')`,
    `$e = Join-Path $p 'castellan-agent.exe'`,
  ];
  const work = [
    // Every account may create folders in %ProgramData%: one that belongs to another account, or is a link, is moved away
    // before anything is written there, unless an agent seems to be set up in it. In our own home the permissions stay,
    // since a running service needs them. Accounts are given by number, since their names are translated; an account that
    // runs this without administrator rights keeps its access.
    '$k = [Security.Principal.SecurityIdentifier]',
    '$w = [Security.Principal.WindowsIdentity]::GetCurrent().User.Value',
    `$o = @('S-1-5-18', 'S-1-5-32-544', $w)`,
    `$g = @($o | ForEach-Object { '*' + $_ + ':(OI)(CI)F' })`,
    `$o += Get-LocalGroupMember -SID S-1-5-32-544 -ErrorAction Ignore | ForEach-Object { $_.SID.Value }`,
    String.raw`if (Get-Service -Name CastellanAgent -ErrorAction Ignore) { $s = ([Security.Principal.NTAccount]'NT SERVICE\CastellanAgent').Translate($k).Value; $o += $s; $g += '*' + $s + ':(OI)(CI)M' }`,
    `$c = ${inPowerShell(says.notClosed)}`,
    String.raw`$t = { param($f) if ((Test-Path $f) -and (((Get-Item $f -Force).Attributes -band 1024) -or ($o -notcontains (Get-Acl $f).GetOwner($k).Value))) { if (Test-Path "$f\servers") { throw $c }; Rename-Item $f "$(Split-Path -Leaf $f).found-$PID" }; New-Item -ItemType Directory -Force $f | Out-Null }`,
    '& $t $h',
    'icacls.exe $h /inheritance:r /grant:r $g /Q | Out-Null',
    'if ($LASTEXITCODE -ne 0) { throw $c }',
    '& $t $p',
    // Leftovers of earlier lines; a running program stays.
    `Remove-Item -Force -Path (Join-Path $p 'old-*.exe') -ErrorAction SilentlyContinue`,
    `try { ${certificate ? pinnedDownload(url, certificate.sha256) : `Invoke-WebRequest -UseBasicParsing -Uri ${inPowerShell(url)} -OutFile $n`} } catch { throw (${inPowerShell(`${says.notDownloaded} `)} + $_) }`,
    `if ((Get-FileHash -Algorithm SHA256 -LiteralPath $n).Hash -ne '${program.sha256}') { throw ${inPowerShell(says.wrongSum)} }`,
    // A running program cannot be replaced, but it can be renamed.
    `if (Test-Path -LiteralPath $e) { Move-Item -Force -LiteralPath $e -Destination (Join-Path $p ('old-' + $PID + '.exe')) }`,
    'Move-Item -LiteralPath $n -Destination $e',
    `$env:CASTELLAN_ENROLMENT_CODE = ${inPowerShell(code)}`,
    `& $e enrol ${enrolArguments(input, inPowerShell)}`,
  ];
  const cleaning = [
    'Remove-Item Env:CASTELLAN_ENROLMENT_CODE -ErrorAction SilentlyContinue',
    'Remove-Item -Force -LiteralPath $n -ErrorAction SilentlyContinue',
    `if (-not (Test-Path -LiteralPath (Join-Path $h 'servers'))) { Remove-Item -Force -LiteralPath $e -ErrorAction SilentlyContinue }`,
  ];
  return `& { ${steps.join('; ')}; try { ${work.join('; ')} } catch { Write-Host $_ -ForegroundColor Red } finally { ${cleaning.join('; ')} } }`;
};
