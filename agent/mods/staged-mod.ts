import * as z from 'zod';
import { type ModItem, modFile } from '#contracts/servers/agent-mods.ts';
import { ownedFile } from './manifest.ts';

const stagedFile = ownedFile.extend({
  /** Absolute path where it waits. */
  fresh: z.string(),
  /** Settings that a pack includes; an existing file that is not ours stays. */
  isSettings: z.boolean(),
});
export type StagedFile = z.infer<typeof stagedFile>;

export interface StagedMod {
  readonly item: ModItem;
  readonly files: readonly StagedFile[];
  /** What of its archive was left out, in words. */
  readonly notes: readonly string[];
}

export const unpackedMod = z.object({
  files: z.array(stagedFile),
  notes: z.array(z.string()),
  /** Further files that its archive names, and where they go. */
  downloads: z.array(
    z.object({
      // A pack's settings may begin with a dot; the name is only for people.
      file: modFile.extend({ name: z.string() }),
      path: z.string(),
      isSettings: z.boolean(),
    }),
  ),
});
export type UnpackedMod = z.infer<typeof unpackedMod>;
