import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { aheadToleranceMs } from '#runtime/is-ahead.ts';
import type { Log } from '#runtime/log.ts';
import { readJsonFile } from '#runtime/read-json.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { inWords } from './saves-error.ts';

/** Servers of one machine begin at different times. */
const spreadMinutes = 15;
/** An agent that was off at that time still does it this much later. */
const lateMinutes = 180;
const dayMs = 24 * 60 * 60 * 1000;

const lastNight = z.object({
  at: z.iso.datetime(),
  isTaken: z.boolean(),
  detail: z.string().nullable(),
});
/** How the last nightly backup ended. */
type LastNight = z.infer<typeof lastNight>;

const longestDetail = 2000;
const lastNightPath = (stateFolder: string) => join(stateFolder, 'saves-night-last.json');
const writeLastNight = (stateFolder: string, content: LastNight) =>
  writeFileAtomically(lastNightPath(stateFolder), JSON.stringify(content), 0o600);

/** Null: none was due yet, or its record is damaged. */
export const readLastNight = (stateFolder: string): Promise<LastNight | null> =>
  readJsonFile(lastNight, lastNightPath(stateFolder));

/** Null: not now. Else the night that is due, as a date; each is done once, however the clock is set. */
export const nightDue = (now: Date, startMinute: number, last: string | null): string | null => {
  const minute = now.getHours() * 60 + now.getMinutes();
  // Near midnight the start may belong to the day before.
  const lateBy = (minute - startMinute + 1440) % 1440;
  if (lateBy > lateMinutes) return null;
  const night = dateOf(new Date(now.getTime() - lateBy * 60_000));
  // A date far ahead was written by a wrong clock.
  const isWrong = last !== null && Date.parse(last) > Date.parse(night) + dayMs;
  return last === null || last < night || isWrong ? night : null;
};

const nightPath = (stateFolder: string) => join(stateFolder, 'saves-night.json');
const readNight = (stateFolder: string): Promise<string | null> =>
  readFile(nightPath(stateFolder), 'utf8').then(
    (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : null),
    () => null,
  );
/** The night that was done last. One that lies ahead was noted by a clock that was ahead: it must not stand for one to come. */
const pastNight = async (stateFolder: string, now: Date): Promise<string | null> => {
  const last = await readNight(stateFolder);
  if (last === null || last <= dateOf(new Date(now.getTime() + aheadToleranceMs))) return last;
  const today = dateOf(now);
  await writeFileAtomically(nightPath(stateFolder), today, 0o600);
  return today;
};
const startMinuteOf = (serverId: string, atMinute: number): number => {
  const spread = createHash('sha256').update(serverId).digest().readUInt32BE() % spreadMinutes;
  return (atMinute + spread) % 1440;
};

/** A new time that lies ahead today is due today, also after a backup at the time before; otherwise up to two days would pass. */
export const reopenNight = async (
  { stateFolder, serverId }: { readonly stateFolder: string; readonly serverId: string },
  atMinute: number,
  now: Date,
): Promise<void> => {
  const isAhead = now.getHours() * 60 + now.getMinutes() < startMinuteOf(serverId, atMinute);
  if (!isAhead || (await readNight(stateFolder)) !== dateOf(now)) return;
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  await writeFileAtomically(nightPath(stateFolder), dateOf(before), 0o600);
};

/** Makes a backup once a night, even while the API is away. */
export const startNightly = (options: {
  readonly stateFolder: string;
  readonly serverId: string;
  /** Minutes after midnight, by this machine's clock; null: no automatic backup. */
  readonly atMinute: () => Promise<number | null>;
  readonly backUp: () => Promise<void>;
  readonly log: Log;
  readonly now?: () => Date;
  readonly lookMs?: number;
}): AsyncDisposable => {
  const { stateFolder, serverId, atMinute, backUp, log, now = () => new Date(), lookMs = 30_000 } = options;

  const look = async () => {
    const minute = await atMinute();
    if (minute === null) return;
    const night = nightDue(now(), startMinuteOf(serverId, minute), await pastNight(stateFolder, now()));
    if (night === null) return;
    // First, so that a backup that ends the agent is not retried all night.
    await writeFileAtomically(nightPath(stateFolder), night, 0o600);
    const at = now().toISOString();
    const tell = (isTaken: boolean, detail: string | null) =>
      writeLastNight(stateFolder, { at, isTaken, detail });
    await tell(false, 'The agent ended during the backup, or it still goes on.');
    try {
      await backUp();
    } catch (error) {
      await tell(false, inWords(error).slice(0, longestDetail));
      throw error;
    }
    await tell(true, null);
  };
  const work = singleFlight(() =>
    look().catch((error: unknown) => log.error({ err: error }, 'nightly backup of the saves failed')),
  );
  const timer = setInterval(() => void work(), lookMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await work.underWay();
    },
  };
};

const dateOf = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
