import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { modLoader } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { demandRoom } from '#runtime/disk-space.ts';
import { serverFolder } from '../../saves/save-places.ts';
import { findSurvivor, foundSurvivor, type SurvivorSearch } from '../../survivors/find-survivor.ts';
import { openStage, syncStage, unpackMod } from '../lay-out-stage.ts';
import { type PlanOptions, planMoves, plannedMoves } from '../plan-moves.ts';
import { changeCopy } from '../rehearsal/change-copy.ts';
import { copyServer, copyWorlds, type RehearsalCopy, removeTree } from '../rehearsal/copy-server.ts';
import { lookedForRehearsal, lookForRehearsal } from '../rehearsal/look-at-server.ts';
import { type ScanOptions, scanMods, scannedMods } from '../scan-mods.ts';
import { unpackedMod } from '../staged-mod.ts';
import { keepSwap, removeFolder, type Swap, swapBack, swapIn } from '../swap-files.ts';

interface Work<Input, Output> {
  /** Output from another account's process is checked against this, and trusted no further. */
  readonly output: z.ZodType<Output>;
  readonly run: (input: Input, signal: AbortSignal) => Promise<Output>;
}

const work = <Input, Output>(
  output: Work<Input, Output>['output'],
  run: Work<Input, Output>['run'],
): Work<Input, Output> => ({ output, run });

/** JSON has no `undefined`. */
const nothing = z.null().transform((): void => undefined);

const loaderFacts = z.object({
  loader: modLoader.nullable(),
  loaderVersion: z.string().nullable(),
  gameVersion: z.string().nullable(),
});

type Unsignalled<Options> = Omit<Options, 'signal'>;
/** All operations of a change of mods in the server's folder, and the search for a survivor. Inputs and outputs are JSON, so that another process can run them. */
export const folderWorks = {
  facts: work(
    loaderFacts,
    ({
      game,
      root,
      args,
    }: {
      readonly game: GameId;
      readonly root: string;
      readonly args: readonly string[];
    }) => gameOf(game).mods.facts(serverFolder(root), args),
  ),
  scan: work(scannedMods, (input: Unsignalled<ScanOptions>, signal) => scanMods({ ...input, signal })),
  findSurvivor: work(foundSurvivor, (input: SurvivorSearch) => findSurvivor(input)),
  openStage: work(nothing, openStage),
  makeFolder: work(nothing, async ({ path }: { readonly path: string }) => {
    await mkdir(path, { mode: 0o700 });
  }),
  demandRoom: work(nothing, ({ root, bytes }: { readonly root: string; readonly bytes: number }) =>
    demandRoom('A change of the mods', [{ path: root, bytes }]),
  ),
  unpackMod: work(unpackedMod, (input: Unsignalled<Parameters<typeof unpackMod>[0]>, signal) =>
    unpackMod({ ...input, signal }),
  ),
  removeFile: work(nothing, ({ path }: { readonly path: string }) => rm(path, { force: true })),
  syncStage: work(nothing, ({ paths }: { readonly paths: readonly string[] }) => syncStage(paths)),
  planMoves: work(plannedMoves, (input: PlanOptions) => planMoves(input)),
  swapIn: work(nothing, (swap: Swap) => swapIn(swap)),
  swapBack: work(nothing, (swap: Swap) => swapBack(swap)),
  keepSwap: work(nothing, ({ root, ...swap }: Swap & { readonly root: string }) => keepSwap(root, swap)),
  removeStage: work(nothing, ({ folder }: { readonly folder: string }) => removeFolder(dirname(folder))),
  lookForRehearsal: work(
    lookedForRehearsal,
    (input: Unsignalled<Parameters<typeof lookForRehearsal>[0]>, signal) =>
      lookForRehearsal({ ...input, signal }),
  ),
  copyServer: work(nothing, (input: Unsignalled<RehearsalCopy>, signal) => copyServer({ ...input, signal })),
  copyWorlds: work(nothing, (input: Unsignalled<RehearsalCopy>, signal) => copyWorlds({ ...input, signal })),
  changeCopy: work(nothing, changeCopy),
  removeCopy: work(nothing, ({ copy }: { readonly copy: string }) => removeTree(copy)),
};

export type WorkName = keyof typeof folderWorks;
export type WorkInput<Name extends WorkName> = Parameters<(typeof folderWorks)[Name]['run']>[0];
export type WorkOutput<Name extends WorkName> = Awaited<ReturnType<(typeof folderWorks)[Name]['run']>>;
