import type { Kysely } from 'kysely';
import type { By } from '../access/by.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { fingerprintOf } from './agent-proof.ts';
import { giveUpSent } from './command-rows.ts';
import type { Seat } from './seats.ts';

/**
 * Forgets the pinned key, in the database and at the seat. The old agent is kept out for `restMs`: it would otherwise be
 * back, and pinned again, before the new one.
 * @returns the ids of commands that the old agent had: nobody can tell any more what became of them
 */
export const forgetPin = async (
  db: Kysely<Tables>,
  seat: Seat,
  by: By,
  untilMs: number,
): Promise<string[]> => {
  const { serverId, pin } = seat;
  if (!pin) return [];
  // First here, so that nobody comes in by the old key while the database works.
  seat.pin = null;
  seat.replaced = { key: pin.key, untilMs };
  try {
    return await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('game_agents').where('server_id', '=', serverId).execute();
      const ids = await giveUpSent(trx, serverId);
      const before = { fingerprint: fingerprintOf(pin.key), pinnedAt: pin.pinnedAt };
      await recordAudit(trx, { ...by, action: 'agents.replace', target: `server:${serverId}`, before });
      return ids;
    });
  } catch (error) {
    seat.pin = pin;
    seat.replaced = null;
    throw error;
  } finally {
    // A hello that came at the same time may have found the old row.
    if (seat.replaced && seat.pin?.key === pin.key) seat.pin = null;
  }
};
