import { randomInt } from 'node:crypto';
import { copyFile, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { whenNotBusy } from '../../busy-file.ts';
import { readJson } from '../../read-json.ts';
import { lockFile } from './file-lock.ts';
import { type LicenseRecord, licenseRecord } from './license-record.ts';

export const recordFileName = 'license.json';

/** The content of license.json at one moment. */
export type Snapshot =
  | { readonly kind: 'absent' }
  /** The content is not a record; `file` means that the disk returned nothing at all, which may pass. */
  | { readonly kind: 'unreadable'; readonly fault: 'content' | 'file'; readonly detail: string }
  | { readonly kind: 'record'; readonly record: LicenseRecord };

export type NewRecord = Omit<LicenseRecord, 'revision'>;

type Replacement =
  | { readonly outcome: 'written'; readonly record: LicenseRecord }
  /** Another process has written since; nothing was changed. */
  | { readonly outcome: 'superseded' };

export interface RecordStore {
  read(): Promise<Snapshot>;
  /**
   * Writes if the file still has the revision that the change was based on; `null` overwrites any content.
   * @throws when it cannot be written; the old file is then intact
   */
  replace(next: NewRecord, basedOn: number | null): Promise<Replacement>;
}

const firstRevisionLimit = 2 ** 40;

/** The record in `home`, shared by every process of the installation. */
export const openRecordStore = (home: string): RecordStore => {
  const path = join(home, recordFileName);

  const replaceHeld = async (
    next: NewRecord,
    basedOn: number | null,
    assertHeld: () => void,
  ): Promise<Replacement> => {
    const current = await readSnapshot(path);
    if (current.kind === 'unreadable' && current.fault === 'file') throw new Error(current.detail);
    const revision = current.kind === 'record' ? current.record.revision : null;
    if (basedOn !== null && basedOn !== revision) return { outcome: 'superseded' };
    // A record that could not be read back must never be written: it would look like damage.
    const record = licenseRecord.parse({
      ...next,
      revision: revision === null ? randomInt(firstRevisionLimit) : revision + 1,
    });
    if (current.kind === 'unreadable') await copyFile(path, `${path}.unreadable`);
    await writeWhole(path, `${JSON.stringify(record, null, 2)}\n`, assertHeld);
    return { outcome: 'written', record };
  };

  return {
    read: () => readSnapshot(path),
    async replace(next, basedOn) {
      await using lock = await lockFile(`${path}.lock`);
      return await replaceHeld(next, basedOn, () => lock.assertHeld());
    },
  };
};

const readSnapshot = async (path: string): Promise<Snapshot> => {
  let text: string;
  try {
    text = await whenNotBusy(() => readFile(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { kind: 'absent' };
    return { kind: 'unreadable', fault: 'file', detail: `${recordFileName} cannot be read (${code}).` };
  }
  const record = readJson(licenseRecord, text);
  return record
    ? { kind: 'record', record }
    : {
        kind: 'unreadable',
        fault: 'content',
        detail: `${recordFileName} is damaged: it is cut short or was edited.`,
      };
};

/** Writes a new file beside the old one and flushes it to disk before it takes the name: there is never half a record. */
const writeWhole = async (path: string, text: string, assertHeld: () => void): Promise<void> => {
  const next = `${path}.next`;
  try {
    await writeSynced(next, text);
    await whenNotBusy(() => {
      // A scanner may hold the new file for longer than the lock is believed.
      assertHeld();
      return rename(next, path);
    });
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
};

const writeSynced = async (path: string, text: string): Promise<void> => {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  if (process.getuid?.() === 0) {
    // Root must not leave a file that the installation's account cannot read.
    const { uid, gid } = await stat(dirname(path));
    await file.chown(uid, gid);
  }
  await file.sync();
};

/** Makes the rename survive a power cut; Windows does not open folders for this. */
const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
};
