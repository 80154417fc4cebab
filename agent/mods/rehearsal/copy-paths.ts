import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';

/** Below the server's folder: the game's account can reach it, and blocks are shared if the disk supports that. */
export const copyName = '.castellan-rehearsal';

/** Names at the top of the server's folder that are not copied. */
export const isLeftOut =
  (game: GameId) =>
  (path: string): boolean =>
    !path.includes('/') && gameOf(game).rehearsal?.leftOut.test(path) === true;

/** Replaces these folders, and everything in them, with the copy wherever a word contains their whole path. */
export const turner = (folders: readonly string[], copy: string): ((word: string) => string) => {
  const names = folders.toSorted((one, other) => other.length - one.length);
  const plain = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const path = new RegExp(`(?<![^=@:;,"'])(?:${plain})(?=$|[\\\\/:;,"'])`, 'g');
  return (word) => word.replace(path, () => copy);
};

/** The start command of the copy: the copy replaces the server's folder wherever that is named. */
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
