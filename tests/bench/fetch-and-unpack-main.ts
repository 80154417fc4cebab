import { mkdir } from 'node:fs/promises';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { openModFiles } from '../../agent/mods/downloads/open-mod-files.ts';
import { noApiFiles } from '../../agent/mods/downloads/testing/no-api-files.ts';

/** A separate process, like the agent: serving the file must not wait for receiving it. */
const [url = '', sha512 = '', bytes = '0', cacheFolder = '', into = ''] = process.argv.slice(2);
const { signal } = new AbortController();

const began = performance.now();
const files = await openModFiles({
  cacheFolder,
  cacheMegabytes: 5000,
  allowHosts: [new URL(url).host],
  api: noApiFiles,
});
await using held = await files.fetch(
  { name: 'pack.zip', bytes: Number(bytes), hashes: { sha512 }, from: { kind: 'address', url, key: null } },
  { taskId: 'bench', signal, onProgress: () => undefined },
);
const fetchedMs = performance.now() - began;
if (into !== '') {
  await mkdir(into);
  await using archive = await openArchive(held.path);
  await archive.unpack(into, { signal });
}
process.stdout.write(JSON.stringify({ fetchedMs, ms: performance.now() - began }));
