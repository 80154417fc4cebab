import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { layOutPrograms } from '../../build/package/programs.ts';
import { openWindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

const programs = 'C:\\Program Files\\Castellan';
const folderOf = (name: string) => `C:\\ProgramData\\${name}`;
/** Wine says which programs a process starts. */
const traced = 'trace+process';

/** The command lines that a process has started, as Wine tells them. */
const startedIn = (err: string): string[] =>
  Array.from(err.matchAll(/CreateProcessInternalW app .*? cmdline L"(.*)"/g), ([, line = '']) =>
    line.replace(/\\([0-9a-f]{4}|.)/g, (_escape, what: string) =>
      what.length === 1 ? what : String.fromCharCode(Number.parseInt(what, 16)),
    ),
  );

const powerShellOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => {
    const encoded = / -EncodedCommand (\S+)/.exec(line)?.[1];
    return encoded === undefined ? [] : [Buffer.from(encoded, 'base64').toString('utf16le')];
  });

// Guarantee: on Windows a data folder is closed with one command that names accounts by number, and one that was there before is first
// asked for its owner. Wine keeps no permissions and has no PowerShell: docs/releases/windows-checklist.md has their effect.
testOnWindows('a data folder that was there before', [], async () => {
  const before = process.env.WINEDEBUG;
  process.env.WINEDEBUG = traced;
  try {
    await using lab = await openWindowsLab();
    await layOutPrograms(join(lab.drive, 'Program Files', 'Castellan'), 'win');
    const make = async (name: string) => {
      const args = [`${programs}\\castellan.mjs`, '--home', folderOf(name), 'license', 'activate'];
      const { err } = await lab.run(`${programs}\\node.exe`, args, 'CAST-AAAA-BBBB-CCCC-DDDD\n');
      const lines = startedIn(err);
      return {
        icacls: lines
          .filter((line) => /icacls\.exe/i.test(line))
          .map((line) => line.replace(/^.*icacls\.exe"? /i, '')),
        powershell: powerShellOf(lines),
      };
    };
    const at = (name: string, ...names: string[]) => join(lab.drive, 'ProgramData', name, ...names);
    const closing = (name: string) =>
      expect.stringMatching(
        new RegExp(
          String.raw`^"?C:\\ProgramData\\${name}"? /inheritance:r /grant:r \*S-1-[\d-]+:\(OI\)\(CI\)F \*S-1-5-18:\(OI\)\(CI\)F \*S-1-5-32-544:\(OI\)\(CI\)F$`,
        ),
      );

    const fresh = "Castellan it's ü";
    expect(await make(fresh)).toEqual({ icacls: [closing(fresh)], powershell: [] });
    expect(existsSync(at(fresh, '.env'))).toBe(true);

    const empty = 'Castellan empty';
    await mkdir(at(empty));
    expect(await make(empty)).toEqual({
      icacls: [expect.stringMatching(/ \/reset$/), closing(empty)],
      // Wine shows the beginning of a long line.
      powershell: [expect.stringContaining('Get-LocalGroupMem')],
    });

    // Without PowerShell no one knows whose they are.
    const full = 'Castellan full';
    await mkdir(at(full));
    await writeFile(at(full, 'readme.txt'), '');
    expect((await make(full)).icacls).toEqual([]);
    expect(await readdir(at(full))).toContain('readme.txt');
  } finally {
    if (before === undefined) delete process.env.WINEDEBUG;
    else process.env.WINEDEBUG = before;
  }
});
