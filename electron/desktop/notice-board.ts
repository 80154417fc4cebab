import { statfs } from 'node:fs/promises';
import { Notification } from 'electron';
import type { LicenseStatus } from '#contracts/license-state.ts';
import type { StackStatus } from '#contracts/stack.ts';
import type { Log } from '#runtime/log.ts';
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

export interface NoticeBoardOptions {
  readonly home: string;
  readonly record: DesktopRecordStore;
  readonly words: NoticeWords;
  readonly log: Log;
  readonly status: () => StackStatus;
  readonly license: () => LicenseStatus;
  /** Where the window is while somebody looks at it, such as `/servers`; null while nobody does. */
  readonly watched: () => string | null;
  /** Brings the window to the front, at this page. */
  readonly open: (place: string) => void;
}

/** Tells people what needs them by the system's own notifications, and takes back what is over. */
export interface NoticeBoard extends Disposable {
  /** Something may be otherwise than before. */
  look(): void;
  /** This update was downloaded, and waits to be installed. */
  noteUpdate(version: string): void;
  /** Told at once; a newer one of the same game takes its place. */
  tellOfGame(notice: GameNotice): void;
}

/** A disk fills, days pass, and a trouble lasts, without anybody saying so. */
const lookMs = 120_000;
/** At a time. */
const mostOfGames = 10;

export const openNoticeBoard = (options: NoticeBoardOptions): NoticeBoard => {
  const { home, record, words, log, status, license, watched, open } = options;
  /**
   * The newest of each topic, for as long as it holds: what nobody refers to loses its clicks. Not only until it is said to
   * be closed: Windows says so, too, when it puts one away into its notification center, where it can still be clicked.
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
      log.warn({ kind: notice.kind, why }, 'a notification could not be shown'),
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
    // What is left of the stack while it ends is nobody's trouble.
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
      .catch((error: Error) => log.warn({ err: error }, 'what people were told could not be kept'));
  };

  const measure = async () => {
    freeBytes = await statfs(home).then(
      ({ bavail, bsize }) => bavail * bsize,
      // A drive that is away has no room, but that is another trouble.
      () => null,
    );
    look();
  };
  const timer = setInterval(() => void measure(), lookMs);
  void measure();

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
      clearInterval(timer);
      for (const notification of [...shown.values(), ...shownOfGames.values()]) notification.close();
    },
  };
};
