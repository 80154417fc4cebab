import { sql, type Transaction } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import { type CommandResult, longestReply } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { TemplateValues } from '#games/store-forms.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type AttemptRow, type DeliveryRow, evidenceOf, readAttempt } from './delivery-rows.ts';

type Trx = Transaction<Tables>;

/** Null: the receiver was erased. Names change, and games know players by them: the current name counts if it is known. */
export const readValues = async (trx: Trx, delivery: DeliveryRow): Promise<TemplateValues | null> => {
  const attempt = await readAttempt(trx, delivery.id, delivery.attempts);
  const values = attempt && (evidenceOf(attempt) as { readonly values?: TemplateValues }).values;
  if (!attempt || !values) return null;
  if (attempt.player_id === null || values.player === null) return values;
  const player = await trx
    .selectFrom('players')
    .select('name')
    .where('id', '=', attempt.player_id)
    .where('game', '=', delivery.game)
    .where('platform_id', 'is not', null)
    .executeTakeFirst();
  if (!player?.name) return values;
  const handle = values.handle === values.player ? player.name : values.handle;
  return { ...values, player: player.name, handle };
};

export const renderCounter = ({ game, line }: DeliveryRow, values: TemplateValues | null) => {
  if (line.kind !== 'command' || line.counterCommand === undefined || values === null)
    return { refused: reasons['taking-impossible'] };
  return gameOf(game).store.renderTemplate(line.counterCommand, values);
};

export const saysFailure = (
  { game, line }: DeliveryRow,
  values: TemplateValues | null,
  result: CommandResult | null,
): boolean => {
  if (line.kind !== 'command' || values === null || result?.outcome !== 'answered') return false;
  const patterns = { success: [], failure: line.failure };
  return gameOf(game).store.readTemplateReply(result.reply ?? '', patterns, values).verdict === 'failed';
};

/**
 * Shown to people, with the attempt that gave it, unless nothing was sent.
 * @returns the masked reply
 */
export const keepEvidence = async (
  trx: Trx,
  { delivery_id, number }: Pick<AttemptRow, 'delivery_id' | 'number'>,
  delivery: DeliveryRow,
  values: TemplateValues | null,
  result: CommandResult | null,
): Promise<string | null> => {
  const rendered = renderCounter(delivery, values);
  if (result?.sent === false || 'refused' in rendered) return null;
  const { maskCommand, maskReply } = gameOf(delivery.game);
  const reply = result?.reply ?? null;
  const counterCommand = {
    command: maskCommand(rendered.command),
    outcome: result?.outcome ?? 'unknown',
    reply: reply === null ? null : storableText(maskReply(rendered.command, reply), longestReply),
  };
  await trx
    .updateTable('delivery_attempts')
    .set({ evidence: sql<string>`evidence || ${JSON.stringify({ counterCommand })}::jsonb` })
    .where('delivery_id', '=', delivery_id)
    .where('number', '=', number)
    .execute();
  return counterCommand.reply;
};
