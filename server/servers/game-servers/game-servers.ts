import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import type { GameServerChange, NewGameServer } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import { Secret } from '#runtime/secret.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { isPerson, refuseWithoutStepUp } from '../../kernel/access/step-up.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { refuseTaken } from '../../kernel/database/unique-violation.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Secrets } from '../../kernel/secrets/secrets.ts';
import { changedColumns } from './game-server-change.ts';
import {
  type GameServerRow,
  holdCluster,
  normalHost,
  notifyChange,
  type StoredGameServer,
  toGameServer,
} from './game-server-rows.ts';
import { sealPassword } from './rcon-password.ts';
import { refuseTakenAddress } from './server-address.ts';

interface GameServersOptions {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
}

export interface GameServers {
  /** The ones the actor may see, by name. */
  list(filter: ServerFilter, actor: Actor): Promise<StoredGameServer[]>;
  read(id: string, actor: Actor): Promise<StoredGameServer | Refusal>;
  create(input: NewGameServer, by: AuditContext): Promise<StoredGameServer | Refusal>;
  change(id: string, change: GameServerChange, by: AuditContext): Promise<StoredGameServer | Refusal>;
  /** An archived one stays unchanged. */
  archive(id: string, by: AuditContext): Promise<StoredGameServer | Refusal>;
  /** One in use stays unchanged. */
  restore(id: string, by: AuditContext): Promise<StoredGameServer | Refusal>;
}

interface ServerFilter {
  /** Includes archived ones. */
  readonly archived: boolean;
  readonly clusterId?: string | undefined;
}

type Trx = Kysely<Tables>;
type Outcome = StoredGameServer | Refusal;

export const createGameServers = ({ db, secrets }: GameServersOptions): GameServers => {
  /** The index keeps names unique, even against concurrent writers. */
  const transact = (work: (trx: Trx) => Promise<Outcome>): Promise<Outcome> =>
    refuseTaken(db.transaction().execute(work), 'game_servers_name', refuse('NAME_TAKEN'));

  const changeRow = async (
    id: string,
    { actor }: AuditContext,
    work: (trx: Trx, row: GameServerRow) => Promise<Outcome>,
  ): Promise<Outcome> => {
    // An actor who may not change it does not learn whether it exists.
    if (!may(actor, 'servers.write', id)) return refuse('FORBIDDEN');
    return transact(async (trx) => {
      const row = await trx
        .selectFrom('game_servers')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      return row ? work(trx, row) : refuse('NOT_FOUND');
    });
  };

  const write = async (trx: Trx, row: GameServerRow, columns: Partial<GameServerRow>, entry: Entry) => {
    const next = { ...row, ...columns, version: row.version + 1 };
    const { created_at: _, id, ...set } = next;
    await trx.updateTable('game_servers').set(set).where('id', '=', id).execute();
    await notifyChange(trx, id);
    const isNewPassword = columns.password !== undefined && columns.password !== row.password;
    const after = toGameServer(next);
    await recordAudit(trx, {
      ...entry,
      target: `server:${id}`,
      before: toGameServer(row),
      after: isNewPassword ? { ...after, password: next.password === null ? 'cleared' : 'changed' } : after,
    });
    return after;
  };

  return {
    async list({ archived, clusterId }, actor) {
      const rows = await db
        .selectFrom('game_servers')
        .selectAll()
        .$if(!archived, (query) => query.where('archived_at', 'is', null))
        .$if(clusterId !== undefined, (query) => query.where('cluster_id', '=', clusterId ?? ''))
        .orderBy('name_key')
        .orderBy('id')
        .execute();
      return rows.filter(({ id }) => may(actor, 'servers.read', id)).map(toGameServer);
    },

    async read(id, actor) {
      if (!may(actor, 'servers.read', id)) return refuse('FORBIDDEN');
      const row = await db.selectFrom('game_servers').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toGameServer(row) : refuse('NOT_FOUND');
    },

    async create({ clusterId, name, game, host, port, password }, by) {
      if (!may(by.actor, 'servers.write')) return refuse('FORBIDDEN', 'This needs servers.write everywhere.');
      return transact(async (trx) => {
        const refusal = await holdCluster(trx, clusterId);
        if (refusal) return refusal;
        const id = createId();
        const address = {
          host: host === null ? null : normalHost(host),
          port: port ?? games[game].defaultPort,
        };
        const taken = await refuseTakenAddress(trx, { id, ...address }, by.actor);
        if (taken) return taken;
        const row = await trx
          .insertInto('game_servers')
          .values({
            id,
            cluster_id: clusterId,
            name,
            name_key: nameKey(name),
            game,
            ...address,
            password: password === undefined ? null : sealPassword(secrets, id, new Secret(password)),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await notifyChange(trx, id);
        const after = toGameServer(row);
        await recordAudit(trx, { ...by, action: 'servers.create', target: `server:${id}`, after });
        return after;
      });
    },

    change: (id, change, by) =>
      changeRow(id, by, async (trx, row) => {
        if (row.archived_at) return refuse('SERVER_ARCHIVED');
        if (row.version !== change.version) return refuse('CONFLICT');
        const columns = changedColumns(row, change, (password) => sealPassword(secrets, id, password));
        if (isRefusal(columns)) return columns;
        const goesElsewhere = columns.host !== undefined || columns.port !== undefined;
        if (goesElsewhere && isPerson(by.actor)) {
          const refusal = refuseWithoutStepUp(by.actor);
          if (refusal) return refusal;
        }
        if (columns.cluster_id !== undefined) {
          if (!may(by.actor, 'servers.write'))
            return refuse('FORBIDDEN', 'Moving a server to another cluster needs servers.write everywhere.');
          const refusal = await holdCluster(trx, columns.cluster_id);
          if (refusal) return refusal;
        }
        const taken = goesElsewhere && (await refuseTakenAddress(trx, { ...row, ...columns }, by.actor));
        if (taken) return taken;
        if (Object.keys(columns).length === 0) return toGameServer(row);
        return write(trx, row, columns, { ...by, action: 'servers.change' });
      }),

    archive: (id, by) =>
      changeRow(id, by, async (trx, row) => {
        if (row.archived_at) return toGameServer(row);
        return write(trx, row, { archived_at: new Date() }, { ...by, action: 'servers.archive' });
      }),

    restore: (id, by) =>
      changeRow(id, by, async (trx, row) => {
        if (!row.archived_at) return toGameServer(row);
        const refusal =
          (await holdCluster(trx, row.cluster_id)) ?? (await refuseTakenAddress(trx, row, by.actor));
        return refusal ?? write(trx, row, { archived_at: null }, { ...by, action: 'servers.restore' });
      }),
  };
};

type Entry = AuditContext & { readonly action: AuditAction };
