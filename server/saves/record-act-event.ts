import type { Kysely, Selectable } from 'kysely';
import type { TaskResult } from '#contracts/agent-tasks.ts';
import type { Tables } from '../database/tables.ts';
import { recordEvent } from '../events/record-event.ts';
import type { SaveActsTable } from './saves.tables.ts';
import { readBackupName } from './saves-list.ts';

/** Records the event of an act that has ended. A finished backup is reported by the agent's next list, as for nightly ones. */
export const recordActEvent = async (
  trx: Kysely<Tables>,
  row: Selectable<SaveActsTable>,
  { outcome, detail, value }: TaskResult,
): Promise<{ readonly backup: string | null }> => {
  const { id, server_id: serverId, action, actor_name: by } = row;
  const made = action === 'backup' && outcome === 'done' ? readBackupName(value) : null;
  if (made !== null) await trx.updateTable('save_acts').set({ backup: made }).where('id', '=', id).execute();
  const { name } = await trx
    .selectFrom('game_servers')
    .select('name')
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow();
  const backup = row.backup ?? '';
  if (action === 'backup' && outcome !== 'done' && outcome !== 'cancelled')
    await recordEvent(trx, 'saves.backup-failed', { name, by, detail: detail ?? '' }, { serverId });
  if (action === 'restore' && outcome === 'done')
    await recordEvent(trx, 'saves.restored', { name, backup, by }, { serverId });
  if (action === 'undo' && outcome === 'done')
    await recordEvent(trx, 'saves.restore-undone', { name, backup, by }, { serverId });
  return { backup: made ?? row.backup };
};
