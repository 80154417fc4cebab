import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { patientRemoval, whenNotBusy } from '../busy-file.ts';
import { syncFolder } from '../disk-sync.ts';
import { demandUnusedCluster } from '../postgres/cluster-lock.ts';
import { isPostmasterRunning } from '../postgres/running-postmaster.ts';
import { StartupError } from '../program.ts';
import { compareVersions } from '../release/version-order.ts';
import { version } from '../version.ts';
import { passwordFile } from './backup-manifest.ts';
import { demandMajor } from './restore-home.ts';
import { beginSwap, finishSwap, newReplacedName, readFinishedSwap } from './restore-journal.ts';
import { clusterFolder } from './take-full-backup.ts';

/** What a restore, or a way back, has replaced and kept; it can be put in place again. */
interface KeptState {
  /** Of its folder in the data folder. */
  readonly name: string;
  readonly replacedAt: string;
  /** When the backup was taken that took its place; null: an earlier state did. */
  readonly takenAt: string | null;
}

const removing = 'removed-';

/** Newest first. Those of earlier versions, which do not say what is in them, are left out. */
export const listKeptStates = async (home: string): Promise<KeptState[]> => {
  const names = (await readdir(home)).filter((name) => name.startsWith('replaced-'));
  const found = await Promise.all(names.map((name) => describe(home, name)));
  return found
    .filter((state) => state !== null)
    .toSorted((a, b) => b.replacedAt.localeCompare(a.replacedAt) || b.name.localeCompare(a.name));
};

const describe = async (home: string, name: string): Promise<KeptState | null> => {
  if (!existsSync(join(home, name, 'postgres', 'data', 'PG_VERSION'))) return null;
  const swap = await readFinishedSwap(join(home, name)).catch(() => null);
  if (swap?.at === undefined || swap.version === undefined) return null;
  return { name, replacedAt: swap.at, takenAt: swap.takenAt ?? null };
};

/**
 * Puts a kept state in place again, by renames under the journal of restores; what is there now is kept in turn. The license stays.
 * The caller holds the data folder, and nothing runs in it.
 * @throws {StartupError} with the data folder unchanged
 */
export const goBackTo = async (home: string, name: string): Promise<void> => {
  if (!(await listKeptStates(home)).some((state) => state.name === name))
    throw new StartupError(`${join(home, name)} is not there any more, or is not whole.`);
  const cluster = clusterFolder(home);
  if (await isPostmasterRunning(join(cluster, 'data')))
    throw new StartupError('The database runs. Stop it first.');
  await demandUnusedCluster(cluster);
  const kept = join(home, name);
  const { items: replaced, version: ran = version } = await readFinishedSwap(kept);
  if (compareVersions(ran, version) > 0)
    throw new StartupError(
      `What is in ${kept} was last run by version ${ran}, and this is ${version}. Install that version or a newer one first.`,
    );
  const major = await readFile(join(kept, 'postgres', 'data', 'PG_VERSION'), 'utf8');
  await demandMajor(major.trim(), cluster);
  const items = replaced.filter((item) => existsSync(join(kept, item)));
  if (!items.includes(join('postgres', passwordFile))) throw new StartupError(`${kept} is not whole.`);
  const at = new Date();
  await beginSwap(home, {
    ...{ from: name, replaced: newReplacedName(home, at), items },
    ...{ at: at.toISOString(), version },
  });
  await finishSwap(home);
};

/** Deletes a kept state. Renamed first: half of one must not look like one. */
export const removeKeptState = async (home: string, name: string): Promise<void> => {
  await clearRemoved(home);
  if (!(await listKeptStates(home)).some((state) => state.name === name)) return;
  await whenNotBusy(() => rename(join(home, name), join(home, removing + name)));
  await syncFolder(home);
  await clearRemoved(home);
};

const clearRemoved = async (home: string): Promise<void> => {
  for (const name of await readdir(home))
    if (name.startsWith(`${removing}replaced-`)) await rm(join(home, name), patientRemoval);
};
