import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ModsChange, ModsChanged } from '#contracts/servers/agent-mods.ts';
import { modsChanged } from '#contracts/servers/agent-mods.ts';
import type { ProcessReport, TaskResult } from '#contracts/servers/agent-tasks.ts';
import { gameOf } from '#games/games.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import type { PowerRequest } from '../../power/current-action.ts';
import type { Power } from '../../power/power.ts';
import { serverFolder } from '../../saves/save-places.ts';
import { createModsChanger, type ModsChanger } from '../change-mods.ts';
import { ownWorker } from '../folder/folder-worker.ts';
import { createGameLines, type GameLines } from '../game-lines.ts';
import { changeTurn } from '../settle-mods.ts';
import { type ModLibrary, modFilesFrom, openModLibrary } from './mod-library.ts';

export interface ModdedServer {
  /** The server's folder. */
  readonly root: string;
  readonly stateFolder: string;
  readonly library: ModLibrary;
  readonly changer: ModsChanger;
  readonly lines: GameLines;
  readonly steps: string[];
  change(change: Partial<ModsChange>, signal?: AbortSignal): Promise<Changed>;
  recover(change: Partial<ModsChange>, signal?: AbortSignal): Promise<Changed>;
  /** Every file of the server's folder, with its hash. */
  files(): Promise<Record<string, string>>;
}
export type Changed = Pick<TaskResult, 'outcome' | 'detail'> & Partial<ModsChanged>;

export const plainChange: ModsChange = {
  base: 0,
  put: [],
  remove: [],
  adopt: [],
  countdown: null,
  backup: false,
  rehearse: false,
  watch: { readySeconds: 30, watchSeconds: 0 },
};

/** The power over a game that people also operate. */
export const testPower = (
  state: () => ProcessReport['state'],
  act: (action: PowerRequest['action']) => TaskResult['outcome'] = () => 'done',
): Power => {
  const report = (): ProcessReport => ({
    state: state(),
    wanted: 'stopped',
    detail: null,
    pid: null,
    upMs: null,
    crashes: 0,
    nextStartInMs: null,
    lastCrash: null,
  });
  return {
    report,
    lookNow: async () => report(),
    runId: () => null,
    actionsBegun: () => 0,
    onChange: () => undefined,
    act: async ({ action }) => ({ outcome: act(action), detail: null, value: null }),
    resultOf: () => null,
    isUnderWay: () => false,
    [Symbol.asyncDispose]: async () => undefined,
  };
};

/** A Minecraft server with Fabric in a folder, and the changer of its mods. */
export const openModdedServer = async (
  folder: string,
  changes: Partial<Parameters<typeof createModsChanger>[0]> & { readonly power?: Power | null } = {},
): Promise<ModdedServer> => {
  const root = changes.root ? await changes.root() : join(folder, 'game');
  const stateFolder = join(folder, 'state');
  await mkdir(join(root, 'world'), { recursive: true });
  await mkdir(stateFolder, { recursive: true });
  await writeFile(join(root, 'fabric-server-launch.jar'), 'launcher');
  await writeFile(join(root, 'world/level.dat'), 'world');
  const library = await openModLibrary(join(folder, 'library'));
  const mods = gameOf('minecraft').mods;
  const lines = createGameLines();
  const changer = createModsChanger({
    gameId: 'minecraft',
    game: gameOf('minecraft'),
    mods,
    stateFolder,
    root: async () => root,
    facts: () => mods.facts(serverFolder(root), []),
    files: modFilesFrom(library.folder),
    power: null,
    mayPower: true,
    console: null,
    lines,
    maskLine: (line) => line.replaceAll('hunter2', '***'),
    whyNotStopped: async () => null,
    whySavesBusy: async () => null,
    backUp: async () => undefined,
    rehearsal: null,
    proveIds: null,
    turn: changeTurn(),
    worker: ownWorker,
    log: createLog({ component: 'agent', destination: { write: () => undefined } }),
    ...changes,
  });
  const steps: string[] = [];
  const runOf = (signal: AbortSignal) => ({
    id: 'task-1',
    signal,
    cancelled: signal,
    stopping: new AbortController().signal,
    progress: ({ step }: { readonly step: string }) => void (steps.at(-1) !== step && steps.push(step)),
    upload: () => Promise.resolve(),
  });
  const told = ({ outcome, detail, value }: TaskResult): Changed => ({
    outcome,
    detail,
    ...(value && modsChanged.parse(value)),
  });
  return {
    root,
    stateFolder,
    library,
    changer,
    lines,
    steps,
    change: async (change, signal = new AbortController().signal) =>
      told(await changer.change({ ...plainChange, ...change }, runOf(signal))),
    recover: async (change, signal = new AbortController().signal) =>
      told(await changer.recover({ ...plainChange, ...change }, runOf(signal))),
    files: () => filesBelow(root),
  };
};

/** Its folder is removed when the test ends. */
export const moddedServer = async (
  changes: Parameters<typeof openModdedServer>[1] = {},
): Promise<ModdedServer> => {
  const folder = await temporaryFolder('mods');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  return openModdedServer(folder.path, changes);
};

export const filesBelow = async (root: string): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  const look = async (path: string): Promise<void> => {
    const entries = await readdir(join(root, path), { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) await look(below);
      else if (!entry.isFile()) found[below] = 'no file';
      else
        found[below] = createHash('sha512')
          .update(await readFile(join(root, below)))
          .digest('hex');
    }
  };
  await look('');
  return found;
};
