import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bundlePrograms, programsFolder } from './bundle.ts';

await bundlePrograms();
for (const name of await readdir(programsFolder)) {
  const { size } = await stat(join(programsFolder, name));
  process.stdout.write(`${(size / 1024).toFixed(0).padStart(8)} KiB  dist/${name}\n`);
}
