import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Restores as told, and kills itself right before the rename with that number, like a power cut. */
const [home = '', backup = '', kill = ''] = process.argv.slice(2);

let left = Number(kill);
const { rename } = fs.promises;
fs.promises.rename = async (...args) => {
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
  return rename(...args);
};
syncBuiltinESMExports();

const { restoreHome } = await import('../restore-home.ts');
await restoreHome({ owner: 'castellan', home, backup, onlyWhereMissing: ['license.json'] });
