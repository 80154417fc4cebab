import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const untilThere = async (path: string): Promise<void> => {
  while (!existsSync(path)) await delay(20);
};

/**
 * Runs on Windows: a program that gets the file as its input from Windows's shell, which shares it only with readers, as games share
 * theirs, until the file `hold.end` appears in the folder.
 */
export const holdFile = async (path: string, folder: string): Promise<() => Promise<void>> => {
  const [script, begun, end] = ['cjs', 'begun', 'end'].map((name) => join(folder, `hold.${name}`)) as [
    string,
    string,
    string,
  ];
  await writeFile(
    script,
    `const { existsSync, writeFileSync } = require('node:fs');
    writeFileSync(${JSON.stringify(begun)}, '');
    setInterval(() => existsSync(${JSON.stringify(end)}) && process.exit(), 20);`,
  );
  const shell = spawn('cmd.exe', ['/d', '/s', '/c', `""${process.execPath}" "${script}" < "${path}""`], {
    stdio: 'ignore',
    windowsVerbatimArguments: true,
  });
  const ended = once(shell, 'exit');
  await untilThere(begun);
  return async () => {
    await writeFile(end, '');
    await ended;
  };
};
