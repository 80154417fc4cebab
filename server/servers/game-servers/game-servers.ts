import { isIPv6 } from 'node:net';
import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql } from 'kysely';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import { valueFault } from '#contracts/kernel/value-faults.ts';
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
import {
  type GameServerRow,
  holdCluster,
  normalHost,
  notifyChange,
  type StoredGameServer,
  toGameServer,
} from './game-server-rows.ts';
import { sealPassword } from './rcon-password.ts';

/** Reach this machine wherever a program listens on it; other loopback addresses may have programs of their own. */
const thisMachine = ['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'];

/** One text for all ways to write a host: case, brackets, a trailing dot, short and IPv4-mapped addresses, this machine's names. */
const hostKey = (host: string): string => {
  const [bare = '', zone] = normalHost(host).replace(/\.$/, '').split('%');
  const canonical = isIPv6(bare) ? withoutMapping(urlHost(`[${bare}]`).slice(1, -1)) : urlHost(bare);
  if (thisMachine.includes(canonical) || canonical.endsWith('.localhost')) return 'localhost';
  return zone === undefined ? canonical : `${canonical}%${zone}`;
};

/** The URL standard's form: IPv4 in four decimal parts, IPv6 at its shortest. */
const urlHost = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;

const withoutMapping = (address: string): string => {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bytes = Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex');
  return [...bytes].join('.');
};

/**
 * Refused if another server in use has this address. Until the transaction ends, no other one gives a server an address. Duplicates
 * from older releases go on until their address is changed.
 */
const refuseTakenAddress = async (
  trx: Kysely<Tables>,
  { id, host, port }: Pick<GameServerRow, 'id' | 'host' | 'port'>,
  actor: Actor,
): Promise<Refusal | null> => {
  if (host === null) return null;
  await sql`select pg_advisory_xact_lock(hashtextextended('server-addresses', 0))`.execute(trx);
  const rows = await trx
    .selectFrom('game_servers')
    .select(['id', 'name', 'host'])
    .where('port', '=', port)
    .where('host', 'is not', null)
    .where('archived_at', 'is', null)
    .where('id', '<>', id)
    .orderBy('name_key')
    .execute();
  const key = hostKey(host);
  const other = rows.find((row) => row.host !== null && hostKey(row.host) === key);
  if (!other) return null;
  if (!may(actor, 'servers.read', other.id))
    return refuse('SERVER_ADDRESS_TAKEN', 'It is a server that you cannot see.');
  const fault = valueFault('address-taken', other.name);
  return {
    ...refuse('SERVER_ADDRESS_TAKEN', `It is the address of the server “${other.name}”.`),
    field: 'body.host',
    fault,
  };
};

/**
 * What a change does to a row; nothing when all stays the same. A person who may change a server need not know its password,
 * and could have it sent to their own machine, so another host or port requires entering it again.
 */
const changedColumns = (
  row: GameServerRow,
  { clusterId, name, host, port, password }: GameServerChange,
  seal: (password: Secret) => string | null,
): Partial<GameServerRow> | Refusal => {
  const columns: Partial<GameServerRow> = {};
  if (clusterId !== undefined && clusterId !== row.cluster_id) columns.cluster_id = clusterId;
  if (name !== undefined && name !== row.name) Object.assign(columns, { name, name_key: nameKey(name) });
  const newHost = typeof host === 'string' ? normalHost(host) : host;
  if (newHost !== undefined && newHost !== row.host) columns.host = newHost;
  if (port !== undefined && port !== row.port) columns.port = port;
  const goesElsewhere = columns.port !== undefined || typeof columns.host === 'string';
  if (goesElsewhere && row.password !== null && password === undefined)
    return refuse(
      'INVALID_REQUEST',
      'body.password: enter the password again, or an empty one for none. The stored one is not sent to another host or port.',
    );
  if (password !== undefined && !(password === '' && row.password === null))
    columns.password = seal(new Secret(password));
  return columns;
};

export type GameServers = ReturnType<typeof createGameServers>;

type Trx = Kysely<Tables>;
type Outcome = StoredGameServer | Refusal;

export const createGameServers = ({
  db,
  secrets,
}: {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
}) => {
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
    /** The ones the actor may see, by name. */
    async list(
      {
        archived,
        clusterId,
      }: {
        /** Includes archived ones. */
        readonly archived: boolean;
        readonly clusterId?: string | undefined;
      },
      actor: Actor,
    ): Promise<StoredGameServer[]> {
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

    async read(id: string, actor: Actor): Promise<StoredGameServer | Refusal> {
      if (!may(actor, 'servers.read', id)) return refuse('FORBIDDEN');
      const row = await db.selectFrom('game_servers').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toGameServer(row) : refuse('NOT_FOUND');
    },

    async create(
      { clusterId, name, game, host, port, password }: NewGameServer,
      by: AuditContext,
    ): Promise<StoredGameServer | Refusal> {
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

    change: (id: string, change: GameServerChange, by: AuditContext): Promise<StoredGameServer | Refusal> =>
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

    /** An archived one stays unchanged. */
    archive: (id: string, by: AuditContext): Promise<StoredGameServer | Refusal> =>
      changeRow(id, by, async (trx, row) => {
        if (row.archived_at) return toGameServer(row);
        return write(trx, row, { archived_at: new Date() }, { ...by, action: 'servers.archive' });
      }),

    /** One in use stays unchanged. */
    restore: (id: string, by: AuditContext): Promise<StoredGameServer | Refusal> =>
      changeRow(id, by, async (trx, row) => {
        if (!row.archived_at) return toGameServer(row);
        const refusal =
          (await holdCluster(trx, row.cluster_id)) ?? (await refuseTakenAddress(trx, row, by.actor));
        return refusal ?? write(trx, row, { archived_at: null }, { ...by, action: 'servers.restore' });
      }),
  };
};

type Entry = AuditContext & { readonly action: AuditAction };
