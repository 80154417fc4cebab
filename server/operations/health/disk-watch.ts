import type { ComponentHealth, SpaceLevel } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { followAnswers } from '#runtime/answering-folder.ts';
import { type DiskSpace, diskSpaceOf, inMegabytes, spaceLevel } from '#runtime/disk-space.ts';
import { canLockFolder } from '#runtime/folder-lock.ts';
import { foreignAccess } from '#runtime/foreign-access.ts';
import type { Log } from '#runtime/log.ts';
import { backupsFolder } from '#runtime/postgres/backup.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { shareReading } from '#runtime/shared-reading.ts';
import type { EventRecorder } from '../../kernel/events/event-recorder.ts';

export interface DiskWatch extends Disposable {
  health(): Promise<ComponentHealth>;
  /** Names the disk that is full; null when none is. */
  full(): Promise<string | null>;
}

const lookMs = 15_000;
/** How often it is looked at who may change the data folder; more often while a person may be changing that. */
const foreignLookMs = 3_600_000;
const againMs = 60_000;

interface Reading {
  readonly path: string;
  readonly space: DiskSpace;
  readonly level: SpaceLevel;
}

/** Watches the disks of the data folder and of its backups, usually the same one; each step up or down is an event. */
export const watchDisk = (home: string, events: EventRecorder, log: Log): DiskWatch => {
  const levels: readonly SpaceLevel[] = ['enough', 'low', 'short', 'full'];
  let told: SpaceLevel = 'enough';
  // A data folder does not move to another file system while the API runs.
  const isLockable = canLockFolder(home);
  isLockable.catch(() => undefined);
  const backupsAnswer = followAnswers(backupsFolder(home));
  const readOne = async (path: string): Promise<Reading> => {
    const space = await diskSpaceOf(path);
    return { path, space, level: spaceLevel(space) };
  };
  // That it is gone is said by the health of the backups. Each question to it starts a program.
  const ofBackups = shareReading(async () =>
    (await backupsAnswer()) ? await readOne(backupsFolder(home)) : null,
  );
  const read = async (): Promise<Reading> => {
    const [ofHome, beside] = await Promise.all([readOne(home), ofBackups.now()]);
    return beside && levels.indexOf(beside.level) > levels.indexOf(ofHome.level) ? beside : ofHome;
  };

  let openWords: string | null = null;
  let toldForeign = '';
  let nextForeignLook = 0;
  /** On Windows it starts a program, so it is rare until something is found. */
  const lookForForeign = async () => {
    if (performance.now() < nextForeignLook) return;
    nextForeignLook = Number.POSITIVE_INFINITY;
    const found = await foreignAccess(home);
    nextForeignLook = performance.now() + (found.length > 0 ? againMs : foreignLookMs);
    openWords = found.find(({ isOpen }) => isOpen)?.words ?? null;
    const words = found.map((one) => one.words).join(' ');
    if (words !== toldForeign && words !== '') log.warn(words);
    toldForeign = words;
  };
  const look = async () => {
    void lookForForeign();
    const { level, path, space } = await read();
    if (level === told) return;
    log[level === 'enough' ? 'info' : 'warn'](
      { path, level, freeBytes: space.freeBytes },
      'space on the disk',
    );
    events.record('disk.state-changed', { from: told, to: level, freeBytes: space.freeBytes });
    told = level;
  };
  void lookForForeign();
  const looking = runPeriodically({
    intervalMs: lookMs,
    work: look,
    failure: 'could not check the disk',
    log,
  });

  const wordsOf = ({ path, space, level }: Reading): string | null =>
    level === 'enough'
      ? null
      : `${healthReasons['disk-left'](path, inMegabytes(space.freeBytes))} ${healthReasons[`disk-${level}`]}`;

  return {
    async health() {
      const reading = await read();
      if (reading.level === 'enough' && !(await isLockable))
        return { status: 'degraded', detail: healthReasons['disk-unlockable'](home) };
      if (reading.level === 'enough' && openWords !== null) return { status: 'degraded', detail: openWords };
      const status = { enough: 'ok', low: 'degraded', short: 'degraded', full: 'down' } as const;
      return { status: status[reading.level], detail: wordsOf(reading) };
    },
    async full() {
      const reading = await read();
      return reading.level === 'full' ? wordsOf(reading) : null;
    },
    [Symbol.dispose]: () => looking[Symbol.dispose](),
  };
};
