import type { GameId } from '#contracts/games.ts';
import { rehearsalOf } from '#games/game-rehearsals.ts';

/** Below the server's folder: the game's account gets there, and blocks are shared where the disk can. */
export const copyName = '.castellan-rehearsal';

/** Names at the top of the server's folder that its copy does without. */
export const isLeftOut =
  (game: GameId) =>
  (path: string): boolean =>
    !path.includes('/') && rehearsalOf(game)?.leftOut.test(path) === true;

/** Puts the copy in place of these folders, and of what is in them, wherever a word has their whole path. */
export const turner = (folders: readonly string[], copy: string): ((word: string) => string) => {
  const names = folders.toSorted((one, other) => other.length - one.length);
  const plain = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const path = new RegExp(`(?<![^=@:;,"'])(?:${plain})(?=$|[\\\\/:;,"'])`, 'g');
  return (word) => word.replace(path, () => copy);
};

/** As the copy is started: whatever names the server's folder names the copy instead. */
export const commandInCopy = (
  {
    command,
    folder,
    copy,
  }: {
    readonly command: readonly [string, ...string[]];
    readonly folder: string;
    readonly copy: string;
  },
  named: string,
): [string, ...string[]] => {
  const turn = turner([folder, named], copy);
  const [program, ...args] = command;
  return [turn(program), ...args.map((arg) => turn(arg))];
};
