import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { type CommandResult, withoutReply } from '#contracts/servers/games.ts';
import type { CounterCommandState } from '#contracts/store/deliveries.ts';
import { gameOf } from '#games/games.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { waitAtMost } from '#runtime/within.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import { isWipedAway } from '../wiped-away.ts';
import { keepEvidence, readValues, renderCounter, saysFailure } from './counter-command-text.ts';
import { decideCounterCommand } from './decide-counter-command.ts';
import { inMs, lockDelivery } from './delivery-rows.ts';
import { currentEpoch } from './epochs.ts';

type Trx = Transaction<Tables>;
interface Key {
  readonly delivery_id: string;
  readonly number: number;
}

const mostAtOnce = 50;
/** Ten tries take about a day. */
const retry = { firstMs: 60_000, mostMs: 6 * 3_600_000, jitter: 0.2 } as const;
/** For a server that is there and took nothing. */
const restMs = 15_000;
/** During this time, a process of the previous release, which leases nothing, may still store how its command ended. */
const marginMs = 5000;
const stopDeadlineMs = 2000;
/** For some days after a restore, external shops repeat what was refused or not answered. */
const refundsComeAgainDays = 7;

/** Random: after a restore of the database a number would be repeated, and an agent does not run an id that it knows. */
const newCommandId = (deliveryId: string): string =>
  `counter.${deliveryId}.${randomBytes(8).toString('hex')}`;
const commandIdShape = /^counter\.[0-9a-f-]{36}\.[0-9a-f]{16}$/;

/**
 * Takes back what refunded orders gave by commands, on the servers that gave it. The refund itself writes what is to be
 * taken back, so that it happens whatever dies after it; a server that is away is waited for. A command that may have
 * arrived is not sent again.
 */
export type CounterCommands = ReturnType<typeof createCounterCommands>;

export const createCounterCommands = ({
  db,
  ways,
  mayRun,
  stopping,
  answerMs,
  onClaim,
  onChange,
  tell,
}: Pick<StoreContext, 'db' | 'ways'> & {
  /** False while nothing may be sent: without a license, during a pause, or after a restore that is not detected yet. */
  readonly mayRun: () => boolean;
  readonly stopping: AbortSignal;
  /** Time allowed for the game's reply. */
  readonly answerMs: number;
  /** Something was sent: an older copy of the database does not know it. */
  readonly onClaim: () => void;
  /** What waits has changed. */
  readonly onChange: () => void;
  readonly tell: (error: unknown) => void;
}) => {
  const { leases } = ways;
  /** A game that replies late delays no other one. */
  const lanes = new Map<string, Promise<void>>();
  const recovering = new Map<string, Promise<void>>();

  const rowOf = (trx: Kysely<Tables>, { delivery_id, number }: Key) =>
    trx.updateTable('counter_commands').where('delivery_id', '=', delivery_id).where('number', '=', number);

  const claim = (key: Key, serverId: string) =>
    retryDeadlocks(db, async (trx) => {
      const delivery = await lockDelivery(trx, key.delivery_id);
      const row = await lockRow(trx, key);
      if (!delivery || row?.state !== 'waiting') return 'settled';
      // Charged again, or sent again: it is the player's. A wipe has taken it in between: nothing is left to take.
      if (
        delivery.refunded_at === null ||
        delivery.state !== 'delivered' ||
        delivery.attempts !== key.number ||
        (await isGone(trx, key.delivery_id))
      ) {
        await trx
          .deleteFrom('counter_commands')
          .where('delivery_id', '=', key.delivery_id)
          .where('number', '=', key.number)
          .execute();
        return 'settled';
      }
      const end = async (state: CounterCommandState, detail: string) => {
        await rowOf(trx, key).set({ state, detail }).execute();
        return 'settled' as const;
      };
      if (row.epoch < (await currentEpoch(trx))) return end('unknown', reasons.restored);
      const values = await readValues(trx, delivery);
      const rendered = renderCounter(delivery, values);
      if ('refused' in rendered) return end('impossible', rendered.refused);
      const way = ways.open(serverId)?.way;
      if (way === undefined) return 'away';
      const { command } = rendered;
      const id = newCommandId(key.delivery_id);
      // Before it leaves: a process that dies here may have sent it.
      await rowOf(trx, key)
        .set({ state: 'sent', command_id: id, way, sent_at: sql<Date>`now()`, detail: null })
        .execute();
      const shown = gameOf(delivery.game).maskCommand(command);
      await sql`
        select castellan_begin_command(${key.delivery_id}, ${id}, ${serverId}, ${way}, ${shown})`.execute(
        trx,
      );
      const [sending] = await ways.prepare(trx, [{ id, serverId, way, command, timeoutMs: answerMs }]);
      if (!sending) throw new Error('a prepared command is missing');
      return { id, command, sending };
    });

  const settle = (commandId: string, result: CommandResult | null) =>
    retryDeadlocks(db, async (trx) => {
      const named = await trx
        .selectFrom('counter_commands')
        .select('delivery_id')
        .where('command_id', '=', commandId)
        .executeTakeFirst();
      const delivery = named && (await lockDelivery(trx, named.delivery_id));
      if (!delivery) return;
      const row = await trx
        .selectFrom('counter_commands')
        .selectAll()
        .where('command_id', '=', commandId)
        .forUpdate()
        .executeTakeFirst();
      // A late result decides what no one could tell before.
      if (row?.state !== 'sent' && !(row?.state === 'unknown' && result?.outcome === 'answered')) return;
      const values = await readValues(trx, delivery);
      const tries = row.tries + 1;
      const isFailure = saysFailure(delivery, values, result);
      const { state, detail } = decideCounterCommand({ result, isFailure, tries });
      const waitMs = isFailure ? backOffDelay(retry, tries, Math.random()) : restMs;
      await rowOf(trx, row)
        .set({
          state,
          tries: isFailure ? tries : row.tries,
          next_try_at: inMs(waitMs),
          detail: detail && reasons[detail],
        })
        .execute();
      const kept = await keepEvidence(trx, row, delivery, values, result);
      await sql`
        select castellan_end_command(${commandId}, ${result?.outcome ?? 'unknown'}, ${kept})`.execute(trx);
    });

  /** @returns false: the link is shut, or the game does not reply; the next sweep continues there */
  const carryOut = async (key: Key, serverId: string): Promise<boolean> => {
    const claimed = await claim(key, serverId);
    if (claimed === 'settled') {
      onChange();
      return true;
    }
    if (claimed === 'away') return false;
    onClaim();
    try {
      const result = await claimed.sending.run().catch(() => lostInside);
      // Cut off by our own shutdown: the next process recovers it.
      const isAnswered = result.outcome === 'answered';
      if (stopping.aborted && !isAnswered && result.sent) return false;
      // Another process has taken it over: only an answer is still worth anything.
      if (isAnswered || (await leases.holds(claimed.id))) await settle(claimed.id, result);
      return isAnswered;
    } finally {
      leases.release([claimed.id]);
      onChange();
    }
  };

  /** Until nothing is due there. */
  const sendOn = async (serverId: string): Promise<void> => {
    if (ways.open(serverId) === null) return giveUpArchived(db, serverId);
    for (;;) {
      const due = await db
        .selectFrom('counter_commands')
        .select(['delivery_id', 'number'])
        .where('state', '=', 'waiting')
        .where('server_id', '=', serverId)
        .where('next_try_at', '<=', sql<Date>`now()`)
        .orderBy('next_try_at')
        .orderBy('delivery_id')
        .limit(mostAtOnce)
        .execute();
      if (due.length === 0) return;
      for (const key of due) if (stopping.aborted || !mayRun() || !(await carryOut(key, serverId))) return;
    }
  };

  /** After what is under way there. */
  const begin = (serverId: string): Promise<void> => {
    const lane = (lanes.get(serverId) ?? Promise.resolve())
      .then(() => sendOn(serverId))
      .catch((error: unknown) => {
        if (!stopping.aborted) tell(error);
      })
      .finally(() => {
        if (lanes.get(serverId) === lane) lanes.delete(serverId);
      });
    lanes.set(serverId, lane);
    return lane;
  };

  const recover = async (): Promise<void> => {
    const { rows } = await sql<{ id: string; serverId: string; way: 'agent' | 'direct' }>`
      select command_id as id, server_id as "serverId", way from counter_commands
       where state = 'sent' and (sent_at > now() or sent_at <= now() - ${answerMs + marginMs}::float8 * interval '1 millisecond')
      `.execute(db);
    const taken = await leases.takeOver(rows.map(({ id }) => id));
    for (const { id, serverId, way } of rows) {
      if (!taken.has(id)) continue;
      const asked = ways
        .resultOf(serverId, way, id)
        .then((result) => settle(id, result))
        .catch((error: unknown) => {
          if (!stopping.aborted) tell(error);
        })
        .finally(() => {
          leases.release([id]);
          recovering.delete(id);
        });
      recovering.set(id, asked);
    }
  };

  const idle = async (): Promise<void> => {
    while (lanes.size + recovering.size > 0) await Promise.all([...lanes.values(), ...recovering.values()]);
  };

  return {
    /** Resolves once what waits for the servers of this order was tried, or their game does not reply. */
    async sendFor(orderId: string): Promise<void> {
      if (!mayRun()) return;
      const { rows } = await sql<{ serverId: string }>`
        select distinct counter.server_id as "serverId"
          from counter_commands as counter join deliveries on deliveries.id = counter.delivery_id
         where deliveries.order_id = ${orderId} and counter.state = 'waiting'`.execute(db);
      await Promise.all(rows.map(({ serverId }) => begin(serverId)));
    },
    /** Starts with what is due, and with what an earlier process has sent, and does not wait for its end. */
    async sweep(): Promise<void> {
      if (!mayRun()) return;
      await recover();
      const { rows } = await sql<{ serverId: string }>`
        select distinct server_id as "serverId" from counter_commands
         where state = 'waiting' and next_try_at <= now()`.execute(db);
      for (const { serverId } of rows) if (!lanes.has(serverId)) void begin(serverId);
    },
    idle,
    /** @returns whether the command is one of these */
    async takeLate(serverId: string, commandId: string, result: CommandResult): Promise<boolean> {
      if (!commandIdShape.test(commandId)) return false;
      const row = await db
        .selectFrom('counter_commands')
        .select('server_id')
        .where('command_id', '=', commandId)
        .executeTakeFirst();
      if (row?.server_id === serverId) await settle(commandId, result);
      return true;
    },
    async [Symbol.asyncDispose]() {
      // The next process recovers what is still in flight.
      await waitAtMost(stopDeadlineMs, idle());
    },
  };
};

/** Plans, in the transaction that refunded these deliveries, what is to be taken back. */
export const planCounterCommands = async (trx: Trx, deliveryIds: readonly string[]): Promise<void> => {
  await sql`
    insert into counter_commands (delivery_id, number, server_id, epoch, state, detail)
    select attempt.delivery_id, attempt.number, attempt.server_id, store.epoch,
           case when forgotten.may_be then 'unknown' else 'waiting' end,
           case when forgotten.may_be then ${reasons.restored} end
      from deliveries join delivery_attempts as attempt
        on attempt.delivery_id = deliveries.id and attempt.number = deliveries.attempts
      cross join store_state as store
      -- The refund may be one that comes again: what it took back before the restore is not taken twice.
      cross join lateral (
        select coalesce(deliveries.epoch < store.epoch and deliveries.ended_at < store.epoch_since
          and store.epoch_since > now() - ${refundsComeAgainDays}::integer * interval '1 day', false) as may_be) as forgotten
     where deliveries.id = any (${deliveryIds}::uuid[]) and deliveries.refunded_at is not null
       -- Only what arrived is taken back: otherwise the player could lose something they already had.
       and deliveries.state = 'delivered'
       -- What lasts is taken back when nothing else holds it.
       and deliveries.line ? 'counterCommand' and not deliveries.line ? 'lasts'
       and not attempt.evidence ? 'counterCommand'
       -- In the new world it would take what the season has given.
       and not ${isWipedAway}
    on conflict do nothing`.execute(trx);
};

/** Whether something of these lines is still to be taken back; null: of the whole order. */
export const waitsForCounterCommands = async (
  db: Kysely<Tables>,
  orderId: string,
  lineIds: readonly string[] | null,
): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from counter_commands as counter join deliveries on deliveries.id = counter.delivery_id
     where deliveries.order_id = ${orderId} and counter.state in ('waiting', 'sent')
       and (${lineIds === null} or deliveries.order_line_id = any (${lineIds ?? []}::bigint[]))
     limit 1`.execute(db);
  return rows.length > 0;
};

const lostInside = withoutReply('unknown', true);

const lockRow = (trx: Trx, { delivery_id, number }: Key) =>
  trx
    .selectFrom('counter_commands')
    .selectAll()
    .where('delivery_id', '=', delivery_id)
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst();

const isGone = async (trx: Trx, deliveryId: string): Promise<boolean> => {
  const found = trx.selectFrom('deliveries').select('id').where('id', '=', deliveryId).where(isWipedAway);
  return (await found.executeTakeFirst()) !== undefined;
};

/** It may never come back; what it gave is left there. */
const giveUpArchived = async (db: Kysely<Tables>, serverId: string): Promise<void> => {
  await sql`
    update counter_commands set state = 'impossible', detail = ${reasons['taking-archived']}
     where server_id = ${serverId} and state = 'waiting'
       and exists (select from game_servers where id = ${serverId} and archived_at is not null)`.execute(db);
};
