import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { holdFile } from './hold-file.ts';

/** Runs on Windows: holds a file open until it is told to close it. */
const [path = '', folder = ''] = process.argv.slice(2);
const release = await holdFile(path, folder);
while (!existsSync(join(folder, 'hold.end'))) await delay(50);
await release();
