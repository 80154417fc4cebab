import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandResult, GameId } from '#contracts/servers/games.ts';
import type { Verdict } from '#games/game.ts';
import { gameOf } from '#games/games.ts';
import { ifAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';

/** A command for the game's console; never rejects. */
export type RunCommand = (command: string, timeoutMs: number) => Promise<CommandResult>;

interface AutosaveOptions {
  readonly game: GameId;
  readonly stateFolder: string;
  readonly run: RunCommand;
}

/** Large worlds take minutes. */
const saveMs = 180_000;
const commandMs = 15_000;
/** Written before the game is told to stop saving, so that the next start tells it to resume. */
const markerFile = (stateFolder: string) => join(stateFolder, 'autosave-paused.json');

interface QuietGame {
  /** What a reader of the backup must know; empty: all is well. */
  readonly notes: readonly string[];
  /**
   * Lets the game save again. Never rejects.
   * @returns false: the game was not told, and `resumeAutosave` has to do it
   */
  resume(): Promise<boolean>;
}

const nothing = async () => true;

/** Makes the game save its world, and if possible write nothing until `resume`. */
export const quietGame = async (options: AutosaveOptions): Promise<QuietGame> => {
  const { game, stateFolder, run } = options;
  const { pause } = gameOf(game).saves;
  if (!pause) return { notes: await saveOnly(game, run), resume: nothing };
  const marker = markerFile(stateFolder);
  const wasOurs = await isAutosavePaused(stateFolder);
  await writeFileAtomically(marker, JSON.stringify({ command: pause.resume }), 0o600);
  const resume = () => resumeAutosave(options);
  const stopped = await run(pause.stop, commandMs);
  if (stopped.outcome !== 'answered') {
    if (!stopped.sent && !wasOurs) await rm(marker, { force: true });
    else await resume();
    return { notes: [notAsked(stopped)], resume };
  }
  const { state, reason } = pause.readStop(stopped.reply ?? '');
  // If another program or a person has stopped it, only they start it again.
  const isOthers = state === 'already' && !wasOurs;
  if (isOthers) await rm(marker, { force: true });
  const saved = await run(pause.save, saveMs);
  const notes = [
    ...(isOthers ? ['The game did not save by itself before the backup, and still does not.'] : []),
    ...(state === 'saving' || state === 'unproven'
      ? [`The game may have written files while they were copied: it did not stop saving. ${reason}`]
      : []),
    ...(saved.outcome === 'answered' ? notSaved(pause.readSave(saved.reply ?? '')) : [notAsked(saved)]),
  ];
  return { notes, resume: isOthers ? nothing : resume };
};

const saveOnly = async (game: GameId, run: RunCommand): Promise<string[]> => {
  const { save } = gameOf(game).actions;
  const rendered = save?.render({});
  if (!save || !rendered || 'refused' in rendered) return ['The game has no command that saves.'];
  const result = await run(rendered.command, saveMs);
  if (result.outcome !== 'answered') return [notAsked(result)];
  return notSaved(save.read(result.reply ?? '', {}));
};

const notSaved = ({ verdict, reason }: Verdict): string[] => {
  if (verdict === 'done') return [];
  const why =
    verdict === 'unproven' ? 'The game did not say that it saved first' : 'The game did not save first';
  return [`${why}; the backup holds what was on the disk. ${reason}`];
};

const notAsked = ({ outcome }: CommandResult): string =>
  `The game could not be asked to save first (${outcome}); the backup holds what was on the disk.`;

/** A backup has told the game not to save, and nothing has told it to resume. */
export const isAutosavePaused = (stateFolder: string): Promise<boolean> => isThere(markerFile(stateFolder));

/**
 * Tells the game to save again after an interrupted backup had stopped it.
 * @returns false: it has to be tried again
 */
export const resumeAutosave = async ({ game, stateFolder, run }: AutosaveOptions): Promise<boolean> => {
  const marker = markerFile(stateFolder);
  const { pause } = gameOf(game).saves;
  if (!pause || !(await isAutosavePaused(stateFolder))) return true;
  const { outcome } = await run(pause.resume, commandMs);
  if (outcome !== 'answered') return false;
  await rm(marker, { force: true });
  return true;
};

const isThere = (path: string): Promise<boolean> => lstat(path).then(() => true, ifAbsent(false));
