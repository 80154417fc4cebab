import type { Writable } from 'node:stream';
import { checkBackups } from '../backup/check-backups.ts';
import { deleteOutdated } from '../backup/keep-backups.ts';
import { packBackup } from '../backup/pack-backup.ts';
import { copyStaged, readSource } from '../backup/restore-home.ts';
import { copyToScratch } from '../backup/scratch-cluster.ts';
import { copyBeside, writeManifest } from '../backup/take-full-backup.ts';
import { demandRoom } from '../disk-space.ts';
import {
  completeHalf,
  copyData,
  databaseBytes,
  finishCopy,
  makeHalf,
  removeHalf,
} from '../postgres/backup.ts';

type Task = (...args: unknown[]) => Promise<unknown>;

/** What a disk worker can do, by the names of the functions. */
export const tasks: ReadonlyMap<string, Task> = new Map(
  [
    makeHalf,
    copyData,
    finishCopy,
    completeHalf,
    removeHalf,
    copyBeside,
    writeManifest,
    copyToScratch,
    readSource,
    copyStaged,
    databaseBytes,
    demandRoom,
    checkBackups,
    deleteOutdated,
  ].map((task) => [task.name, task as Task]),
);

type StreamTask = (output: Writable, ...args: unknown[]) => Promise<void>;

/** Those whose result is what they write. */
export const streamTasks: ReadonlyMap<string, StreamTask> = new Map(
  [packBackup].map((task) => [task.name, task as StreamTask]),
);
