import { expect, test } from 'vitest';
import { prepareBatch } from './prepare-command.ts';

/** As cmd.exe gets them; each ran in Wine's cmd.exe and arrived unchanged in the program that the batch file starts with `%*`. */
const words = [
  ['C:\\Spiele & Co\\start.bat', '"C:\\Spiele & Co\\start.bat"'],
  ['C:\\Program Files (x86)\\Steam\\run.bat', '"C:\\Program Files (x86)\\Steam\\run.bat"'],
  ['D:\\100% fun\\run.cmd', '"D:\\100%%cd:~,% fun\\run.cmd"'],
  ['D:\\%OS%\\run.cmd', '"D:\\%%cd:~,%OS%%cd:~,%\\run.cmd"'],
  ['D:\\wow!\\a^b\\run.bat', '"D:\\wow!\\a^b\\run.bat"'],
  ["D:\\it's; a, b=c\\run.bat", `"D:\\it's; a, b=c\\run.bat"`],
  ['\\\\nas\\games & mods\\run.bat', '"\\\\nas\\games & mods\\run.bat"'],
] as const;
const args = [
  ['-name=My, Server', '"-name=My, Server"'],
  ['a & calc.exe', '"a & calc.exe"'],
  ['" & calc.exe & "', '""" & calc.exe & """'],
  ['a|b<c>d', '"a|b<c>d"'],
  ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
  ['!x!', '"!x!"'],
  ['D:\\worlds\\', '"D:\\worlds\\\\"'],
  ['D:\\"a\\"', '"D:\\\\""a\\\\"""'],
  ['', '""'],
] as const;

// Guarantee: cmd.exe receives a batch file in any folder, and its arguments, as whole words that mean nothing else (rust-lang/rust,
// CVE-2024-24576; flatt.tech, BatBadBut); a line break, which no quotes keep, is refused.
test('batch files', () => {
  for (const [file, word] of words)
    expect(prepareBatch(file, [])).toMatchObject({
      program: expect.stringMatching(/cmd\.exe$/),
      args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${word}"`],
      isVerbatim: true,
    });
  for (const [arg, word] of args)
    expect(prepareBatch('C:\\run.bat', [arg])).toMatchObject({
      args: ['/d', '/e:on', '/v:off', '/s', '/c', `""C:\\run.bat" ${word}"`],
    });
  for (const [file, arg] of [
    ['C:\\run.bat', 'a\r\nb'],
    ['C:\\run.bat', 'a\nb'],
    ['C:\\a"b\\run.bat', ''],
  ] as const)
    expect(prepareBatch(file, [arg])).toMatchObject({
      fault: { detail: expect.stringContaining('batch file'), program: null },
    });
});
