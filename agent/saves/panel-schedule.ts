import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type SavesSchedule, savesSchedule } from '#contracts/servers/agent-tasks.ts';
import { ifAbsent } from '#runtime/absent-file.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { readJson } from '#runtime/read-json.ts';
import type { Keeping } from './backup-folder.ts';
import { SavesError } from './saves-error.ts';

/** `keep` and `days` as the machine's owner set them. */
interface MachineSettings extends Keeping {
  readonly stateFolder: string;
  readonly mayPanelSchedule: boolean;
}

export interface ScheduleInForce extends Keeping {
  /** Minutes after midnight, by this machine's clock; null: no automatic backup. */
  readonly atMinute: number | null;
  /** What the machine's owner set: the least that a schedule of the panel keeps. */
  readonly least: Keeping;
  /** The panel's, as it asked; null: the machine's own applies. */
  readonly panel: SavesSchedule | null;
}

const schedulePath = (stateFolder: string) => join(stateFolder, 'saves-schedule.json');

/** @param schedule null: the machine's own applies */
export const writePanelSchedule = (stateFolder: string, schedule: SavesSchedule | null): Promise<void> =>
  schedule === null
    ? rm(schedulePath(stateFolder), { force: true })
    : writeFileAtomically(schedulePath(stateFolder), JSON.stringify(schedule), 0o600);

/**
 * Null: the machine's own applies.
 * @throws {SavesError} when the file is damaged
 */
const readPanelSchedule = async (settings: MachineSettings): Promise<SavesSchedule | null> => {
  if (!settings.mayPanelSchedule) return null;
  const path = schedulePath(settings.stateFolder);
  const text = await readFile(path, 'utf8').catch(ifAbsent(null));
  const schedule = text === null ? null : readJson(savesSchedule, text);
  if (text !== null && schedule === null)
    throw new SavesError(`The schedule that the panel set is damaged: ${path}. Save it again in the panel.`);
  return schedule;
};

/** The owner may have raised `keep` and `days` since. */
const keepingWith = (machine: Keeping, panel: SavesSchedule | null): Keeping => ({
  keep: Math.max(machine.keep, panel?.keep ?? 0),
  days: Math.max(machine.days, panel?.days ?? 0),
});

/**
 * How many backups are kept now.
 * @throws {SavesError} when that is not known: then none may be deleted
 */
export const keepingOf = async (settings: MachineSettings): Promise<Keeping> =>
  keepingWith(settings, await readPanelSchedule(settings));

/** Where the panel's schedule cannot be read, the machine's own time counts. */
export const scheduleInForce = async (
  settings: MachineSettings,
  nightlyAtMinute: number | null,
): Promise<ScheduleInForce> => {
  const panel = await readPanelSchedule(settings).catch(() => null);
  return {
    atMinute: panel?.atMinute ?? nightlyAtMinute,
    ...keepingWith(settings, panel),
    least: { keep: settings.keep, days: settings.days },
    panel,
  };
};
