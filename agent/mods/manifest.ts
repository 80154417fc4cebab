import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { modItem, sha512 } from '#contracts/servers/agent-mods.ts';
import { ifAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { syncFolder } from '#runtime/disk-sync.ts';
import { parseJson } from '#runtime/read-json.ts';
import { ModsError } from './mods-error.ts';

export const ownedFile = z.object({
  /** Relative to the server's folder, with `/`. */
  path: z.string().min(1),
  bytes: z.int().nonnegative(),
  sha512,
});
export type OwnedFile = z.infer<typeof ownedFile>;

const ownedMod = modItem.extend({ since: z.iso.datetime(), files: z.array(ownedFile) });
export type OwnedMod = z.infer<typeof ownedMod>;

/** Which mods are ours, and which files of the server's folder belong to them. */
export const modsManifest = z.object({
  version: z.literal(1),
  /** Counts every change of the set. */
  revision: z.int().nonnegative(),
  items: z.array(ownedMod),
});
export type ModsManifest = z.infer<typeof modsManifest>;

export const modsStateFolder = (stateFolder: string): string => join(stateFolder, 'mods');
const manifestPath = (stateFolder: string) => join(modsStateFolder(stateFolder), 'manifest.json');

/** @throws {ModsError} for a damaged list: without it, no file may count as ours */
export const readManifest = async (stateFolder: string): Promise<ModsManifest> => {
  const path = manifestPath(stateFolder);
  const text = await readOrNone(path);
  if (text === null) return { version: 1, revision: 0, items: [] };
  const parsed = modsManifest.safeParse(parseJson(text));
  if (!parsed.success)
    throw new ModsError(`The list of the mods' files (${path}) is damaged. Put it back from a backup.`);
  return parsed.data;
};

export const writeManifest = (stateFolder: string, manifest: ModsManifest): Promise<void> =>
  writeForGood(manifestPath(stateFolder), JSON.stringify(manifest));

/** The file and its name are on disk once it resolves. */
export const writeForGood = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, text, 0o600);
  await syncFolder(dirname(path));
};

export const readOrNone = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch(ifAbsent(null));
