import type { ModFile } from '#contracts/servers/agent-mods.ts';
import { openModFiles } from '../open-mod-files.ts';
import { noApiFiles } from './no-api-files.ts';

/** Downloads one file in a process that can be killed; prints a line for each progress report. */
const { file, cacheFolder, allowHosts } = JSON.parse(process.argv[2] ?? '') as {
  file: ModFile;
  cacheFolder: string;
  allowHosts: string[];
};
const files = await openModFiles({ cacheFolder, cacheMegabytes: 5000, allowHosts, api: noApiFiles });
await using held = await files.fetch(file, {
  taskId: 'task',
  signal: AbortSignal.timeout(60_000),
  onProgress: (done) => process.stdout.write(`${done}\n`),
});
process.stdout.write(`whole ${held.sha512}\n`);
