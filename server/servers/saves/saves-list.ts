import * as z from 'zod';
import { storableText } from '#contracts/kernel/storable-text.ts';
import { savesSchedule } from '#contracts/servers/agent-tasks.ts';
import { isAhead } from '#runtime/is-ahead.ts';
import { printable } from '#runtime/printable.ts';
import type { SavesList } from '../../kernel/database/stored-values.ts';

const mostBackups = 200;
const mostNotes = 20;
const longestNote = 500;
const longestDetail = 2000;

/** An agent's text in a form that can be stored and shown. */
const text = (longest: number) =>
  z
    .string()
    .transform((given) => storableText(printable(storableText(given.slice(0, longest), longest)), longest));

/** One part of a path, without anything that a panel would display in another order. */
const name = z.string().regex(/^\w[\w.-]{0,99}$/);
const size = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER).transform(Math.floor);

/** Older agents report how many notes there are, not their text. */
const notes = z.union([
  z.array(text(longestNote)).transform((all) => all.slice(0, mostNotes)),
  z
    .int()
    .nonnegative()
    .transform((count) =>
      count === 0
        ? []
        : [
            `There is more to know about this backup (${count}). Read it on the game's machine: castellan-agent saves list`,
          ],
    ),
]);

const backup = z
  .object({
    ...{ name, at: z.iso.datetime(), bytes: size, storedBytes: size, files: size, notes },
    isDatedAhead: z.literal(true).optional().catch(undefined),
  })
  .transform(({ at, isDatedAhead, ...rest }) => ({
    ...{ ...rest, takenAt: at },
    ...(isDatedAhead && { isDatedAhead }),
  }));

const nightly = z.object({
  atMinute: z
    .int()
    .min(0)
    .max(24 * 60 - 1),
  last: z
    .object({ at: z.iso.datetime(), isTaken: z.boolean(), detail: text(longestDetail).nullable() })
    .nullable(),
});

const kept = z.object({ keep: z.int().positive(), days: z.int().positive() });
const schedule = kept.extend({ least: kept, panel: savesSchedule.nullable() });

const list = z.object({
  backups: z.array(z.unknown()),
  unconfirmed: name.nullable().catch(null),
  nightly: nightly.nullable().catch(null),
  /** Older agents do not say. */
  schedule: schedule.nullable().catch(null),
  freeBytes: size.nullable().catch(null),
});

/** Parses an agent's answer to `list-saves`. Null: it is not a list; malformed backups in one are dropped. */
export const readSavesList = (value: unknown): SavesList | null => {
  const read = list.safeParse(value).data;
  if (!read) return null;
  const backups = new Map<string, SavesList['backups'][number]>();
  for (const given of read.backups.slice(0, mostBackups)) {
    const { data } = backup.safeParse(given);
    if (data && !backups.has(data.name)) backups.set(data.name, data);
  }
  return {
    ...read,
    backups: [...backups.values()].sort((one, other) => Date.parse(other.takenAt) - Date.parse(one.takenAt)),
  };
};

/** What the agent did not see yet: the clock of its machine may be the one that is ahead. */
export const markDatedAhead = (list: SavesList, nowMs: number): SavesList => ({
  ...list,
  backups: list.backups.map((one) =>
    isAhead(Date.parse(one.takenAt), nowMs) ? { ...one, isDatedAhead: true } : one,
  ),
});

/** Reads the name from the value of a finished `backup-saves`. */
export const readBackupName = (value: unknown): string | null =>
  z.object({ backup: z.object({ name }) }).safeParse(value).data?.backup.name ?? null;
