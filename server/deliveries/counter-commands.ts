import { type Kysely, sql } from 'kysely';
import { longestReply } from '#contracts/games.ts';
import { gameOf } from '#games/games.ts';
import type { Log } from '#runtime/log.ts';
import type { DeliveryWays } from '../console-router/delivery-ways.ts';
import { storableText } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import { type Evidence, evidenceOf, withNewestAttempt } from './delivery-rows.ts';

/**
 * Runs the counter-commands of refunded command lines on the servers that gave them. Each is sent once, and its result is
 * stored with the attempt; a server that is away is not tried again.
 */
export const createSendCounterCommands =
  ({
    db,
    ways,
    log,
  }: {
    readonly db: Kysely<Tables>;
    readonly ways: Pick<DeliveryWays, 'ask'>;
    readonly log: Log;
  }) =>
  async (ids: readonly string[]): Promise<void> => {
    const found = await withNewestAttempt(db)
      .selectAll('attempt')
      .select(['deliveries.line', 'deliveries.game'])
      .where('deliveries.id', '=', sql<string>`any (${ids}::uuid[])`)
      .where('deliveries.refunded_at', 'is not', null)
      .where('deliveries.ended_at', 'is not', null)
      // Only what arrived is taken back: otherwise the player could lose something they already had.
      .where('deliveries.state', '=', 'delivered')
      .where(sql<boolean>`not attempt.evidence ? 'counterCommand'`)
      .execute();
    for (const { line, game, ...attempt } of found) {
      // What lasts is taken back when nothing else holds it, and a server that is away is waited for.
      if (line.kind !== 'command' || line.counterCommand === undefined || line.lasts) continue;
      const { values }: Partial<Evidence> = evidenceOf(attempt);
      // The receiver was erased, and the values with them.
      if (values === undefined) continue;
      const rendered = gameOf(game).store.renderTemplate(line.counterCommand, values);
      if ('refused' in rendered) continue;
      const { command } = rendered;
      const keep = (counter: Record<string, unknown>) =>
        db
          .updateTable('delivery_attempts')
          .set({ evidence: sql<string>`evidence || ${JSON.stringify({ counterCommand: counter })}::jsonb` })
          .where('delivery_id', '=', attempt.delivery_id)
          .where('number', '=', attempt.number)
          .where(sql<boolean>`not coalesce(evidence -> 'counterCommand', '{}') ? 'outcome'`)
          .executeTakeFirstOrThrow();
      const shown = gameOf(game).maskCommand(command);
      // Stored before it is sent, so that no later process sends it again.
      await keep({ command: shown });
      const result = await ways.ask(attempt.server_id, command);
      await keep({
        command: shown,
        outcome: result?.outcome ?? 'unreachable',
        reply:
          result?.reply == null
            ? null
            : storableText(gameOf(game).maskReply(command, result.reply), longestReply),
      });
      if (result?.outcome !== 'answered')
        log.warn({ deliveryId: attempt.delivery_id }, 'a counter-command was not answered');
    }
  };
