import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildParts } from './build-parts.ts';
import { halfFolders } from './half-folder.ts';
import type { PartName } from './parts.ts';

/** What the process that started a build is sent. */
export type BuildMessage = { readonly say: string } | { readonly ready: PartName };

/** `node build/bundle/main.ts [part…]`: brings dist/ up to date, and ends. Started by `startBuild`, it ends with its parent. */

const root = resolve(import.meta.dirname, '../..');
const programs = resolve(root, 'dist');

/** The bundlers cannot be interrupted, so the process ends with what it has half-built deleted. */
const giveUp = () => {
  for (const folder of halfFolders(programs, process.pid))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(1);
};
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, giveUp);
const hasParent = process.send !== undefined;
if (hasParent) {
  process.on('disconnect', giveUp);
  if (!process.connected) giveUp();
}
const send = (message: BuildMessage) => {
  if (process.connected) process.send?.(message);
};

try {
  await buildParts({
    root,
    only: process.argv.slice(2),
    say: (line) => (hasParent ? send({ say: line }) : void process.stderr.write(`${line}\n`)),
    onReady: (part) => send({ ready: part }),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
process.off('disconnect', giveUp);
if (process.connected) process.disconnect();
