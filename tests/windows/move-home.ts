import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { layOutPrograms } from '../../build/package/programs.ts';
import { openWindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

const programs = 'C:\\Program Files\\Castellan';
const home = 'C:\\ProgramData\\Castellan ü';
const target = 'C:\\Größe Daten\\Castellan neu';

const files = {
  '.env': 'API_PORT=3001\r\n# of mine\r\n',
  'license.json': '{"revision":1}',
  'logs/api.log': 'a line\n',
  'postgres/data/PG_VERSION': '18\n',
  'postgres/data/global/pg_control': 'control',
};

// Guarantee: on Windows, too, a data folder can move to a folder of any name, and the old one no longer starts anything; one of
// Castellan's own folders, a folder inside of it and a non-empty folder are refused.
testOnWindows('castellan move-home', [], async () => {
  await using lab = await openWindowsLab();
  const at = (path: string) => join(lab.drive, ...path.split('\\').slice(1));
  await layOutPrograms(at(programs), 'win');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(at(home), path)), { recursive: true });
    await writeFile(join(at(home), path), text);
  }
  const castellan = (...args: readonly string[]) =>
    lab.run(`${programs}\\node.exe`, [`${programs}\\castellan.mjs`, '--home', home, ...args]);

  const refusals = [
    [`${home}\\inner`, 'are inside each other'],
    [`${programs.toUpperCase()}\\data`, 'The programs of Castellan are in'],
    ['C:\\windows', 'is not empty'],
  ] as const;
  for (const [folder, words] of refusals) {
    const { code, err } = await castellan('move-home', folder);
    expect({ folder, code, err }).toMatchObject({ code: 1, err: expect.stringContaining(words) });
  }
  const moved = await castellan('move-home', target);
  expect(moved).toMatchObject({ code: 0, err: '' });
  for (const [path, text] of Object.entries(files))
    expect(await readFile(join(at(target), path), 'utf8')).toBe(text);
  expect(existsSync(join(at(target), 'unfinished-move.json'))).toBe(false);
  expect(JSON.parse(await readFile(join(at(home), 'moved.json'), 'utf8'))).toEqual({ folder: target });
  const { code, err } = await castellan('start');
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(`moved to ${target}`) });
});
