import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Inputs, Versions } from './inputs.ts';

/** Says from what something in dist/ was built, and which files that made. */
const stamp = z.object({
  toolsVersion: z.string(),
  /** The version of the folders of which every file counts. */
  treeVersion: z.string(),
  inputs: z.record(z.string(), z.string()),
  /** For the licenses. */
  modules: z.array(z.string()),
  /** Name in dist/ → which file or folder it is. */
  outputs: z.record(z.string(), z.string()),
});
export type Stamp = z.infer<typeof stamp>;

const fileOf = (root: string, name: string): string => join(root, '.cache', 'bundles', `${name}.json`);

/** Null where there is none, or a program wrote it that is no longer ours. */
const readStamp = (root: string, name: string): Stamp | null => {
  try {
    return stamp.parse(JSON.parse(readFileSync(fileOf(root, name), 'utf8')));
  } catch {
    // Whatever is wrong with it, a build replaces it.
    return null;
  }
};

export const writeStamp = async (root: string, name: string, content: Stamp): Promise<void> => {
  const file = fileOf(root, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(`${file}.${process.pid}`, JSON.stringify(content));
  await rename(`${file}.${process.pid}`, file);
};

/**
 * Which file this is, or which folder with which files; null where there is none. A rename changes nothing of it. Two builds at
 * once may each replace a file and then write their stamp in another order: the stamp then names a file that is gone.
 */
const identityOf = (path: string): string | null => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return null;
  if (!stats.isDirectory()) return `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  const names = readdirSync(path).sort();
  return names.map((name) => `${name}: ${identityOf(join(path, name))}`).join('; ');
};

/** @throws {Error} when one is missing: a stamp without it would never be valid, and everything be built again each time */
export const identitiesOf = (folder: string, names: readonly string[]): Stamp['outputs'] =>
  Object.fromEntries(
    names.map((name) => {
      const identity = identityOf(join(folder, name));
      if (identity === null) throw new Error(`The build made no ${name}.`);
      return [name, identity];
    }),
  );

export interface StampedPart {
  readonly name: string;
  /** Files and folders in dist/. */
  readonly outputs: readonly string[];
  /** Folders and files of which each counts, beside what was read. */
  readonly trees: readonly string[];
}

/** The stamp of a part that need not be built: its files are those that were built from the sources as they are now. */
export const validStamp = (
  root: string,
  programs: string,
  part: StampedPart,
  inputs: Inputs,
): Stamp | null => {
  const found = readStamp(root, part.name);
  if (!found || found.toolsVersion !== inputs.toolsVersion) return null;
  if (
    !part.outputs.every(
      (name) => found.outputs[name] !== undefined && found.outputs[name] === identityOf(join(programs, name)),
    )
  )
    return null;
  if (found.treeVersion !== inputs.versionOfTree(...part.trees)) return null;
  return areCurrent(found.inputs, inputs) ? found : null;
};

const areCurrent = (versions: Versions, inputs: Inputs): boolean =>
  Object.entries(versions).every(([path, version]) => inputs.versionOf(path) === version);
