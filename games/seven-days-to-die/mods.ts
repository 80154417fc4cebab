import { plainLogLine } from '../log-line.ts';
import type { GameMods, ModLine } from '../mods-layout.ts';

/**
 * `2026-06-30T21:29:50 1.283 ERR `, as every line of the game begins; colons in the milliseconds' place are a system's decimal
 * comma. Only ERR is believed: chat and commands are INF.
 */
const error = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \d+[.,]\d+ ERR (?<said>.*)$/;

/**
 * What the game says of a mod that it cannot load, since A20 (its `ModManager` and `Mod`, and a log of V 1.4):
 * `[MODS]     Failed loading mod from folder: 'X'`, `[MODS]     Failed initializing ModAPI instance on mod 'X'`,
 * `[MODS]     Failed loading DLL …/Mods/X/X.dll`. The game goes on without the mod.
 */
const failure =
  /^\[MODS\]\s+(?<why>Failed (?:loading mod from folder: |initializing ModAPI instance on mod |loading DLL )(?<what>.+))$/;

/** Of Unity and Mono, on a line without a stamp: the process is about to end. */
const crash =
  /^(?:Crash!!!|Caught fatal signal - signo:\d+|Got a (?:SIGSEGV|SIGABRT|UNKNOWN) while executing native code)/;

const nameIn = (what: string): string | null =>
  /^'(?<name>[^']+)'$/.exec(what)?.groups?.name ??
  /[\\/]Mods[\\/](?<name>[^\\/]+)[\\/]/.exec(what)?.groups?.name ??
  null;

/**
 * `Mods/<Name>/ModInfo.xml`. Since A21 the game also reads `Mods` in the folder of its user data; that one is the player's or
 * owner's, often outside the server's folder and shared by several servers, and is not managed.
 */
export const sevenDaysMods: GameMods = {
  forms: () => ['folders'],
  // The game's own version stands in no file of the server.
  facts: async () => ({ loader: null, loaderVersion: null, gameVersion: null }),
  folders: () => [{ path: 'Mods', holds: { foldersWith: 'ModInfo.xml' } }],
  ids: null,
  readModLine(line): ModLine | null {
    const said = error.exec(plainLogLine(line) ?? '')?.groups?.said ?? '';
    const { why, what } = failure.exec(said)?.groups ?? {};
    return why === undefined || what === undefined ? null : { is: 'failed', id: nameIn(what), why };
  },
  isFatal: (line) => crash.test(plainLogLine(line) ?? ''),
};
