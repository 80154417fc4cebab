import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { desktopSettings, desktopTheme } from '#contracts/desktop/desktop.ts';
import { firstRunDraft } from '#contracts/desktop/desktop-first-run.ts';
import { ifAbsent, isAbsent } from '#runtime/absent-file.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { type JsonRecordStore, jsonRecordStore } from '#runtime/json-record.ts';
import { StartupError } from '#runtime/program.ts';
import { parseJson, readJson } from '#runtime/read-json.ts';

const place = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() });
export type WindowPlace = z.infer<typeof place>;

const { closeToTray, notices } = desktopSettings.shape;

/** What the desktop keeps per user of the machine; nothing in it is secret. A damaged value counts as absent. */
const desktopRecord = z.object({
  /** The data folder that was chosen at the first run; null: the usual one. */
  home: z.string().nullable().catch(null),
  /** The data folder where an installation was last seen. It may be away for a time, which is no first start. */
  lastHome: z.string().nullable().catch(null),
  /** A first run that is not finished. */
  firstRun: firstRunDraft.nullable().catch(null),
  /** The first run is finished, except for the owner's account. */
  isOwnerLeft: z.boolean().catch(false),
  settings: z
    .object({ closeToTray: closeToTray.catch(true), notices: notices.catch(true) })
    .catch({ closeToTray: true, notices: true }),
  /** The last step that people were told of, for what lasts several days. */
  toldNotices: z.object({ license: z.string(), update: z.string() }).partial().catch({}),
  /** Whether the user was told that closing the window leaves everything running. */
  wasToldOfTray: z.boolean().catch(false),
  /** The theme that the page last reported. */
  theme: desktopTheme.catch('auto'),
  window: z.object({ place, isMaximized: z.boolean() }).nullable().catch(null),
});
type DesktopRecord = z.infer<typeof desktopRecord>;

export interface DesktopRecordStore extends JsonRecordStore<DesktopRecord> {
  /** Where the earlier damaged file is kept, until the user was told; null when there was none. */
  readonly damagedFile: string | null;
  noteTold(): void;
}

/** Where the data folder is, a second time: in its own file, which is written only when that changes. */
const homePlace = desktopRecord.pick({ home: true, lastHome: true });
type HomePlace = z.infer<typeof homePlace>;

/** A record that says where the data folder is; each of its other values may be damaged. */
const soundRecord = z.looseObject({
  home: z.string().nullable().optional(),
  lastHome: z.string().nullable().optional(),
});

/**
 * Opens the desktop's record. A damaged file is kept beside it, and the place of the data folder comes from the second mark,
 * or from what is left of the damaged text: a truncated one still begins with it.
 * @throws {StartupError} when it cannot be read and nothing else says where the data folder is: the next change would
 * overwrite its contents
 */
export const openDesktopRecord = async (folder: string): Promise<DesktopRecordStore> => {
  const path = join(folder, 'desktop.json');
  const placePath = join(folder, 'home-place.json');
  const mark = placeIn(await readText(placePath).catch(() => null));
  const text = await readText(path).catch((error: Error) => {
    if (mark !== null) return null;
    throw new StartupError(`${path} cannot be read: ${error.message}`, { cause: error });
  });
  const isNew = text === null && mark === null;
  const isSound = text !== null && readJson(soundRecord, text) !== null;
  let damagedFile = isNew || isSound ? null : await keepBeside(path);

  const record = jsonRecordStore(path, desktopRecord, text ?? '{}');
  const place = jsonRecordStore(placePath, homePlace, JSON.stringify(mark ?? {}));
  if (damagedFile !== null) await record.change(mark ?? salvaged(text ?? ''));
  const markPlace = async () => {
    const { home, lastHome } = record.now();
    const known = place.now();
    if (known.home !== home || known.lastHome !== lastHome) await place.change({ home, lastHome });
  };
  await markPlace();
  return {
    now: record.now,
    async change(change) {
      await record.change(change);
      await markPlace();
    },
    get damagedFile() {
      return damagedFile;
    },
    noteTold() {
      damagedFile = null;
    },
  };
};

/** Null when there is no such file. */
const readText = (path: string): Promise<string | null> =>
  whenNotBusy(() => readFile(path, 'utf8')).catch(ifAbsent(null));

const placeIn = (text: string | null): HomePlace | null => {
  const read = readJson(soundRecord, text ?? '');
  return read && homePlace.parse(read);
};

/** @returns its new name, or the old one when there was nothing to keep. @throws {StartupError} */
const keepBeside = async (path: string): Promise<string> => {
  const kept = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '')}`;
  try {
    await whenNotBusy(() => rename(path, kept));
    return kept;
  } catch (error) {
    if (isAbsent(error)) return path;
    throw new StartupError(`${path} is damaged and could not be set aside: ${(error as Error).message}`, {
      cause: error,
    });
  }
};

/** Reads what it can from text that is not valid JSON, such as a truncated one. */
const salvaged = (text: string): HomePlace => {
  const textOf = (name: keyof HomePlace) => {
    const [, value = 'null'] = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text) ?? [];
    return parseJson(value) ?? null;
  };
  return homePlace.parse({ home: textOf('home'), lastHome: textOf('lastHome') });
};
