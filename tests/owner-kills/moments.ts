import { setTimeout as delay } from 'node:timers/promises';
import type { HeldDatabase } from '#harness/held-database.ts';

/**
 * When the API is killed during a request.
 * - `unsaved`: before the row that records it is stored
 * - `uncommitted`: everything is stored, and nothing is committed
 * - `committed`: it is committed, and no one knows it
 * - `answered`: as soon as its answer has arrived
 * - `random`: at a random time after it was sent
 */
export const moments = ['unsaved', 'uncommitted', 'committed', 'answered', 'random'] as const;
export type Moment = (typeof moments)[number];

/** An answer takes about as long. */
const longestMs = 60;

export interface KillAt {
  readonly moment: Moment;
  /** A statement of the transaction in question. */
  readonly write: RegExp;
  readonly random: () => number;
  readonly kill: () => void;
}

/** From now on, kills at the moment. The caller kills at `answered`, and where the moment does not come. */
export const armKill = (database: HeldDatabase, { moment, write, random, kill }: KillAt): void => {
  const begun = new Set<object>();
  /** The connection whose next commit is the moment. */
  let awaited: object | null = null;
  if (moment === 'random') void delay(random() * longestMs).then(kill);
  database.open();
  if (moment === 'answered' || moment === 'random') return;
  database.watch((text, connection) => {
    if (text.includes('begin')) begun.add(connection);
    if (connection === awaited && text.includes('commit'))
      return moment === 'committed' ? 'hold-answer' : 'hold';
    if (/\b(?:commit|rollback)\b/.test(text)) begun.delete(connection);
    if (awaited || !write.test(text)) return 'pass';
    if (moment === 'unsaved') return 'hold';
    // A statement without a transaction commits itself.
    if (!begun.has(connection)) return moment === 'committed' ? 'hold-answer' : 'hold';
    awaited = connection;
    return 'pass';
  }, kill);
};
