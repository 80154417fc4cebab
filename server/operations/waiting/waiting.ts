import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type Waiting,
  type WaitingKind,
  waitingKindNames,
  waitingKinds,
} from '#contracts/operations/waiting.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import { coalesceReads } from '../../kernel/database/coalesce-reads.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { encodeMessage, type LiveTopic, type Subscriber } from '../../kernel/live/live-topic.ts';

/** Things of one kind, of one server if they belong to one. */
interface WaitingFact {
  readonly kind: WaitingKind;
  readonly serverId: string | null;
  readonly count: number;
  /** Of the oldest; null: not known. */
  readonly since: Date | null;
}

/** Everything that waits for a person: the one source for the panel, the desktop's tray and Discord. */
export interface WaitingList extends Disposable {
  /** As far as the actor may see it. @throws {Problem} DATABASE_UNAVAILABLE */
  read(actor: Actor): Promise<Waiting>;
  readonly topic: LiveTopic;
  /** Called once the schema is in place. */
  begin(): void;
}

const defaultEveryMs = 3000;

/** What waits in each domain. */
export interface WaitingSources {
  /** Selects with the columns kind, server, count and since, which one query reads together. */
  readonly selects: (now: Date) => readonly RawBuilder<unknown>[];
  /** What no select can tell. */
  readonly readings: readonly ((db: Kysely<Tables>) => Promise<readonly WaitingFact[]>)[];
}

export const createWaitingList = (
  options: WaitingSources & {
    readonly db: Kysely<Tables>;
    readonly obstacle: () => string | null;
    /** How often it is looked at for the live stream and for events. */
    readonly everyMs?: number | undefined;
    readonly log: Log;
  },
): WaitingList => {
  const { db, selects, readings, obstacle, log } = options;

  /** One after another, as a connection answers. */
  const readFacts = async (on: Kysely<Tables>): Promise<readonly WaitingFact[]> => {
    const all = sql.join([...selects(new Date())], sql` union all `);
    const { rows } = await sql<WaitingFact>`
      select kind, server as "serverId", count::int, since
        from (${all}) as waiting (kind, server, count, since) where count > 0`.execute(on);
    const facts = [...rows];
    for (const read of readings) facts.push(...(await read(on)));
    return facts.filter(({ count }) => count > 0);
  };
  const shared = coalesceReads(() => readFacts(db), obstacle);

  /** Kinds that this process last saw waiting; another process may see more, such as a backup of its own that failed. */
  let told: string | null = null;
  const kindsOf = (facts: readonly WaitingFact[]) =>
    waitingKindNames.filter((name) => facts.some(({ kind }) => kind === name));
  /** Records once, whichever process sees it first, that a kind begins or ceases to wait. */
  const tell = async (facts: readonly WaitingFact[]) => {
    if (kindsOf(facts).join() === told) return;
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('castellan-waiting', 0))`.execute(trx);
      // What another process has told meanwhile may be newer than what was read before.
      const now = await readFacts(trx);
      const kinds = kindsOf(now);
      const begun = await trx
        .insertInto('waiting_kinds')
        .columns(['kind'])
        .expression(sql`select unnest(${kinds}::text[])`)
        .onConflict((conflict) => conflict.doNothing())
        .returning('kind')
        .execute();
      const ended = await trx
        .deleteFrom('waiting_kinds')
        .where(sql<boolean>`kind <> all (${kinds}::text[])`)
        .returning('kind')
        .execute();
      for (const { kind } of begun)
        await recordEvent(trx, 'waiting.began', { waiting: kind, count: countOf(now, kind) });
      for (const { kind } of ended)
        if (kind in waitingKinds) await recordEvent(trx, 'waiting.ended', { waiting: kind });
      told = kinds.join();
    });
  };

  /** What was last announced to each subscriber. */
  const subscribers = new Map<Subscriber, string>();
  const message = encodeMessage({ type: 'waiting' });
  const announce = (facts: readonly WaitingFact[]) => {
    const digest = JSON.stringify(facts);
    for (const [subscriber, last] of subscribers) {
      if (last === digest || !subscriber.isReady()) continue;
      subscriber.send(message);
      subscribers.set(subscriber, digest);
    }
  };

  let timer: Disposable | undefined;
  let underWay = false;
  const look = async () => {
    if (underWay || obstacle() !== null) return;
    underWay = true;
    try {
      const facts = await shared();
      announce(facts);
      await tell(facts);
    } finally {
      underWay = false;
    }
  };

  return {
    async read(actor) {
      const facts = await shared();
      const seen = facts.filter(({ kind, serverId }) =>
        may(actor, waitingKinds[kind].permission, serverId ?? undefined),
      );
      return {
        rows: kindsOf(seen).map((kind) => describe(seen, kind)),
        isWhole: waitingKindNames.every((kind) => may(actor, waitingKinds[kind].permission)),
      };
    },
    topic: {
      subscribe(subscriber) {
        subscriber.send(
          encodeMessage({ type: 'subscribed', topic: 'waiting', cursor: null, resumed: false }),
        );
        subscriber.send(message);
        subscribers.set(subscriber, '');
        return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
      },
      [Symbol.dispose]: () => subscribers.clear(),
    },
    begin() {
      timer ??= runPeriodically({
        intervalMs: options.everyMs ?? defaultEveryMs,
        work: look,
        failure: 'could not look at what waits for a person; will retry',
        log,
      });
    },
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  };
};

const countOf = (facts: readonly WaitingFact[], name: WaitingKind): number =>
  facts.reduce((sum, { kind, count }) => (kind === name ? sum + count : sum), 0);

const describe = (facts: readonly WaitingFact[], kind: WaitingKind): Waiting['rows'][number] => {
  const { to, serverTab, tone } = waitingKinds[kind];
  const its = facts.filter((fact) => fact.kind === kind);
  const times = its.flatMap(({ since }) => (since === null ? [] : [since.getTime()]));
  const [only, other] = its;
  const isOfOne = serverTab !== null && only?.serverId && !other;
  return {
    kind,
    count: countOf(its, kind),
    since: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
    tone,
    to: isOfOne ? `/servers/${encodeURIComponent(only.serverId)}/${serverTab}` : to,
  };
};
