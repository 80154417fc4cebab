import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { enrolWords } from './enrol.words.ts';
import { type EnrolLineInput, powerShellLine, shellLine } from './enrol-line.ts';

const inputOf = (more: Partial<EnrolLineInput> = {}): EnrolLineInput => ({
  apiUrl: 'https://panel.example.org',
  program: { file: 'castellan-agent-linux-x64', sha256: 'ab'.repeat(32) },
  enrolment: 'c'.repeat(24),
  code: 'A-_'.repeat(7).concat('A'),
  says: enrolWords.en.says,
  ...more,
});
/** A terminal without an editor of lines cuts off what is longer. */
const longestTerminalLine = 4095;
const hostile = `https://a.example/x';touch\${IFS}/tmp/y;'\`id\`$(id)`;

// Guarantee: in either language the line is one line that a plain terminal takes, and a shell understands it.
test.each(['en', 'pt-BR'] as const)('one line in %s', (language) => {
  const input = inputOf({
    apiUrl: `https://${'long.'.repeat(30)}example.org/`,
    says: enrolWords[language].says,
  });
  const line = shellLine(input);
  execFileSync('sh', ['-n'], { input: `${line}\n` });
  for (const text of [line, powerShellLine(input)]) {
    expect(text).not.toMatch(/[\n\r]/);
    expect(Buffer.byteLength(text)).toBeLessThan(longestTerminalLine);
  }
  // Pasted into an interactive bash, it would stand for an earlier command.
  expect(line).not.toContain('!');
  expect(line).toContain('example.org/api/game-agent/downloads/castellan-agent-linux-x64?enrolment=cc');
});

// Guarantee: no address breaks out of its quotes in either shell.
test('a hostile address', () => {
  const line = shellLine(inputOf({ apiUrl: hostile }));
  const quoted = /; u=(.+?); if \[ "\$\(id/.exec(line)?.[1] ?? '';
  expect(String(execFileSync('sh', ['-c', `printf %s ${quoted}`]))).toMatch(
    `${hostile}/api/game-agent/downloads`,
  );
  const windows = powerShellLine(inputOf({ apiUrl: "https://a.example/'’; calc" }));
  expect(windows).toContain("--api 'https://a.example/''’’; calc' --enrolment");
});
