import * as z from 'zod';
import { type ModItem, modFile } from '#contracts/agent-mods.ts';
import { ownedFile } from './manifest.ts';

export const stagedFile = ownedFile.extend({
  /** Where it waits; absolute. */
  fresh: z.string(),
  /** A pack brings it besides its mods: one that is there already, and not ours, stays. */
  isSettings: z.boolean(),
});
export type StagedFile = z.infer<typeof stagedFile>;

export interface StagedMod {
  readonly item: ModItem;
  readonly files: readonly StagedFile[];
}

export const unpackedMod = z.object({
  files: z.array(stagedFile),
  /** What its archive names besides, and where that belongs. */
  downloads: z.array(
    z.object({
      // A pack's settings may begin with a dot; the name is for people alone.
      file: modFile.extend({ name: z.string() }),
      path: z.string(),
      isSettings: z.boolean(),
    }),
  ),
});
export type UnpackedMod = z.infer<typeof unpackedMod>;
