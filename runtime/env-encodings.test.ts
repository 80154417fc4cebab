import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { ConfigError, emptiedFaults, openEnvFile, readEnv } from './env.ts';
import { editEnvFile } from './env-file.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder('env');
});
afterAll(() => folder[Symbol.asyncDispose]());

const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
const ansi = (text: string) => Buffer.from(text, 'latin1');
const written = async (...parts: (string | Buffer)[]): Promise<string> => {
  const path = join(folder.path, '.env');
  await writeFile(path, Buffer.concat(parts.map((part) => Buffer.from(part as string))), { mode: 0o600 });
  return path;
};

const lines = '# für Jörg, 表示\r\nA=1\r\nB="two words"\r\n';
const both = { A: '1', B: 'two words' };

// Guarantee: what Windows' programs write is read, in every form that leaves no doubt; after a change of one variable every line
// and comment is still there, in UTF-8. Forms: motdotla/dotenv#445 (`>` of PowerShell 5), vlucas/phpdotenv#282, Notepad's menu
// "Encoding" (UTF-16 LE, UTF-16 BE, UTF-8 with BOM, ANSI), `copy /b a+b` (a mark in the middle), line ends of an old Mac.
describe('read and kept', () => {
  test.each([
    ['UTF-8', [lines], both],
    ['UTF-8 with its mark', [`\uFEFF${lines}`], both],
    ['a mark in the middle', ['\uFEFFA=1\n', '\uFEFFB="two words"\n'], both],
    ['UTF-16 LE', [utf16le(`\uFEFF${lines}`)], both],
    ['UTF-16 BE', [utf16be(`\uFEFF${lines}`)], both],
    ['UTF-16 LE without a mark', [utf16le(lines)], both],
    ['UTF-16 BE without a mark', [utf16be(lines)], both],
    [
      '`>>` of PowerShell 5 under UTF-8',
      [lines, utf16le('C=3\r\n'), utf16le('D=4\r\n')],
      { ...both, C: '3', D: '4' },
    ],
    ['the same with a mark', [lines, utf16le('\uFEFFC=3\r\n')], { ...both, C: '3' }],
    ['the same in the other order', [lines, utf16be('C=3\r\n')], { ...both, C: '3' }],
    ['ANSI in comments only', [ansi('# f\xfcr J\xf6rg\r\nA=1 # \x80\r\nB="two words"\r\n')], both],
    ['carriage returns only', [lines.replaceAll('\r\n', '\r')], both],
    ['mixed line ends', ['A=1\rX=\nB=two words\r\r\n'], { ...both, X: '' }],
    ['export, blanks and a comment', ['  export A = 1 # one\n\tB=`two words`\n'], both],
    ['the last of several', ['A=0\nA=1\nB=x\nB="two words"'], both],
    ['nothing', [''], {}],
    ['nothing but a mark', [utf16le('\uFEFF')], {}],
  ])('%s', async (_what, parts, values) => {
    const path = await written(...parts);
    const file = await openEnvFile(path);
    expect({ ...file.values }).toEqual(values);
    const before = file.text ?? '';
    await editEnvFile(path, { NEW: 'n' });
    const after = await openEnvFile(path);
    expect({ ...after.values }).toEqual({ ...values, NEW: 'n' });
    expect(after.text?.startsWith(before)).toBe(true);
    const bytes = await readFile(path);
    expect(bytes.includes(0)).toBe(false);
    if (file.encoding === 'latin1') expect(bytes.indexOf(ansi('f\xfcr J\xf6rg'))).toBe(2);
    else expect(bytes.toString('utf8')).toBe(after.text);
  });
});

// Guarantee: a file that leaves doubt is refused with the line, nothing of its text is shown, and no change is written over it.
describe('refused', () => {
  test.each([
    [
      'ANSI in a value',
      [ansi('# \xfc\nA=1\nB=C:\\Spiele f\xfcr J\xf6rg\n')],
      'line 3: is not saved as UTF-8',
    ],
    ['ANSI in a name', [ansi('A=1\nB\xe9=2\n')], 'line 2: is not saved as UTF-8'],
    ['UTF-16 behind a line without an end', ['A=1\nB=2', utf16le('C=3\r\n')], 'line 2: is saved in another'],
    [
      'UTF-16 that goes on in UTF-8',
      [utf16le('\uFEFFA=1\r\n'), 'B=2\r\n'],
      'line 2: is cut off, or continued',
    ],
    ['the same with as many letters', [utf16le('\uFEFFA=1\r\n'), 'BB=2\r\n'], 'line 2: is not NAME=value'],
    ['the same within a line', [utf16le('\uFEFFA=1'), 'BB=2\r\n'], 'line 1: is not NAME=value'],
    ['UTF-8, UTF-16, UTF-8', [lines, utf16le('C=3\r\n'), 'D=4\n'], 'line 4: is saved in another'],
    ['half a letter at the end', [utf16le('\uFEFFA=1\r\nB=2').subarray(0, -1)], 'line 2: is cut off'],
    ['half a pair at the end', [utf16le('\uFEFFA=1\r\nB=😀').subarray(0, -2)], 'line 2: is cut off'],
    ['zeros after a power failure', [lines, Buffer.alloc(64)], 'line 4: holds zero bytes'],
    ['nothing but zeros', [Buffer.alloc(64)], 'line 1: holds zero bytes'],
    ['a zero in UTF-16', [utf16le('\uFEFFA=1\r\nB=\0\r\n')], 'line 2: holds zero bytes'],
    ['UTF-32', [Buffer.from('fffe0000410000003d000000', 'hex')], 'line 1: holds zero bytes'],
    ['another kind of file', [Buffer.from('504b0304140000000800', 'hex')], 'line 1: '],
  ])('%s', async (_what, parts, words) => {
    const path = await written(...parts);
    const before = await readFile(path);
    const fault = await openEnvFile(path).catch((error: Error) => error);
    expect(fault).toBeInstanceOf(ConfigError);
    expect((fault as Error).message).toContain(words);
    expect((fault as Error).message).not.toMatch(/J.rg|=\d/);
    await expect(editEnvFile(path, { A: 'new' })).rejects.toThrow(ConfigError);
    expect(await readFile(path)).toEqual(before);
  });
});

// Guarantee: typographic quotes, as word processors and chats make them, are named and not taken for a part of the value.
test.each(['“abc”', '„abc“', '‘abc’', '«abc»', '＂abc＂'])('%s', (value) => {
  const schema = z.object({ KEY: z.string().optional() });
  expect(() => readEnv(schema, { KEY: value }, 'test.env')).toThrow('KEY: is in typographic quotes');
  expect(readEnv(schema, { OTHER: value }, 'test.env')).toEqual({});
});

// Guarantee: a value that a later empty line takes away is named with both lines.
test('emptied by a later line', async () => {
  const file = await openEnvFile(await written('# A=0\nA=1\nB=2\nA=\nB=3\n'));
  expect(emptiedFaults(file, ['A', 'B', 'C'])).toEqual([
    { variable: 'A', message: 'is set on line 2 and emptied again on line 4; remove one of them' },
  ]);
});

test('the mode of a file in UTF-16 stays', async () => {
  const path = await written(utf16le(lines));
  await chmod(path, 0o640);
  await editEnvFile(path, { A: '2' });
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});
