import { createId } from '@paralleldrive/cuid2';
import type { Kysely, Selectable } from 'kysely';
import type { NewSavedCommand, SavedCommand, SavedCommandChange } from '#contracts/servers/console.ts';
import { gameOf, maskForAnyGame } from '#games/games.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { refuseTaken } from '../../kernel/database/unique-violation.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

export type SavedCommands = ReturnType<typeof createSavedCommands>;

type Trx = Kysely<Tables>;
type Outcome = SavedCommand | Refusal;

export const createSavedCommands = (db: Kysely<Tables>) => {
  const transact = async (
    { actor }: AuditContext,
    work: (trx: Trx) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const refusal = refuseActor(actor);
    if (refusal) return refusal;
    return refuseTaken(db.transaction().execute(work), 'saved_commands_name_key_key', refuse('NAME_TAKEN'));
  };
  const find = (trx: Trx, id: string) =>
    trx.selectFrom('saved_commands').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

  return {
    async list(): Promise<SavedCommand[]> {
      const rows = await db.selectFrom('saved_commands').selectAll().orderBy('name_key').execute();
      return rows.map(toSavedCommand);
    },

    create: ({ name, command, game }: NewSavedCommand, by: AuditContext): Promise<SavedCommand | Refusal> =>
      transact(by, async (trx) => {
        const row = await trx
          .insertInto('saved_commands')
          .values({ id: createId(), name, name_key: nameKey(name), command, game })
          .returningAll()
          .executeTakeFirstOrThrow();
        const after = toSavedCommand(row);
        await recordAudit(trx, {
          ...by,
          action: 'saved-commands.create',
          target: targetOf(row.id),
          after: masked(after),
        });
        return after;
      }),

    change: (
      id: string,
      { version, ...change }: SavedCommandChange,
      by: AuditContext,
    ): Promise<SavedCommand | Refusal> =>
      transact(by, async (trx) => {
        const row = await find(trx, id);
        if (!row) return refuse('NOT_FOUND');
        if (row.version !== version) return refuse('CONFLICT');
        const { name = row.name, command = row.command, game = row.game } = change;
        const next = { name, name_key: nameKey(name), command, game, version: version + 1 };
        await trx.updateTable('saved_commands').set(next).where('id', '=', id).execute();
        const before = toSavedCommand(row);
        const after = toSavedCommand({ id, ...next });
        await recordAudit(trx, {
          ...by,
          action: 'saved-commands.change',
          target: targetOf(id),
          before: masked(before),
          after: masked(after),
        });
        return after;
      }),

    remove: (id: string, by: AuditContext): Promise<SavedCommand | Refusal> =>
      transact(by, async (trx) => {
        const row = await find(trx, id);
        if (!row) return refuse('NOT_FOUND');
        await trx.deleteFrom('saved_commands').where('id', '=', id).execute();
        const before = toSavedCommand(row);
        await recordAudit(trx, {
          ...by,
          action: 'saved-commands.remove',
          target: targetOf(id),
          before: masked(before),
        });
        return before;
      }),
  };
};

/** For the audit log: it has more readers than those who may run the command. */
const masked = (saved: SavedCommand): SavedCommand => ({
  ...saved,
  command: saved.game ? gameOf(saved.game).maskCommand(saved.command) : maskForAnyGame(saved.command),
});

/** Others run them without checking: an actor who could change one for all servers could give commands to all of them. */
const refuseActor = (actor: Actor): Refusal | null =>
  may(actor, 'console.write')
    ? null
    : refuse('FORBIDDEN', 'Saved commands are changed by those who hold console.write for all servers.');

const targetOf = (id: string): string => `saved-command:${id}`;

const toSavedCommand = ({
  id,
  name,
  command,
  game,
  version,
}: Selectable<Tables['saved_commands']>): SavedCommand => ({
  id,
  name,
  command,
  game,
  version,
});
