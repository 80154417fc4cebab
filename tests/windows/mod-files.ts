import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { zipByBytes } from '#runtime/archives/testing/zip-by-bytes.ts';
import { bundleFile } from '../../build/bundle/bundle-file.ts';
import { windowsNode } from '../../build/package/programs.ts';
import { openWindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

const place = 'C:\\Game servers ü\\7 Days to Die';
/** Longer than the traditional limit of Windows programs. */
const deep = `${place}\\${'staged mods of a server\\'.repeat(9)}set`;

const files = {
  'Mods/Größe mod/ModInfo.xml': '<xml><Name value="Big"/><Version value="1.0"/></xml>',
  [`Mods/Größe mod/Config/${'a folder with a long name/'.repeat(6)}items ü.xml`]: '<configs/>',
  'Mods/Größe mod/Resources/noise.bin': 'x'.repeat(100_000),
};

// Guarantee: on Windows, too, an archive is unpacked and swapped in completely, below folders with spaces and ü and with paths beyond
// 260 characters; a file that a program holds open is waited for, also for 8 s, and if it stays open nothing has moved.
testOnWindows('mods on Windows', [], async () => {
  await using lab = await openWindowsLab();
  const at = (path: string) => join(lab.drive, ...path.split('\\').slice(1));
  const [node, program, archive, told] = ['node.exe', 'unpack.mjs', 'mods.zip', 'told.json'].map(
    (name) => `${place}\\${name}`,
  ) as [string, string, string, string];
  await mkdir(dirname(at(node)), { recursive: true });
  await copyFile(await windowsNode(), at(node));
  await bundleFile(join(import.meta.dirname, 'testing/unpack-main.ts'), at(program));
  await writeFile(at(archive), zipByBytes(Object.entries(files).map(([name, data]) => ({ name, data }))));

  const run = await lab.run(node, [program, archive, deep, `${place}\\mods held`, told]);
  expect(run).toMatchObject({ code: 0, err: '' });
  const { unpacked, swapped, scanned } = JSON.parse(await readFile(at(told), 'utf8'));
  expect(unpacked.content).toBe('folders');
  expect(unpacked.longest).toBeGreaterThan(400);
  expect(unpacked.read).toEqual(Object.keys(files).map((path) => ({ path, isWhole: true })));
  expect(swapped).toEqual({
    refused: 'EBUSY',
    afterRefusal: ['mod ü.jar'],
    tries: 3,
    afterwards: ['mod ü.old'],
  });
  expect(scanned).toBeGreaterThan(10);
});
