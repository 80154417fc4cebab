import { readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { Secret } from '#runtime/secret.ts';
import { isInside } from '../../saves/save-places.ts';
import { ModsRehearsalError } from './rehearsal-error.ts';

/** Gives the copy ports and paths that keep it apart from the running server. @throws {ModsRehearsalError} */
export const changeCopy = async (asked: {
  readonly game: GameId;
  /** The server's folder, without links. */
  readonly folder: string;
  /** The folder as the configuration names it. */
  readonly named: string;
  readonly copy: string;
  /** Path below the folder. */
  readonly settings: string;
  readonly port: number;
  readonly consolePort: number;
  readonly password: string;
}): Promise<void> => {
  const { folder, named, copy, port, consolePort } = asked;
  const game = gameOf(asked.game).rehearsal;
  if (game === null) throw new Error(`${asked.game} is not rehearsed`);
  const path = join(copy, asked.settings);
  const inCopy = (value: string) => {
    const whole = [named, folder].find((one) => isAbsolute(value) && (value === one || isInside(one, value)));
    if (whole !== undefined) return join(copy, relative(whole, value));
    const there = resolve(copy, value);
    if (there !== copy && !isInside(copy, there))
      throw new ModsRehearsalError(
        `The settings name ${value}, outside the folder of the server, which a copy would use, too.`,
      );
    return value;
  };
  const password = new Secret(asked.password);
  await writeFile(path, game.change(await readFile(path), { port, consolePort, password, inCopy }));
};
