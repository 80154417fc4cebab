import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Given, World } from './world.ts';

/** Bytes by key, by the name of the storage. */
export type CommandStorage = Map<string, Map<string, number>>;

/** The saved part of the game's world; a kill reverts it to the last save. */
export interface Level {
  readonly storage: CommandStorage;
  /** The players' current items, as far as they were given here. */
  readonly inventories: ReadonlyMap<string, readonly Given[]>;
  /** In ticks, 20 a second; stands still while the game is down. */
  readonly gameTime: number;
  /** True until `save-off`. */
  autosaves: boolean;
  receive(given: Given): void;
  /** Saves world and players, as the autosave and `save-all` do. */
  save(): void;
  /** Saves one player, as when they leave. */
  savePlayer(name: string): void;
  /** Reverts everything since the last save, including the clock. */
  kill(): void;
  start(): void;
}

const tickMs = 50;

/** The format of the save file. */
interface SavedLevel {
  readonly storage: readonly (readonly [string, readonly (readonly [string, number])[]])[];
  readonly inventories: readonly (readonly [string, Given[]])[];
  readonly ticks: number;
}

/** @param file for saves, from which the level also starts, so that a process can be killed between two saves */
export const createLevel = (world: World, file?: string): Level => {
  const storage: CommandStorage = new Map();
  const inventories = new Map<string, Given[]>();
  let savedStorage: CommandStorage = new Map();
  const savedInventories = new Map<string, Given[]>();
  let ticksAtStart = 0;
  let savedTicks = 0;
  let startedMs: number | null = performance.now();

  const gameTime = () =>
    ticksAtStart + (startedMs === null ? 0 : Math.floor((performance.now() - startedMs) / tickMs));
  const savePlayer = (name: string) => {
    savedInventories.set(name, [...(inventories.get(name) ?? [])]);
  };
  const replace = <Value>(target: Map<string, Value>, source: ReadonlyMap<string, Value>) => {
    target.clear();
    for (const [key, value] of structuredClone(source)) target.set(key, value);
  };
  const loadSaved = () => {
    ticksAtStart = savedTicks;
    replace(storage, savedStorage);
    replace(inventories, savedInventories);
  };
  const writeSaved = () => {
    if (file === undefined) return;
    const saved: SavedLevel = {
      storage: [...savedStorage].map(([name, values]) => [name, [...values]]),
      inventories: [...savedInventories],
      ticks: savedTicks,
    };
    writeFileSync(`${file}.half`, JSON.stringify(saved));
    renameSync(`${file}.half`, file);
  };
  if (file !== undefined && existsSync(file)) {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as SavedLevel;
    savedStorage = new Map(saved.storage.map(([name, values]) => [name, new Map(values)]));
    for (const [name, given] of saved.inventories) savedInventories.set(name, given);
    savedTicks = saved.ticks;
    loadSaved();
  }

  return {
    storage,
    inventories,
    get gameTime() {
      return gameTime();
    },
    autosaves: true,
    receive(given) {
      world.give(given);
      inventories.set(given.player, [...(inventories.get(given.player) ?? []), given]);
    },
    save() {
      savedStorage = structuredClone(storage);
      savedTicks = gameTime();
      for (const { name } of world.players) savePlayer(name);
      writeSaved();
    },
    savePlayer(name) {
      savePlayer(name);
      writeSaved();
    },
    kill() {
      startedMs = null;
      loadSaved();
    },
    start() {
      startedMs ??= performance.now();
    },
  };
};
