import { chown, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '#runtime/atomic-write.ts';

type Json = Record<string, unknown>;

/**
 * Changes members of config.json at its top level and keeps all others, also those that this version does not know. The file
 * is made when it is missing, and only its owner may read it.
 */
export const changeConfig = async (path: string, changes: Json): Promise<void> => {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const config = JSON.parse(kept.replace(/^\uFEFF/, '')) as Json;
  await writeFileAtomically(path, `${JSON.stringify({ ...config, ...changes }, null, 2)}\n`, 0o600);
  await giveToAgent(path);
};

/** The agent's account owns the folder; root, who sets the agent up, must not take the file from it. */
const giveToAgent = async (path: string): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await chown(path, uid, gid);
};
