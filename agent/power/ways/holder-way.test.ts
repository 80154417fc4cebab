import { expect, test } from 'vitest';
import { prepareBatch } from './prepare-command.ts';

// Guarantee: cmd.exe receives a batch file in Steam's own folder, and arguments with blanks or commas, as whole words; characters
// that it interprets even within quotes are refused.
test('batch files', () => {
  const file = 'C:\\Program Files (x86)\\Steam\\steamapps\\common\\My Server\\run.bat';
  expect(prepareBatch(file, ['-name=My, Server', 'x;y'])).toMatchObject({
    program: expect.stringMatching(/cmd\.exe$/),
    args: ['/d', '/s', '/c', `""${file}" "-name=My, Server" "x;y""`],
    isVerbatim: true,
  });
  for (const bad of ['a"b', '%PATH%', 'a&b', 'a\r\nb', '!x!'])
    expect(prepareBatch(file, [bad])).toMatchObject({
      fault: { detail: expect.stringContaining('batch file'), program: null },
    });
});
