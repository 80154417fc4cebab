import type { ModMetadata } from '#contracts/servers/agent-mods.ts';
import { type Archive, ArchiveError } from '#runtime/archives/archive.ts';
import { openArchiveBytes } from '#runtime/archives/open-archive.ts';

/** What may still be read of jars within one jar. */
export interface NestedBudget {
  jars: number;
  bytes: number;
  depth: number;
}

/** Fabric API has some 50 jars inside of it; Porting Lib nests six deep (QuiltMC/quilt-loader#116). */
export const noNested = (): NestedBudget => ({ jars: 400, bytes: 256 * 1024 ** 2, depth: 8 });
const largestNested = 64 * 1024 ** 2;

/** The mods in jars of a jar; one that cannot be read is none of them: the loader tells of it. */
export const readNested = async (
  archive: Archive,
  paths: readonly string[],
  budget: NestedBudget,
  read: (nested: Archive) => Promise<readonly ModMetadata[]>,
): Promise<readonly ModMetadata[]> => {
  const sizes = new Map(archive.entries.map(({ path, bytes }) => [path, bytes]));
  const mods: ModMetadata[] = [];
  for (const path of new Set(paths)) {
    const bytes = sizes.get(path);
    if (bytes === undefined || bytes > largestNested || bytes > budget.bytes) continue;
    if (budget.jars === 0 || budget.depth === 0) break;
    budget.jars -= 1;
    budget.depth -= 1;
    budget.bytes -= bytes;
    try {
      await using nested = await openArchiveBytes(await archive.read(path, largestNested));
      mods.push(...(await read(nested)));
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
    } finally {
      budget.depth += 1;
    }
  }
  return mods;
};
