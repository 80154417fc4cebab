import { unknownArchive } from '../inspected-archive.ts';
import { plainLogLine } from '../log-line.ts';
import type { GameMods, ModIds, ModLine } from '../mods-layout.ts';
import { openSettingsText, type Place, replacePlaces, withoutMark } from '../settings-text.ts';
import { arkSettingsFiles } from './layout.ts';
import { readIni, unquote } from './settings-file.ts';

const key = 'activemods';
/** Longer numbers are not ids of Steam or CurseForge. */
const isId = (text: string): boolean => /^\d{1,20}$/.test(text);

const idsIn = (value: string): string[] =>
  unquote(value)
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');

/**
 * `ActiveMods=` of `[ServerSettings]`, in load order; with `-automanagedmods` the game downloads them itself
 * (https://ark.wiki.gg/wiki/Server_configuration).
 */
const activeMods: Extract<ModIds, { at: 'settings' }> = {
  at: 'settings',
  files: arkSettingsFiles,
  read(content) {
    const { text } = openSettingsText(content);
    const value = readIni(text).entries.findLast((entry) => entry.key === key)?.value ?? '';
    const ids = idsIn(value);
    const odd = ids.find((id) => !isId(id));
    if (odd !== undefined)
      throw new Error(`ActiveMods holds ${JSON.stringify(odd.slice(0, 40))}, which is no id`);
    return [...new Set(ids)];
  },
  write(content, ids) {
    const odd = ids.find((id) => !isId(id));
    if (odd !== undefined) throw new Error(`${JSON.stringify(odd.slice(0, 40))} is no id of a mod`);
    const { text, newline, toBytes } = openSettingsText(content);
    const { entries, headingEnd } = readIni(text);
    const wanted = ids.join(',');
    const present = entries.filter((entry) => entry.key === key);
    if (present.length > 0) {
      // Changes every occurrence, so that it does not matter which one the game reads.
      const changes = present
        .filter(({ value }) => idsIn(value).join(',') !== wanted)
        .map(({ start, end }): Place & { text: string } => ({ start, end, text: wanted }));
      return changes.length === 0 ? content : toBytes(replacePlaces(text, changes));
    }
    if (ids.length === 0) return content;
    const line = `ActiveMods=${wanted}`;
    if (headingEnd !== null)
      return toBytes(replacePlaces(text, [{ start: headingEnd, end: headingEnd, text: newline + line }]));
    const gap = withoutMark(text) === '' || text.endsWith('\n') ? '' : newline;
    return toBytes(`${text}${gap}[ServerSettings]${newline}${line}${newline}`);
  },
  ignoredBecause(args) {
    const options = args.flatMap((arg) => arg.split('?').slice(1));
    if (options.some((option) => /^GameModIds=/i.test(option)))
      return 'The start command has ?GameModIds=, which the game reads instead of ActiveMods. Take it out of the start command.';
    if (!args.some((arg) => /^-automanagedmods$/i.test(arg)))
      return 'The start command lacks -automanagedmods, without which the game downloads no mods. Add it on the machine of the game.';
    return null;
  },
};

/** `[2020.05.06-11.04.56:123][456]` of the log file; lines of the console have none. */
const stamp = /^(?:\[\d{4}(?:\.\d\d){2}-[\d.:]{8,14}\]\[ *\d+\])?(?<said>.*)$/;
const saidIn = (line: string): string => stamp.exec(plainLogLine(line) ?? '')?.groups?.said ?? '';

/**
 * The game runs its own steamcmd and passes on its lines unchanged (pastebin.com/nmVCNmmB): `Downloading item 111111111 ...`,
 * `Success. Downloaded item 533828549 to "…" (9014197 bytes)`, `ERROR! Download item 111111111 failed (File Not Found).`, `ERROR!
 * Timeout downloading item 111111111`. Other text may follow on the line.
 */
const readSteamLine = (line: string): ModLine | null => {
  const said = saidIn(line);
  const begun = /^Downloading item (?<id>\d{1,20})\b/.exec(said)?.groups?.id;
  if (begun !== undefined) return { is: 'downloading', id: begun };
  const done = /^Success\. Downloaded item (?<id>\d{1,20})\b/.exec(said)?.groups?.id;
  if (done !== undefined) return { is: 'ready', id: done };
  const failed =
    /^ERROR! (?<why>Download item (?<id>\d{1,20}) failed \([^)]{1,80}\)|Timeout downloading item (?<late>\d{1,20}))/.exec(
      said,
    )?.groups;
  if (failed?.why === undefined) return null;
  return { is: 'failed', id: failed.id ?? failed.late ?? null, why: failed.why };
};

/**
 * As servers of 2025 and 2026 wrote them: `LogCFCore: No need to update existing mod: Tek Creations (933588)`, `LogCFCore: Mod
 * valid: Name (id)`, `LogCFCore: Mod: Name (940975) requires upgrade/downgrade (8673705 -> 8837561)`, `LogCFCore:
 * serverUnreachable`, `Mods not installed: 1039450`.
 */
const readCurseForgeLine = (line: string): ModLine | null => {
  const said = saidIn(line);
  const missing = /^Mods not installed: (?<ids>[\d, ]{1,400})$/.exec(said)?.groups?.ids;
  if (missing !== undefined) {
    const ids = idsIn(missing);
    return { is: 'failed', id: ids.length === 1 ? (ids[0] ?? null) : null, why: said };
  }
  if (/^ASAMods: Error: /.test(said)) return { is: 'failed', id: null, why: said };
  const core = /^LogCFCore: (?:Display: |Warning: )?(?<what>.*)$/.exec(said)?.groups?.what;
  if (core === undefined) {
    const wrong = /^LogCFCore: Error: (?<why>.+)$/.exec(said)?.groups?.why;
    return wrong === undefined ? null : { is: 'failed', id: null, why: wrong };
  }
  const ready = /^(?:No need to update existing mod|Mod valid): .* \((?<id>\d{1,20})\)$/.exec(core)?.groups
    ?.id;
  if (ready !== undefined) return { is: 'ready', id: ready };
  const old = /^Mod: .* \((?<id>\d{1,20})\) requires upgrade\/downgrade /.exec(core)?.groups?.id;
  if (old !== undefined) return { is: 'downloading', id: old };
  return /^(?:Error: |serverUnreachable)/.test(core) ? { is: 'failed', id: null, why: core } : null;
};

/** The engine's last messages (FGenericCrashContext and FDebug::AssertFailed) before it exits. */
const crash =
  /^(?:Fatal error!?|LowLevelFatalError|Assertion failed: |Unhandled Exception: |Caught signal \d+|=== Critical error: ===)/;
const isCrash = (said: string): boolean =>
  crash.test(said.replace(/^Log\w+: (?:Fatal|Error|Critical): /, ''));

const inspect = async () =>
  unknownArchive('This game takes its mods by their ids, and downloads them by itself.');

const noLoader = async () => ({ loader: null, loaderVersion: null, gameVersion: null });

export const arkEvolvedMods: GameMods = {
  forms: () => ['id'],
  facts: noLoader,
  folders: () => [],
  ids: activeMods,
  sourceNumbers: { curseforge: null, steam: 346_110 },
  readFolderMark: () => null,
  readModLine: readSteamLine,
  inspect,
  isFatal: (line) => isCrash(saidIn(line)),
};

export const arkAscendedMods: GameMods = {
  forms: () => ['id'],
  facts: noLoader,
  folders: () => [],
  ids: { at: 'command' },
  sourceNumbers: { curseforge: 83_374, steam: null },
  readFolderMark: () => null,
  readModLine: readCurseForgeLine,
  inspect,
  // The server exits when a mod of its list cannot be installed.
  isFatal: (line) =>
    isCrash(saidIn(line)) || /^ASAMods: Error: Not all mods were installed/.test(saidIn(line)),
};
