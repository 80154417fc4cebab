import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { ChatLine } from './chat-line.ts';

export type AskingCommand = Tables['chat_confirmations']['command'];

export interface Question {
  readonly command: AskingCommand;
  readonly asked: unknown;
  /** The points that the player is told. */
  readonly expectedTotal?: number;
  readonly lifetimeMs: number;
  /** The player's own question that this one replaces. */
  readonly followsId?: string;
}

export interface OpenQuestion {
  readonly id: string;
  readonly lineKey: string;
  readonly asked: unknown;
  readonly expectedTotal: number | null;
}

type Answer =
  | { readonly kind: 'right'; readonly question: OpenQuestion }
  | { readonly kind: 'wrong' }
  /** Nothing is asked, or a question has no tries left: the number was not compared. */
  | { readonly kind: 'unasked' | 'guessed-out' }
  /** From someone who only has the player's name: there is no answer, and no try is used up. */
  | { readonly kind: 'ignored' };

/** Wrong numbers per question: guessing finds one in 300,000 questions. */
const mostTries = 3;
const saltBytes = 16;

/** Bound to the row by its salt. A number has too few digits to hide it from someone with the database; it lives for minutes. */
const digestOf = (salt: Buffer, number: string): Buffer =>
  createHash('sha256').update(salt).update(number).digest();

interface Clocked {
  readonly db: Kysely<Tables>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

const openOf = ({ db, now }: Clocked, { playerId, serverId }: ChatLine, command: AskingCommand) =>
  db
    .selectFrom('chat_confirmations')
    .selectAll()
    .where('player_id', '=', playerId)
    .where('server_id', '=', serverId)
    .where('command', '=', command)
    .where('expires_at', '>', new Date(now()))
    .executeTakeFirst();

/** @returns the number and the question's id; null: an open question of the account stays */
export const openQuestion = async (
  { db, now }: Clocked,
  line: ChatLine,
  { command, asked, expectedTotal, lifetimeMs, followsId }: Question,
): Promise<{ readonly number: string; readonly id: string } | null> => {
  const number = String(randomInt(1_000_000)).padStart(6, '0');
  const salt = randomBytes(saltBytes);
  const { playerId, serverId, isProven, key } = line;
  const row = {
    line_key: key,
    digest_salt: salt,
    number_digest: digestOf(salt, number),
    is_proven: isProven,
    asked: JSON.stringify(asked),
    expected_total: expectedTotal === undefined ? null : String(expectedTotal),
    tries_left: mostTries,
    created_at: new Date(now()),
    expires_at: new Date(now() + lifetimeMs),
  };
  // The same line again: the API ended in between, perhaps before it had whispered the number.
  const { rows } = await sql<{ id: string }>`
    insert into chat_confirmations as open (
      player_id, server_id, command, line_key, digest_salt, number_digest, is_proven, asked, expected_total,
      tries_left, created_at, expires_at)
    values (${playerId}, ${serverId}, ${command}, ${row.line_key}, ${row.digest_salt}, ${row.number_digest},
      ${row.is_proven}, ${row.asked}::jsonb, ${row.expected_total}, ${row.tries_left}, ${row.created_at},
      ${row.expires_at})
    on conflict (player_id, server_id, command) do update set
      line_key = excluded.line_key, digest_salt = excluded.digest_salt, number_digest = excluded.number_digest,
      is_proven = excluded.is_proven, asked = excluded.asked, expected_total = excluded.expected_total,
      tries_left = excluded.tries_left, created_at = excluded.created_at, expires_at = excluded.expires_at,
      id = default
    where open.expires_at <= ${row.created_at} or open.tries_left = 0 or excluded.is_proven
      or open.id = ${followsId ?? null} or open.line_key = excluded.line_key
    returning id`.execute(db);
  const [asking] = rows;
  return asking ? { number, id: asking.id } : null;
};

/** Compares a number with the open question, and counts a wrong one. A right one does not use the question up. */
export const answerQuestion = async (
  context: Clocked,
  line: ChatLine,
  command: AskingCommand,
  number: string,
): Promise<Answer> => {
  // Taken before the number is compared: of many concurrent guesses, no more are compared than there are tries.
  const open = await context.db
    .updateTable('chat_confirmations')
    .set((row) => ({ tries_left: row('tries_left', '-', 1) }))
    .where('player_id', '=', line.playerId)
    .where('server_id', '=', line.serverId)
    .where('command', '=', command)
    .where('expires_at', '>', new Date(context.now()))
    .where('tries_left', '>', 0)
    .$if(!line.isProven, (query) => query.where('is_proven', '=', false))
    .returningAll()
    .executeTakeFirst();
  if (!open) {
    const kept = await openOf(context, line, command);
    if (!kept) return { kind: 'unasked' };
    return { kind: kept.is_proven && !line.isProven ? 'ignored' : 'guessed-out' };
  }
  if (timingSafeEqual(open.number_digest, digestOf(open.digest_salt, number)))
    return { kind: 'right', question: questionOf(open) };
  return { kind: 'wrong' };
};

/** Whether a question is open for a line of this kind. */
export const isAsked = async (context: Clocked, line: ChatLine, command: AskingCommand): Promise<boolean> => {
  const open = await openOf(context, line, command);
  return open !== undefined && open.tries_left > 0 && (line.isProven || !open.is_proven);
};

/** Uses a question up in the caller's transaction, or refuses if it is used up already. */
export const spendQuestion = async (
  { now }: Pick<Clocked, 'now'>,
  trx: Kysely<Tables>,
  id: string,
): Promise<Refusal | null> => {
  const spent = await trx
    .deleteFrom('chat_confirmations')
    .where('id', '=', id)
    .where('expires_at', '>', new Date(now()))
    .returning('id')
    .executeTakeFirst();
  return spent ? null : refuse('CONFLICT', 'This question was answered before.');
};

/** @returns whether it was still open */
export const closeQuestion = async (context: Clocked, id: string): Promise<boolean> =>
  (await spendQuestion(context, context.db, id)) === null;

/** Deletes questions that were not answered in time. @returns how many */
export const deleteExpiredQuestions = async ({ db, now }: Clocked): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('chat_confirmations')
    .where('expires_at', '<=', new Date(now()))
    .executeTakeFirst();
  return Number(numDeletedRows);
};

const questionOf = (row: Selectable<Tables['chat_confirmations']>): OpenQuestion => ({
  id: row.id,
  lineKey: row.line_key,
  asked: row.asked,
  expectedTotal: row.expected_total === null ? null : Number(row.expected_total),
});
