import { statfs } from 'node:fs/promises';
import { Notification } from 'electron';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import type { StackStatus } from '#contracts/operations/stack.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import type { DesktopRecordStore } from './desktop-record.ts';
import type { GameNotice } from './game-crashes.ts';
import type { NoticeWords } from './notice-words.ts';
import {
  decideNotices,
  isSeenAt,
  keptSteps,
  type Notice,
  type NoticeTopic,
  placeOf,
  type ToldSteps,
} from './notices.ts';

/** Tells people what needs them through the system's notifications, and withdraws what is over. */
interface NoticeBoard extends Disposable {
  /** Something may have changed. */
  look(): void;
  /** This update was downloaded, and waits to be installed. */
  noteUpdate(version: string): void;
  /** Shown immediately; a newer notice about the same game replaces it. */
  tellOfGame(notice: GameNotice): void;
}

/** Nothing announces that a disk fills, days pass, or a trouble lasts. */
const lookMs = 120_000;
/** Shown at the same time. */
const mostOfGames = 10;

export const openNoticeBoard = (options: {
  readonly home: string;
  readonly record: DesktopRecordStore;
  readonly words: NoticeWords;
  readonly log: Log;
  readonly status: () => StackStatus;
  readonly license: () => LicenseStatus;
  /** The page of the window while the user looks at it, such as `/servers`; null while they do not. */
  readonly watched: () => string | null;
  /** Brings the window to the front, at this page. */
  readonly open: (place: string) => void;
}): NoticeBoard => {
  const { home, record, words, log, status, license, watched, open } = options;
  /**
   * The newest notification of each topic, while it holds: without a reference it would lose its clicks. It is kept even after
   * `close`, which Windows also reports when it moves one to its notification center, where it can still be clicked.
   */
  const shown = new Map<NoticeTopic, Notification>();
  /** By the page that a click opens. */
  const shownOfGames = new Map<string, Notification>();
  let told: ToldSteps = record.now().toldNotices;
  let freeBytes: number | null = null;
  let isBeforePanel = true;
  let updateReady: string | null = told.update ?? null;

  const show = (notice: Notice): Notification => {
    const { title, body } = words.textOf(notice);
    const notification = new Notification({ title, body });
    notification.on('failed', (_event, why) =>
      log.warn({ kind: notice.kind, why }, 'could not show a notification'),
    );
    notification.on('click', () => open(placeOf(notice)));
    notification.show();
    return notification;
  };

  const isWatched = (notice: Notice): boolean => {
    const place = watched();
    return place !== null && isSeenAt(notice, place, isBeforePanel);
  };

  const isWanted = (notice: Notice): boolean =>
    record.now().settings.notices && Notification.isSupported() && !isWatched(notice);

  let isDisposed = false;
  const look = () => {
    // While the stack ends, its state is no trouble to report.
    if (isDisposed) return;
    const before = told;
    const facts = { status: status(), license: license(), freeBytes, updateReady, nowMs: Date.now() };
    const verdict = decideNotices(facts, told);
    if (facts.status.components.some(({ name, state }) => name === 'api' && state === 'running'))
      isBeforePanel = false;
    ({ told } = verdict);
    for (const [topic, notification] of shown)
      if (told[topic] !== before[topic]) {
        shown.delete(topic);
        notification.close();
      }
    for (const { topic, notice } of verdict.news) if (isWanted(notice)) shown.set(topic, show(notice));
    keep(keptSteps(told));
  };

  const keep = (steps: ReturnType<typeof keptSteps>) => {
    if (JSON.stringify(steps) === JSON.stringify(record.now().toldNotices)) return;
    record
      .change({ toldNotices: steps })
      .catch((error: Error) => log.warn({ err: error }, 'could not store which notifications were shown'));
  };

  const measure = async () => {
    freeBytes = await statfs(home).then(
      ({ bavail, bsize }) => bavail * bsize,
      // A drive that is away has no room, but that is another trouble.
      () => null,
    );
    look();
  };
  const measuring = runPeriodically({
    intervalMs: lookMs,
    startsAtOnce: true,
    work: measure,
    failure: 'could not measure the space on the disk',
    log,
  });

  return {
    look,
    noteUpdate(version) {
      updateReady = version;
      look();
    },
    tellOfGame(notice) {
      if (isDisposed || !isWanted(notice)) return;
      const place = placeOf(notice);
      shownOfGames.get(place)?.close();
      shownOfGames.delete(place);
      for (const [oldest, notification] of shownOfGames) {
        if (shownOfGames.size < mostOfGames) break;
        shownOfGames.delete(oldest);
        notification.close();
      }
      shownOfGames.set(place, show(notice));
    },
    [Symbol.dispose]() {
      isDisposed = true;
      measuring[Symbol.dispose]();
      for (const notification of [...shown.values(), ...shownOfGames.values()]) notification.close();
    },
  };
};
