import { type ModObstacle, type ModsList, modsList } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { GameMods, LoaderFacts } from '#games/mods-layout.ts';
import { modsMark } from '../power/mods-mark.ts';
import { openChange } from './change-journal.ts';
import type { FolderWorker } from './folder/folder-worker.ts';
import { fileFaultWords } from './folder/worker-errors.ts';
import { keepHashCache, readHashCache } from './hash-cache.ts';
import { readManifest } from './manifest.ts';

interface ListOptions {
  readonly gameId: GameId;
  readonly mods: GameMods;
  readonly stateFolder: string;
  readonly root: string;
  readonly worker: FolderWorker;
  readonly facts: LoaderFacts;
  /** The game's start arguments; empty when unknown. */
  readonly args: readonly string[];
  readonly isAllowed: boolean;
  /** Why the game's state does not allow a change; null: it does. */
  readonly whyRunning: () => Promise<string | null>;
  readonly rehearsalObstacle: string | null;
  /** Asked again at the end: a change may have begun in between. */
  readonly isChanging: () => boolean;
  readonly signal: AbortSignal;
}

/** The mods on the server, ours and others. */
export const listMods = async (options: ListOptions): Promise<ModsList> => {
  const { gameId, mods, stateFolder, root, worker, facts, isChanging, signal } = options;
  const wasChanging = isChanging();
  const { revision, items } = await readManifest(stateFolder);
  const known = await readHashCache(stateFolder);
  const scanned = await worker.run(
    'scan',
    { game: gameId, root, loader: facts.loader, folders: mods.folders(facts), items, known },
    signal,
  );
  await keepHashCache(stateFolder, known, scanned.known);
  const account = await worker.account();
  const obstacle = await obstacleOf(options, scanned.denied && fileFaultWords(scanned.denied, account));
  const { installed, found, foundCount, foundIds, freeBytes } = scanned;
  return modsList.parse({
    revision,
    ...facts,
    forms: [...mods.forms(facts)],
    installed,
    found,
    foundCount,
    foundIds,
    freeBytes,
    obstacle: obstacle?.is ?? null,
    obstacleDetail: obstacle?.detail.slice(0, 500) ?? null,
    rehearsalObstacle: options.rehearsalObstacle,
    pending: await pendingOf(stateFolder, wasChanging, isChanging),
  } satisfies ModsList);
};

/** Why a change would be refused now. */
const obstacleOf = async (
  { mods, facts, args, isAllowed, whyRunning, isChanging }: ListOptions,
  denied: string | null,
): Promise<{ readonly is: ModObstacle; readonly detail: string } | null> => {
  if (!isAllowed)
    return {
      is: 'MODS_NOT_ALLOWED',
      detail: 'The owner of the machine does not allow changing mods (server.allow.mods).',
    };
  const { ids } = mods;
  const ignored = ids?.at === 'settings' ? ids.ignoredBecause(args) : null;
  if (ignored !== null) return { is: 'MODS_NO_MARK', detail: ignored };
  if (ids?.at === 'command' && !args.some((arg) => arg.includes(modsMark)))
    return {
      is: 'MODS_NO_MARK',
      detail: `The start command has no ${modsMark} where the ids of mods belong.`,
    };
  if (mods.forms(facts).length === 0)
    return {
      is: 'MODS_NO_LOADER',
      detail: 'Nothing that loads mods or plugins was found in the folder of the server.',
    };
  if (denied !== null) return { is: 'MODS_FOLDER_READ_ONLY', detail: denied };
  const running = isChanging() ? null : await whyRunning();
  return running === null ? null : { is: 'MODS_GAME_RUNNING', detail: running };
};

const pendingOf = async (
  stateFolder: string,
  wasChanging: boolean,
  isChanging: () => boolean,
): Promise<string | null> => {
  const isOpen = await openChange(stateFolder);
  // After the journal, which a change that has just begun may have written.
  if (wasChanging || isChanging()) return 'A change of the mods is under way.';
  return isOpen && 'A change of the mods was cut off, and is finished when the agent and the game allow it.';
};
