import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandResult, GameId } from '#contracts/games.ts';
import { savesOf } from '#games/game-saves.ts';
import { gameOf } from '#games/games.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';

/** A command for the game's console; never rejects. */
export type RunCommand = (command: string, timeoutMs: number) => Promise<CommandResult>;

export interface AutosaveOptions {
  readonly game: GameId;
  readonly stateFolder: string;
  readonly run: RunCommand;
}

/** Large worlds take minutes. */
const saveMs = 180_000;
const commandMs = 15_000;
/** Written before the game is told to stop saving, so that the next start tells it to go on. */
const markerFile = (stateFolder: string) => join(stateFolder, 'autosave-paused.json');

export interface QuietGame {
  /** What a reader of the backup must know; null: all is well. */
  readonly note: string | null;
  /**
   * Lets the game save again. Never rejects.
   * @returns false: it was not told, and has to be by `resumeAutosave`
   */
  resume(): Promise<boolean>;
}

/** Has the game save its world, and where it can, write nothing until `resume`. */
export const quietGame = async (options: AutosaveOptions): Promise<QuietGame> => {
  const { game, stateFolder, run } = options;
  const { pause } = savesOf(game);
  if (!pause) return { note: await saveOnly(game, run), resume: async () => true };
  await writeFileAtomically(markerFile(stateFolder), JSON.stringify({ command: pause.resume }), 0o600);
  const resume = () => resumeAutosave(options);
  const stopped = await run(pause.stop, commandMs);
  if (stopped.outcome !== 'answered') {
    if (!stopped.sent) await rm(markerFile(stateFolder), { force: true });
    else await resume();
    return { note: notSaved(stopped), resume };
  }
  const saved = await run(pause.save, saveMs);
  return { note: saved.outcome === 'answered' ? null : notSaved(saved), resume };
};

const saveOnly = async (game: GameId, run: RunCommand): Promise<string | null> => {
  const { save } = gameOf(game).actions;
  const rendered = save?.render({});
  if (!save || !rendered || 'refused' in rendered) return 'The game has no command that saves.';
  const result = await run(rendered.command, saveMs);
  if (result.outcome !== 'answered' || result.reply === null) return notSaved(result);
  const { verdict, reason } = save.read(result.reply, {});
  return verdict === 'failed' || verdict === 'later' ? `The game did not save: ${reason}` : null;
};

const notSaved = ({ outcome }: CommandResult): string =>
  `The game could not be asked to save first (${outcome}); the backup holds what was on the disk.`;

/** A backup has told the game not to save, and nothing has told it to go on. */
export const isAutosavePaused = (stateFolder: string): Promise<boolean> =>
  access(markerFile(stateFolder)).then(
    () => true,
    () => false,
  );

/**
 * Tells the game to save again where a backup that was cut off stopped it.
 * @returns false: it has to be tried again
 */
export const resumeAutosave = async ({ game, stateFolder, run }: AutosaveOptions): Promise<boolean> => {
  const marker = markerFile(stateFolder);
  const { pause } = savesOf(game);
  if (!pause || !(await isAutosavePaused(stateFolder))) return true;
  const { outcome } = await run(pause.resume, commandMs);
  if (outcome !== 'answered') return false;
  await rm(marker, { force: true });
  return true;
};
