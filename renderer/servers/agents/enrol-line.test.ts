import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { enrolWords } from './enrol.words.ts';
import { type EnrolLineInput, powerShellLine, shellLine } from './enrol-line.ts';

const inputOf = (more: Partial<EnrolLineInput> = {}): EnrolLineInput => ({
  apiUrl: 'https://panel.example.org',
  program: { file: 'castellan-agent-linux-x64', sha256: 'ab'.repeat(32) },
  serverId: 's'.repeat(24),
  certificate: null,
  enrolment: 'c'.repeat(24),
  code: 'A-_'.repeat(7).concat('A'),
  says: enrolWords.en.says,
  ...more,
});
const own = { pin: `sha256//${'A'.repeat(43)}=`, sha256: 'cd'.repeat(32) };
/** A terminal without line editing cuts off longer lines. */
const longestTerminalLine = 4095;
const hostile = `https://a.example/x';touch\${IFS}/tmp/y;'\`id\`$(id)`;

// Guarantee: in either language the line is one line that a plain terminal accepts and a shell understands.
test.each(['en', 'pt-BR'] as const)('one line in %s', (language) => {
  const input = inputOf({
    certificate: own,
    apiUrl: `https://${'long.'.repeat(30)}example.org/`,
    says: enrolWords[language].says,
  });
  const line = shellLine(input);
  execFileSync('sh', ['-n'], { input: `${line}\n` });
  for (const text of [line, powerShellLine(input)]) {
    expect(text).not.toMatch(/[\n\r]/);
    expect(Buffer.byteLength(text)).toBeLessThan(longestTerminalLine);
  }
  // Pasted into an interactive bash, it would expand to an earlier command.
  expect(line).not.toContain('!');
  expect(line).toContain('example.org/api/game-agent/downloads/castellan-agent-linux-x64?enrolment=cc');
});

// Guarantee: where the program cannot run, words say why before the code is used: noexec (126), musl (127), and an old glibc, which
// the loader says with 1 (nodejs/node#46412).
test.each([
  ["/lib64/libc.so.6: version 'GLIBC_2.28' not found", 1],
  ['Permission denied', 126],
  ['not found', 127],
])('%s', async (said, status) => {
  await using folder = await temporaryFolder('enrol-line');
  const program = join(folder.path, 'castellan-agent');
  const uses = `[ -z "$CASTELLAN_ENROLMENT_CODE" ] || touch '${folder.path}/used'`;
  await writeFile(program, `#!/bin/sh\n${uses}\necho "${said}" >&2\nexit ${status}\n`);
  const [, starting] = /(chmod 700 "\$n"; .*)\)$/.exec(shellLine(inputOf())) ?? [];
  const script = `set -e; n='${program}'; ${starting}`;
  const { status: ended, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(ended).toBe(1);
  expect(stderr).toBe(`${said}\n${enrolWords.en.says.notRun}\n`);
  expect(await readdir(folder.path)).toEqual(['castellan-agent']);
});

// Guarantee: no address can escape its quotes in either shell.
test('a hostile address', () => {
  const line = shellLine(inputOf({ apiUrl: hostile }));
  const quoted = /; u=(.+?); if \[ "\$\(id/.exec(line)?.[1] ?? '';
  expect(String(execFileSync('sh', ['-c', `printf %s ${quoted}`]))).toMatch(
    `${hostile}/api/game-agent/downloads`,
  );
  const windows = powerShellLine(inputOf({ apiUrl: "https://a.example/'’; calc" }));
  expect(windows).toContain("--api 'https://a.example/''’’; calc' --enrolment");
});

// Guarantee: on Windows the agent's folder is closed to other accounts before anything is written there, after one that another
// account made was moved away without looking into it; programs of earlier lines are removed; a running service keeps its permissions.
test('a closed folder on Windows', () => {
  const line = powerShellLine(
    inputOf({ program: { file: 'castellan-agent-win-x64.exe', sha256: 'a'.repeat(64) } }),
  );
  const closing = ['Get-Service', ':(OI)(CI)M', '-notcontains', 'Rename-Item', '& $t $h;', '/inheritance:r'];
  const places = [...closing, 'LASTEXITCODE', '& $t $p;', 'old-*.exe', 'Invoke-WebRequest'];
  // They would follow a link that someone has put there.
  expect(line).not.toMatch(/\/setowner|\/reset|\/T\b/);
  let from = 0;
  const found = places.map((place) => {
    from = line.indexOf(place, from);
    return from;
  });
  expect(found).toEqual([...found].sort((one, other) => one - other));
  expect(found).not.toContain(-1);
});

// Guarantee: no certificate check is ever dropped without another one in its place, and none is added without TLS or
// where the usual authorities vouch for the certificate.
test('a certificate of one’s own', () => {
  const line = shellLine(inputOf({ certificate: own }));
  expect(line).toContain(`curl -f -# --connect-timeout 20 -k --pinnedpubkey '${own.pin}'`);
  expect(line).toContain(`--no-check-certificate --pinnedpubkey='${own.pin}'`);
  expect(line).toContain(`--server '${'s'.repeat(24)}' --pin '${own.pin}')`);
  const windows = powerShellLine(inputOf({ certificate: own }));
  expect(windows).toContain(Array.from({ length: 32 }, () => 'CD').join('-'));
  expect(windows).not.toContain('Invoke-WebRequest');
  for (const input of [inputOf(), inputOf({ apiUrl: 'http://a.example', certificate: own })])
    for (const plain of [shellLine(input), powerShellLine(input)])
      expect(plain).not.toMatch(/-k |--pin|no-check|Callback/);
});
