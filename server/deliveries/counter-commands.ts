import { type Kysely, sql } from 'kysely';
import { longestReply } from '#contracts/games.ts';
import { gameOf } from '#games/games.ts';
import type { Log } from '#runtime/log.ts';
import type { DeliveryWays } from '../console-router/delivery-ways.ts';
import { storableText } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import { type Evidence, evidenceOf, withNewestAttempt } from './delivery-rows.ts';

/**
 * Takes back what refunded command lines gave, on the servers where they were given. Sent once, and what came of it is kept
 * with the attempt; a server that is away keeps what it gave.
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
      // What may not have arrived is not taken back: the player may have had it before.
      .where('deliveries.state', '=', 'delivered')
      .where(sql<boolean>`not attempt.evidence ? 'counterCommand'`)
      .execute();
    for (const { line, game, ...attempt } of found) {
      if (line.kind !== 'command' || line.counterCommand === undefined) continue;
      const { values }: Partial<Evidence> = evidenceOf(attempt);
      // Nothing is kept of a person who was erased.
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
      // Written down first: it is not sent again by a process after this one.
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
