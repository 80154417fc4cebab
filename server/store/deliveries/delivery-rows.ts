import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import {
  type CommandOutcome,
  type CommandResult,
  type GameId,
  longestLogLine,
} from '#contracts/servers/games.ts';
import type { DeliveryWait } from '#contracts/store/deliveries.ts';
import { gameOf } from '#games/games.ts';
import type { GuardForm, TemplateValues } from '#games/store-forms.ts';
import type { Tables } from '../../kernel/database/tables.ts';

export type DeliveryRow = Selectable<Tables['deliveries']>;
export type AttemptRow = Selectable<Tables['delivery_attempts']>;

/** Stored with an attempt, so that a later process can read its reply. */
export interface Evidence {
  readonly values: TemplateValues;
  /** Only for games that keep a record of gifts. */
  readonly guard?: { readonly id: string; readonly form: GuardForm };
  /** The world's clock, and ours (Unix time in milliseconds), shortly before the command left. */
  readonly clock?: ClockReading | undefined;
  readonly presentBefore: boolean | null;
  readonly presentAfter?: boolean | null;
  readonly mark?: string;
  /** Lines of the game's log: the command was executed, which does not prove that the gift arrived. */
  readonly logLines?: readonly string[];
  /** The result came after its caller had stopped waiting. */
  readonly isLate?: true;
}
export interface ClockReading {
  readonly ticks: number;
  readonly atMs: number;
}

export const evidenceOf = ({ evidence }: Pick<AttemptRow, 'evidence'>): Evidence =>
  evidence as unknown as Evidence;

/** The log line in a result whose reply was lost. */
export const logEvidence = (
  game: GameId,
  command: string,
  result: Pick<CommandResult, 'logLine'> | null,
): Pick<Evidence, 'logLines'> => {
  if (result?.logLine === undefined) return {};
  return { logLines: [storableText(gameOf(game).maskReply(command, result.logLine), longestLogLine)] };
};

/** The command's id at the agent: delivery and attempt. */
export const commandIdOf = (deliveryId: string, attempt: number): string => `${deliveryId}.${attempt}`;
const commandIdShape = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})$/;
/** Null if it is not a delivery's command. */
export const readCommandId = (
  id: string,
): { readonly deliveryId: string; readonly number: number } | null => {
  const [, deliveryId, number] = commandIdShape.exec(id) ?? [];
  return deliveryId === undefined ? null : { deliveryId, number: Number(number) };
};

/** The id of the mark that a gift leaves. */
export const markIdOf = ({ id, generation }: Pick<DeliveryRow, 'id' | 'generation'>): string =>
  `${id}-${generation}`;

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

/** Whether a delivery still waits for what is learnt about an attempt. */
export const isOpenFor = (
  { state, attempts, refunded_at }: Pick<DeliveryRow, 'state' | 'attempts' | 'refunded_at'>,
  { number }: Pick<AttemptRow, 'number'>,
): boolean => attempts === number && (state === 'sending' || (state === 'unknown' && refunded_at === null));

/** The delivery, while this attempt is in flight. */
export const readSending = (
  db: Kysely<Tables>,
  { delivery_id, number }: Pick<AttemptRow, 'delivery_id' | 'number'>,
): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', delivery_id)
    .where('attempts', '=', number)
    .where('state', '=', 'sending')
    .executeTakeFirst();

/** Sent deliveries, each joined with its newest attempt. */
export const withNewestAttempt = (db: Kysely<Tables>) =>
  db
    .selectFrom('deliveries')
    .innerJoin('delivery_attempts as attempt', (join) =>
      join
        .onRef('attempt.delivery_id', '=', 'deliveries.id')
        .onRef('attempt.number', '=', 'deliveries.attempts'),
    );

/** Locks the order, then the delivery. */
export const lockDelivery = async (
  trx: Transaction<Tables>,
  id: string,
): Promise<DeliveryRow | undefined> => {
  await sql`select castellan_lock_delivery(${id})`.execute(trx);
  return trx.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst();
};

/** A single row waits for its lock; of several, locked rows are skipped. */
export const lockPolicy = (rows: readonly unknown[]) => (rows.length > 1 ? sql`skip locked` : sql``);

export interface AttemptEnd {
  readonly outcome: CommandOutcome | null;
  /** Masked. */
  readonly reply: string | null;
  readonly verdict: string | null;
  readonly detail: string | null;
  /** Merged into the stored evidence. */
  readonly evidence: Partial<Evidence>;
  /** False if the outcome is unknown. */
  readonly isSettled: boolean;
}

/** The update that stores how an attempt ended. */
export const endAttempt = (
  db: Kysely<Tables>,
  attempt: Pick<AttemptRow, 'delivery_id' | 'number'>,
  { outcome, reply, verdict, detail, evidence, isSettled }: AttemptEnd,
) =>
  db
    .updateTable('delivery_attempts')
    .set({
      // A later reading of the game's record adds facts and erases none.
      outcome: sql<CommandOutcome | null>`coalesce(${outcome}, outcome)`,
      reply: sql<string | null>`coalesce(${reply}, reply)`,
      verdict: sql<string | null>`coalesce(${verdict}, verdict)`,
      detail: sql<string | null>`coalesce(${detail}, detail)`,
      evidence: sql<string>`evidence || ${JSON.stringify(evidence)}::jsonb`,
      ended_at: isSettled ? sql<Date>`now()` : null,
    })
    .where('delivery_id', '=', attempt.delivery_id)
    .where('number', '=', attempt.number);

/** Changes what an open delivery waits for; one in flight stays untouched. */
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
