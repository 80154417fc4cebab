import type { Kysely } from 'kysely';
import type { PortalTables } from '../database/tables.ts';

const dayMs = 86_400_000;
const keptSentDays = 30;
/** Long enough for a vendor to see which mails were given up, and to send them again. */
const keptGivenUpDays = 90;

export const forgetOldMails = async (db: Kysely<PortalTables>, now: Date): Promise<void> => {
  const limits = [
    ['sent', keptSentDays],
    ['given_up', keptGivenUpDays],
  ] as const;
  for (const [state, days] of limits) {
    await db
      .deleteFrom('mail_outbox')
      .where('state', '=', state)
      .where('settled_at', '<', new Date(now.getTime() - days * dayMs))
      .execute();
  }
};
