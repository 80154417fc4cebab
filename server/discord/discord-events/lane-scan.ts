import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { FeedPosition } from '../../kernel/events/event-feed.ts';

/** How many rows of the feed one statement reads: tens of milliseconds, however long the feed is. */
export const rowsPerStep = 20_000;

/** How much one reading covers for a batch: rare events come in smaller ones. */
const stepsPerReading = 5;

/** A piece of the feed, up to `end`. */
interface Step {
  readonly end: FeedPosition;
  readonly seen: number;
  /** Events that the lane's rules want, and that are not handed out. */
  readonly waiting: number;
}

/**
 * How far a lane has searched the feed, and what it has found waiting. Each row is read once; a lane that is far behind
 * takes a few steps at a time.
 */
export class LaneScan {
  /** Where the waiting events begin; before the first step's end, if there is one. */
  start: FeedPosition;
  #end: FeedPosition;
  #isComplete = false;
  #steps: Step[] = [];
  readonly #db: Kysely<Tables>;
  readonly #wanted: RawBuilder<unknown>;

  /** @param wanted whether the lane's rules want a row of `event` */
  constructor(db: Kysely<Tables>, from: FeedPosition, wanted: RawBuilder<unknown>) {
    this.#db = db;
    this.#wanted = wanted;
    this.start = from;
    this.#end = from;
  }

  get waiting(): number {
    return this.#steps.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Nothing before the horizon of the last step is left to read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Reads the next rows before the horizon. */
  async step(horizon: FeedPosition): Promise<void> {
    const { rows } = await sql<{ seen: number; waiting: number; written_in: string; id: string }>`
      with slice as materialized (
        select event.id, event.written_in, event.kind, event.severity, event.server_id
          from event_logs as event
         where ${isAfter(this.#end)} and event.written_in < ${String(horizon.writtenIn)}::xid8
         order by event.written_in, event.id limit ${rowsPerStep})
      select (select count(*)::int from slice) as seen,
             (select count(*)::int from slice as event where ${this.#wanted}) as waiting, last.written_in, last.id
        from (select event.written_in, event.id from slice as event
               order by event.written_in desc, event.id desc limit 1) as last`.execute(this.#db);
    const [{ seen, waiting, written_in, id } = { seen: 0, waiting: 0, written_in: '0', id: '0' }] = rows;
    this.#isComplete = seen < rowsPerStep;
    this.#end = this.#isComplete ? horizon : { writtenIn: BigInt(written_in), id: BigInt(id) };
    if (this.#steps.length === 0 && waiting === 0) {
      this.start = this.#end;
      return;
    }
    const last = this.#steps.at(-1);
    const isSmall = last !== undefined && last.seen + seen <= rowsPerStep;
    if (isSmall) this.#steps.pop();
    const added = { end: this.#end, seen, waiting };
    this.#steps.push(
      isSmall ? { end: this.#end, seen: last.seen + seen, waiting: last.waiting + waiting } : added,
    );
  }

  /** How far to read for the first `count` waiting events, unless that is too far. */
  near(count: number): FeedPosition {
    let waiting = 0;
    let end = this.start;
    for (const step of this.#steps.slice(0, stepsPerReading)) {
      waiting += step.waiting;
      end = step.end;
      if (waiting >= count) break;
    }
    return end;
  }

  /** The first `count` waiting events are handed out; they end at `position`. */
  take(count: number, position: FeedPosition): void {
    this.#drop(count);
    this.start = position;
    this.#trim();
  }

  /** Leaves out the first `count` waiting events. */
  async leaveOut(count: number): Promise<void> {
    const inStep = this.#drop(count);
    this.#trim();
    const [first] = this.#steps;
    if (inStep === 0 || !first) return;
    const { rows } = await sql<{ written_in: string; id: string }>`
      select event.written_in, event.id from event_logs as event
       where ${isAfter(this.start)} and ${isUpTo(first.end)} and ${this.#wanted}
       order by event.written_in, event.id offset ${inStep - 1} limit 1`.execute(this.#db);
    const [row] = rows;
    if (row) this.start = { writtenIn: BigInt(row.written_in), id: BigInt(row.id) };
  }

  /** @returns how many of them are in the step that is now the first */
  #drop(count: number): number {
    let left = count;
    for (let first = this.#steps[0]; first && left >= first.waiting; first = this.#steps[0]) {
      left -= first.waiting;
      this.start = first.end;
      this.#steps.shift();
    }
    const [first] = this.#steps;
    if (first && left > 0) this.#steps[0] = { ...first, waiting: first.waiting - left };
    return left;
  }

  #trim(): void {
    for (let first = this.#steps[0]; first?.waiting === 0; first = this.#steps[0]) {
      this.start = first.end;
      this.#steps.shift();
    }
  }
}

export const isAfter = ({ writtenIn, id }: FeedPosition): RawBuilder<unknown> =>
  sql`(event.written_in, event.id) > (${String(writtenIn)}::xid8, ${String(id)}::bigint)`;
export const isUpTo = ({ writtenIn, id }: FeedPosition): RawBuilder<unknown> =>
  sql`(event.written_in, event.id) <= (${String(writtenIn)}::xid8, ${String(id)}::bigint)`;
