import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isAbsent } from '#runtime/absent-file.ts';
import { StartupError } from '#runtime/program.ts';
import { readPublicKey } from '#runtime/release/signed-manifest.ts';

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

const isSafe = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.username || url.search || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.includes(url.hostname));
};

const updateSource = z.strictObject({
  /** The folder that holds the newest release. */
  url: z.string().refine(isSafe, 'must be an https address'),
  /** Ed25519, 32 bytes in base64url: the key that signs, and those that will follow it. */
  publicKeys: z
    .array(z.string().regex(/^[\w-]{43}$/))
    .min(1)
    .max(8),
});

export interface UpdateSource {
  /** Ends with a slash. */
  readonly url: string;
  readonly keys: readonly KeyObject[];
}

export const updateSourceFile = 'update-source.json';

/** Where this build's updates come from, and who signs them, from the file beside the programs; null when it names none. */
export const readUpdateSource = async (programsFolder: string): Promise<UpdateSource | null> => {
  const path = join(programsFolder, updateSourceFile);
  try {
    const { url, publicKeys } = updateSource.parse(JSON.parse(await readFile(path, 'utf8')));
    return { url: url.replace(/\/*$/, '/'), keys: publicKeys.map(readPublicKey) };
  } catch (error) {
    if (isAbsent(error)) return null;
    throw new StartupError(`${path} is damaged. Install Castellan again.`, { cause: error });
  }
};
