import { plainLogLine } from '../log-line.ts';
import type { GameMods, ModLine } from '../mods-layout.ts';
import { inspectFolders } from './mod-folders.ts';
import { readModInfo } from './mod-info.ts';

/**
 * `2026-06-30T21:29:50 1.283 ERR `, the start of every line of the game; colons in place of the milliseconds' point are a
 * system's decimal comma. Only ERR counts: chat and commands are INF.
 */
const error = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \d+[.,]\d+ ERR (?<said>.*)$/;

/**
 * Messages about a mod that the game cannot load, since A20 (its `ModManager` and `Mod`, and a log of V 1.4): `[MODS]     Failed
 * loading mod from folder: 'X'`, `[MODS]     Failed initializing ModAPI instance on mod 'X'`, `[MODS]     Failed loading DLL
 * …/Mods/X/X.dll`. The game continues without the mod.
 */
const failure =
  /^\[MODS\]\s+(?<why>Failed (?:loading mod from folder: |initializing ModAPI instance on mod |loading DLL )(?<what>.+))$/;

/** From Unity and Mono, on a line without a stamp: the process is about to end. */
const crash =
  /^(?:Crash!!!|Caught fatal signal - signo:\d+|Got a (?:SIGSEGV|SIGABRT|UNKNOWN) while executing native code)/;

const nameIn = (what: string): string | null =>
  /^'(?<name>[^']+)'$/.exec(what)?.groups?.name ??
  /[\\/]Mods[\\/](?<name>[^\\/]+)[\\/]/.exec(what)?.groups?.name ??
  null;

/**
 * `Mods/<Name>/ModInfo.xml`. Since A21 the game also reads `Mods` in the folder of its user data; that one belongs to the player
 * or owner, is often outside the server's folder and is shared by several servers, and is not managed.
 */
export const sevenDaysMods: GameMods = {
  forms: () => ['folders'],
  // No file of the server contains the game's own version.
  facts: async () => ({ loader: null, loaderVersion: null, gameVersion: null }),
  folders: () => [{ path: 'Mods', holds: { foldersWith: 'ModInfo.xml' } }],
  ids: null,
  sourceNumbers: { curseforge: null, steam: null },
  readFolderMark: readModInfo,
  readModLine(line): ModLine | null {
    const said = error.exec(plainLogLine(line) ?? '')?.groups?.said ?? '';
    const { why, what } = failure.exec(said)?.groups ?? {};
    return why === undefined || what === undefined ? null : { is: 'failed', id: nameIn(what), why };
  },
  inspect: inspectFolders,
  isFatal: (line) => crash.test(plainLogLine(line) ?? ''),
};
