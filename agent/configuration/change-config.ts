import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { settingsText } from '#runtime/env.ts';
import { asOwnerOf } from './as-owner.ts';

type Json = Record<string, unknown>;

/**
 * Changes members of config.json at its top level and keeps all others, including those unknown to this version. A missing file
 * is created; it belongs to the account that owns its folder, and only that account may read it.
 * @param changes or a function that makes them of what the file holds
 */
export const changeConfig = (path: string, changes: Json | ((kept: Json) => Json)): Promise<void> =>
  asOwnerOf(dirname(path), async () => {
    const kept = await readFile(path).catch(ifAbsent(Buffer.from('{}')));
    const config = JSON.parse(settingsText(path, kept)) as Json;
    const changed = typeof changes === 'function' ? changes(config) : changes;
    await writeFileAtomically(path, `${JSON.stringify({ ...config, ...changed }, null, 2)}\n`, 0o600);
  });
