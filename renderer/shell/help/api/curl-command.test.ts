import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CurlRequest, curlCommand, isKeyLike, plainJson } from './curl-command.ts';

const run = promisify(execFile);
const wicked = `it's "q" $HOME \`id\` $(id) \\ %PATH% !! & | <x> ^ ; é 😀 ’ \n end`;
const request: CurlRequest = {
  method: 'POST',
  url: `https://play.example/api/x?text=it's%20a&b=%24(id)`,
  json: { text: wicked, 'key\'"': [1, null, true] },
  isPublic: false,
};

/** The arguments that a real bash passes to a program called `curl`. */
const asBashPasses = async (command: string): Promise<readonly string[]> => {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { CASTELLAN_API_KEY: 'from-the-variable', PATH: '' };
  const { stdout } = await run('/bin/bash', ['--noprofile', '--norc', '-c', script], { env });
  return stdout.split('\0').slice(0, -1);
};

// Guarantee: pasted into bash, a command sends exactly what it shows, and nothing in a name or a text is executed.
test('bash', async () => {
  const passed = await asBashPasses(curlCommand(request, 'bash', null));
  expect(passed.slice(0, 8)).toEqual([
    '-X',
    'POST',
    request.url,
    '-H',
    'Authorization: Bearer from-the-variable',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
  ]);
  expect(JSON.parse(passed[8] ?? '')).toEqual(request.json);
  expect(passed).toHaveLength(9);
  const withKey = await asBashPasses(
    curlCommand({ method: 'GET', url: 'http://a/', isPublic: false }, 'bash', 'key-1'),
  );
  expect(withKey).toEqual(['-X', 'GET', 'http://a/', '-H', 'Authorization: Bearer key-1']);
});

// Guarantee: the shells of Windows get the same request, in characters that none of them changes.
test('JSON in harmless letters', () => {
  fc.assert(
    fc.property(fc.json(), fc.string({ unit: 'binary' }), (json, text) => {
      const value: unknown = [JSON.parse(json), text, { [text]: wicked }];
      const plain = plainJson(value);
      expect(JSON.parse(plain)).toEqual(JSON.parse(JSON.stringify(value)));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the rest of ASCII is what is meant
      expect(plain).not.toMatch(/[&|<>^%!'`$\u0000-\u001f\u007f-\uffff]|\\["\\]/);
    }),
  );
});

test('PowerShell', () => {
  const command = curlCommand({ ...request, url: `https://a/it's’` }, 'powershell', null);
  const [body, sends] = command.split(' | ');
  expect(JSON.parse(body?.slice(1, -1) ?? '')).toEqual(request.json);
  expect(sends).toBe(
    [
      `curl.exe -X POST 'https://a/it''s’’'`,
      '-H "Authorization: Bearer $env:CASTELLAN_API_KEY"',
      `-H 'Content-Type: application/json'`,
      `--data-binary '@-'`,
    ].join(' `\n  '),
  );
});

test('cmd', () => {
  const command = curlCommand({ ...request, json: { a: 'x "y" & z' } }, 'cmd', null);
  expect(command).toBe(
    [
      `curl.exe -X POST "https://play.example/api/x?text=it's%20a&b=%24(id)"`,
      '-H "Authorization: Bearer %CASTELLAN_API_KEY%"',
      '-H "Content-Type: application/json"',
      String.raw`--data-raw "{\"a\":\"x \u0022y\u0022 \u0026 z\"}"`,
    ].join(' ^\n  '),
  );
});

test('files, and what is open to all', () => {
  const file: CurlRequest = {
    method: 'PUT',
    url: 'http://a/',
    fileType: 'application/zip',
    saveAs: 'FILE',
    isPublic: true,
  };
  expect(curlCommand(file, 'bash', 'not used')).toBe(
    [
      `curl -X PUT 'http://a/'`,
      `-H 'Content-Type: application/zip'`,
      `--data-binary '@FILE'`,
      `-o 'FILE'`,
    ].join(' \\\n  '),
  );
});

const withHeader = (value: string): CurlRequest => ({
  method: 'POST',
  url: 'http://a/',
  headers: { 'Idempotency-Key': value },
  isPublic: true,
});

// Guarantee: a typed header reaches the request unchanged, and cannot become a second header or a second command.
test('headers in bash', async () => {
  const passed = await asBashPasses(
    curlCommand(withHeader(`it's "q" $HOME \`id\`\r\nX-Evil: 1`), 'bash', null),
  );
  expect(passed).toEqual([
    '-X',
    'POST',
    'http://a/',
    '-H',
    `Idempotency-Key: it's "q" $HOME \`id\` X-Evil: 1`,
  ]);
});

// Guarantee: a value that a Windows shell would change never reaches it.
test.each([
  ['powershell', `it's`, `'Idempotency-Key: it''s'`],
  ['powershell', 'a"b', `'Idempotency-Key: IDEMPOTENCY_KEY'`],
  ['powershell', 'a\\', `'Idempotency-Key: IDEMPOTENCY_KEY'`],
  ['cmd', 'order-1', '"Idempotency-Key: order-1"'],
  ...[...'"%^!&|<>\\'].map((sign) => ['cmd', `a${sign}b`, '"Idempotency-Key: IDEMPOTENCY_KEY"'] as const),
] as const)('a header in %s: %s', (shell, value, told) =>
  expect(curlCommand(withHeader(value), shell, null)).toContain(`-H ${told}`),
);

test.each([
  ['ck_0123456789abcdefghij-_', true],
  ['short', false],
  [`0123456789abcdefghij'; rm -rf /`, false],
  ['Bearer 0123456789abcdefghij', false],
])('a key: %s', (text, is) => expect(isKeyLike(text)).toBe(is));
