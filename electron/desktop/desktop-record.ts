import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { desktopSettings } from '#contracts/desktop.ts';
import { firstRunDraft } from '#contracts/desktop-first-run.ts';
import { type JsonRecordStore, jsonRecordStore } from '#runtime/json-record.ts';
import { StartupError } from '#runtime/program.ts';

const place = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() });
export type WindowPlace = z.infer<typeof place>;

const { closeToTray, notices } = desktopSettings.shape;

/** What the desktop keeps for itself, per user of the machine; nothing in it is secret. A damaged value counts as absent. */
const desktopRecord = z.object({
  /** The home folder that was chosen at the first run; null: the usual one. */
  home: z.string().nullable().catch(null),
  /** The home that an installation was last seen in. It may be away for a time, which is no first start. */
  lastHome: z.string().nullable().catch(null),
  /** A first run that is not over. */
  firstRun: firstRunDraft.nullable().catch(null),
  /** The first run is over, but for the account of the owner. */
  isOwnerLeft: z.boolean().catch(false),
  settings: z
    .object({ closeToTray: closeToTray.catch(true), notices: notices.catch(true) })
    .catch({ closeToTray: true, notices: true }),
  /** How far people were told of what goes on over days. */
  toldNotices: z.object({ license: z.string(), update: z.string() }).partial().catch({}),
  /** Whether it was said that closing the window leaves everything running. */
  wasToldOfTray: z.boolean().catch(false),
  window: z.object({ place, isMaximized: z.boolean() }).nullable().catch(null),
});
export type DesktopRecord = z.infer<typeof desktopRecord>;

export type DesktopRecordStore = JsonRecordStore<DesktopRecord>;

/**
 * A file that is not there, or no JSON, counts as an empty one: nothing in it cannot be chosen again.
 * @throws {StartupError} when it cannot be read: the next change would write over what stands in it
 */
export const openDesktopRecord = async (folder: string): Promise<DesktopRecordStore> => {
  const path = join(folder, 'desktop.json');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw new StartupError(`${path} cannot be read: ${error.message}`, { cause: error });
  });
  return jsonRecordStore(path, desktopRecord, text);
};
