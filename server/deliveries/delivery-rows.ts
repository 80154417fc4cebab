import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { DeliveryWait } from '#contracts/deliveries.ts';
import { type CommandOutcome, type CommandResult, type GameId, longestLogLine } from '#contracts/games.ts';
import { gameOf } from '#games/games.ts';
import type { GuardForm, TemplateValues } from '#games/store-forms.ts';
import type { DeliveryWay } from '../console-router/delivery-ways.ts';
import { storableText } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import type { DeliveriesTable, DeliveryAttemptsTable } from './deliveries.tables.ts';

export type DeliveryRow = Selectable<DeliveriesTable>;
export type AttemptRow = Selectable<DeliveryAttemptsTable>;

/** What else is known of an attempt; kept with it, so that a process after this one can read its reply. */
export interface Evidence {
  readonly values: TemplateValues;
  /** Of a game that keeps a record of gifts. */
  readonly guard?: { readonly id: string; readonly form: GuardForm };
  /** The world's clock, and ours (Unix time in milliseconds), shortly before the command left. */
  readonly clock?: ClockReading | undefined;
  readonly presentBefore: boolean | null;
  readonly presentAfter?: boolean | null;
  readonly mark?: string;
  /** Of the game's log: that the command was executed, which does not say that it arrived. */
  readonly logLines?: readonly string[];
  /** The result came when no one waited for it any more. */
  readonly isLate?: true;
}
export interface ClockReading {
  readonly ticks: number;
  readonly atMs: number;
}

export const evidenceOf = ({ evidence }: Pick<AttemptRow, 'evidence'>): Evidence =>
  evidence as unknown as Evidence;

/** What a result that lost its answer holds of the game's log. */
export const logEvidence = (
  game: GameId,
  command: string,
  result: Pick<CommandResult, 'logLine'> | null,
): Pick<Evidence, 'logLines'> => {
  if (result?.logLine === undefined) return {};
  return { logLines: [storableText(gameOf(game).maskReply(command, result.logLine), longestLogLine)] };
};

/** The command's id at the agent: of the delivery, and of the attempt. */
export const commandIdOf = (deliveryId: string, attempt: number): string => `${deliveryId}.${attempt}`;
const commandIdShape = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})$/;
/** Null: no command of a delivery. */
export const readCommandId = (
  id: string,
): { readonly deliveryId: string; readonly number: number } | null => {
  const [, deliveryId, number] = commandIdShape.exec(id) ?? [];
  return deliveryId === undefined ? null : { deliveryId, number: Number(number) };
};

/** The id of the mark that a gift leaves. */
export const markIdOf = ({ id, generation }: Pick<DeliveryRow, 'id' | 'generation'>): string =>
  `${id}-${generation}`;

/** Deliveries of one member that are read at once; the rest has its turn when these have ended. */
const mostOpen = 500;

/** Of a member and those merged into it, in the order in which they were bought. */
export const readOpen = (db: Kysely<Tables>, memberId: string): Promise<DeliveryRow[]> =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('state', 'in', ['pending', 'waiting', 'sending'])
    .where('member_id', 'in', (query) =>
      query
        .selectFrom('members')
        .select('id')
        .where((member) => member.or([member('id', '=', memberId), member('merged_into', '=', memberId)])),
    )
    .orderBy('number')
    .limit(mostOpen)
    .execute();

export const readAttempt = (
  db: Kysely<Tables>,
  deliveryId: string,
  number: number,
): Promise<AttemptRow | undefined> =>
  db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .where('number', '=', number)
    .executeTakeFirst();

/** Locks the order, then the delivery. */
export const lockDelivery = async (
  trx: Transaction<Tables>,
  id: string,
): Promise<DeliveryRow | undefined> => {
  await sql`select castellan_lock_delivery(${id})`.execute(trx);
  return trx.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst();
};

export interface Claim {
  readonly delivery: DeliveryRow;
  readonly serverId: string;
  readonly way: DeliveryWay;
  readonly playerId: string | null;
  /** Masked. */
  readonly command: string;
  readonly evidence: Evidence;
}

/** Takes a delivery that waits and writes its attempt. @returns null where it is not as it was read any more */
export const claimDelivery = async (
  trx: Transaction<Tables>,
  { delivery, serverId, way, playerId, command, evidence }: Claim,
): Promise<AttemptRow | null> => {
  const number = delivery.attempts + 1;
  const attempt = await trx
    .with('claimed', (db) =>
      db
        .updateTable('deliveries')
        .set({
          state: 'sending',
          waits_for: null,
          detail: null,
          server_id: serverId,
          player_id: playerId,
          way,
          attempts: number,
          started_at: sql<Date>`coalesce(started_at, now())`,
        })
        .where('id', '=', delivery.id)
        .where('state', 'in', ['pending', 'waiting'])
        .where('attempts', '=', delivery.attempts)
        .where('generation', '=', delivery.generation)
        .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', sql<Date>`now()`)]))
        .returning('id'),
    )
    .insertInto('delivery_attempts')
    .columns(['delivery_id', 'number', 'command_id', 'server_id', 'way', 'player_id', 'command', 'evidence'])
    .expression((query) =>
      query
        .selectFrom('claimed')
        .select([
          'claimed.id',
          sql<number>`${number}::integer`.as('number'),
          sql<string>`${commandIdOf(delivery.id, number)}::text`.as('command_id'),
          sql<string>`${serverId}::text`.as('server_id'),
          sql<DeliveryWay>`${way}::text`.as('way'),
          sql<string | null>`${playerId}::bigint`.as('player_id'),
          sql<string>`${command}::text`.as('command'),
          sql<string>`${JSON.stringify(evidence)}::jsonb`.as('evidence'),
        ]),
    )
    .returningAll()
    .executeTakeFirst();
  return attempt ?? null;
};

export interface AttemptEnd {
  readonly outcome: CommandOutcome | null;
  /** Masked. */
  readonly reply: string | null;
  readonly verdict: string | null;
  readonly detail: string | null;
  /** Added to what is there. */
  readonly evidence: Partial<Evidence>;
  /** False: no one can tell how it ended. */
  readonly isSettled: boolean;
}

/** What is kept of an attempt, as a part of another statement or as one by itself. */
export const endAttempt = (
  db: Kysely<Tables>,
  attempt: Pick<AttemptRow, 'delivery_id' | 'number'>,
  { outcome, reply, verdict, detail, evidence, isSettled }: AttemptEnd,
) =>
  db
    .updateTable('delivery_attempts')
    .set({
      // Asked about later, the game's record adds to what is known and takes nothing away.
      outcome: sql<CommandOutcome | null>`coalesce(${outcome}, outcome)`,
      reply: sql<string | null>`coalesce(${reply}, reply)`,
      verdict: sql<string | null>`coalesce(${verdict}, verdict)`,
      detail: sql<string | null>`coalesce(${detail}, detail)`,
      evidence: sql<string>`evidence || ${JSON.stringify(evidence)}::jsonb`,
      ended_at: isSettled ? sql<Date>`now()` : null,
    })
    .where('delivery_id', '=', attempt.delivery_id)
    .where('number', '=', attempt.number);

/** A delivery that waits goes on waiting, for something else; what is under way is left alone. */
export const setWaiting = async (
  db: Kysely<Tables>,
  delivery: Pick<DeliveryRow, 'id' | 'attempts' | 'generation'>,
  waitsFor: DeliveryWait,
  detail: string,
  nextTryMs: number,
): Promise<void> => {
  await db
    .updateTable('deliveries')
    .set({
      state: 'waiting',
      waits_for: waitsFor,
      detail,
      next_try_at: inMs(nextTryMs),
    })
    .where('id', '=', delivery.id)
    .where('state', 'in', ['pending', 'waiting'])
    .where('attempts', '=', delivery.attempts)
    .where('generation', '=', delivery.generation)
    .execute();
};

export const inMs = (ms: number) => sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`;
