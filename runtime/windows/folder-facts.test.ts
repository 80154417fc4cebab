import { expect, test } from 'vitest';
import { readFolderFacts } from './folder-facts.ts';

const printed = [
  'drive 3',
  `attributes ${0x10 + 0x800 + 0x4000}`,
  'root C:\\Users\\Jörg\\OneDrive - The Keep',
  'root D:\\Firma & Söhne',
  'root ',
  'root D:\\Firma & Söhne',
  'chosen D:\\guarded',
];

// Guarantee: what Windows knows about a folder is read in any language; while folders are not guarded, none is called so, and
// without PowerShell nothing is known.
test('what Windows says about a folder', async () => {
  const read = (lines: readonly string[]) => readFolderFacts('D:\\x', async () => lines.join('\r\n'));
  expect(await read(printed)).toEqual({
    drive: 'fixed',
    isEncrypted: true,
    isCompressed: true,
    syncRoots: ['C:\\Users\\Jörg\\OneDrive - The Keep', 'D:\\Firma & Söhne'],
    protectedFolders: [],
  });
  expect(await read([...printed, 'guard on', 'chosen C:\\Users\\Jörg\\Documents', 'chosen '])).toMatchObject({
    protectedFolders: ['D:\\guarded', 'C:\\Users\\Jörg\\Documents'],
  });
  const kinds = { 2: 'removable', 4: 'network', 5: 'disc', 6: 'memory', 0: 'unknown', 9: 'unknown' };
  for (const [number, drive] of Object.entries(kinds))
    expect(await read([`drive ${number}`])).toMatchObject({ drive, isEncrypted: false });
  expect(await read(["'powershell' is not recognized"])).toBeNull();
  expect(await readFolderFacts('D:\\x', () => Promise.reject(new Error('no powershell.exe')))).toBeNull();
});

// Guarantee: a path is given to PowerShell as text, whatever quotation marks are in it.
test('a folder with quotation marks', async () => {
  let command = '';
  await readFolderFacts("D:\\o'hara ’; exit", async (_program, args) => {
    command = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
    return '';
  });
  expect(command).toContain("$f = 'D:\\o''hara ’’; exit';");
});
