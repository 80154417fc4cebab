import * as z from 'zod';
import { backupsStatus } from '../operations/backups.ts';
import { desktopCall as call } from './desktop-call.ts';
import type { DataFolderNews } from './desktop-data-folder.ts';

const nothing = z.undefined();
const time = z.iso.datetime();
const bytes = z.int().nonnegative();

/**
 * What the next start did with what a killed restore had left:
 * - `finished`: it finished the restore, which had begun to replace the data
 * - `finished-back`: likewise, the way back to before a restore
 * - `removed`: nothing was replaced yet; the copy of the backup is gone
 */
const leftRestores = ['finished', 'finished-back', 'removed'] as const;
export type LeftRestore = (typeof leftRestores)[number];

const restoreSteps = ['stop', 'check', 'copy', 'test', 'swap', 'start'] as const;

/** A restore, or a way back, in progress. */
const restoreProgress = z.object({
  /** `back`: to the state before a restore. */
  act: z.enum(['restore', 'back']),
  step: z.enum(restoreSteps),
  /** Of the current step. */
  doneBytes: bytes,
  /** Zero if the step counts nothing, or how much there is to do is unknown. */
  bytes,
  /** True until the data is replaced. */
  isCancellable: z.boolean(),
});
export type RestoreProgress = z.infer<typeof restoreProgress>;

/** The result of the last restore, or way back, since this program started. */
const restoreNews = z.object({
  outcome: z.enum(['restored', 'went-back', 'cancelled', 'failed', ...leftRestores]),
  /** For `restored`, when the backup was taken; for `failed`, why. */
  detail: z.string().nullable(),
});
export type RestoreNews = z.infer<typeof restoreNews>;

/** What a desktop that was opened again has to say: of a restore, or of a move of the data folder. */
export type DesktopNews = { readonly restore: RestoreNews } | { readonly dataFolder: DataFolderNews };

const restoreState = z.object({
  /** What runs the data folder instead of this program, so that nothing can be restored here. */
  heldBy: z.enum(['services']).nullable(),
  /** Why the folder with the backups cannot be read, in words; null if it can. */
  obstacle: z.string().nullable(),
  /** Newest first. */
  backups: z.array(backupsStatus.shape.backups.element),
  /** What restores have replaced, newest first. It stays until a person has it deleted. */
  kept: z.array(
    z.object({
      name: z.string(),
      replacedAt: time,
      /** When the backup was taken that took its place; null: an earlier state did. */
      takenAt: time.nullable(),
      bytes,
    }),
  ),
  /** Whether what runs now is known to work, so that what was kept can be deleted. */
  isDeletable: z.boolean(),
  news: restoreNews.nullable(),
});
export type RestoreState = z.infer<typeof restoreState>;

const named = z.strictObject({ name: z.string().regex(/^[\w.-]{1,200}$/) });

/** Castellan's own backups, in the desktop window alone: they replace everything, its accounts included. */
export const restoreCalls = {
  'restore.state': call(nothing, restoreState),
  /** Starts it; the page follows it through `restore.changed`, and is then replaced by another page. */
  'restore.begin': call(named, z.object({})),
  'restore.goBack': call(named, z.object({})),
  'restore.progress': call(nothing, restoreProgress.nullable()),
  'restore.cancel': call(nothing, z.object({})),
  'restore.deleteKept': call(named, restoreState),
} as const;

export const restoreEvents = { 'restore.changed': restoreProgress.nullable() } as const;
