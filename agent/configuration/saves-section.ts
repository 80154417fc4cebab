import { join, resolve } from 'node:path';
import * as z from 'zod';
import { mostSavesDays, mostSavesKept } from '#contracts/servers/agent-tasks.ts';

/** How the game's saves are backed up: set only on its machine. */
export interface SavesConfig {
  /** Where backups go. */
  readonly folder: string;
  /** Folders of the worlds; null: those from the game's own settings. */
  readonly from: readonly string[] | null;
  readonly keep: number;
  readonly days: number;
  /** Minutes after midnight, by this machine's clock; null: no automatic backup. */
  readonly nightlyAtMinute: number | null;
}

const whole = (most: number) => {
  const rule = `must be a whole number from 1 to ${most}, without quotes`;
  return z.int(rule).min(1, rule).max(most, rule);
};
const path = z.string('must be the path of a folder, in quotes').min(1, 'is empty: leave it out');
const clock = /^([01]\d|2[0-3]):([0-5]\d)$/;

export const savesSection = z.strictObject(
  {
    folder: path.optional(),
    from: z.array(path).min(1, 'is empty: leave it out').optional(),
    keep: whole(mostSavesKept).optional(),
    days: whole(mostSavesDays).optional(),
    nightlyAt: z
      .string('must be a time such as "04:30"')
      .regex(clock, 'must be a time such as "04:30"')
      .optional(),
  },
  'must be a group: { "nightlyAt": "04:30", … }',
);

export const savesConfig = (
  section: z.output<typeof savesSection> | undefined,
  configFolder: string,
  stateFolder: string,
): SavesConfig => {
  const { folder, from, keep = 7, days = 30, nightlyAt } = section ?? {};
  const [, hours, minutes] = clock.exec(nightlyAt ?? '') ?? [];
  return {
    folder: folder === undefined ? join(stateFolder, 'saves') : resolve(configFolder, folder),
    from: from?.map((place) => resolve(configFolder, place)) ?? null,
    keep,
    days,
    nightlyAtMinute: hours === undefined ? null : Number(hours) * 60 + Number(minutes),
  };
};
