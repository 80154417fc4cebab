import { type Kysely, type Selectable, sql } from 'kysely';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

export type GameServerRow = Selectable<Tables['game_servers']>;
/** Without what changes by itself. */
export type StoredGameServer = Omit<GameServer, 'status'>;

/** A game server as shown to people: only whether there is a password. */
export const toGameServer = (row: GameServerRow): StoredGameServer => ({
  id: row.id,
  clusterId: row.cluster_id,
  name: row.name,
  game: row.game,
  host: row.host,
  port: row.port,
  hasPassword: row.password !== null,
  createdAt: row.created_at.toISOString(),
  archivedAt: row.archived_at?.toISOString() ?? null,
  version: row.version,
});

/** Notified with a server's id in each transaction that changes that server. */
export const gameServersChannel = 'castellan_game_servers';

export const notifyChange = (trx: Kysely<Tables>, serverId: string) =>
  sql`select pg_notify(${gameServersChannel}, ${serverId})`.execute(trx);

/** Keeps the cluster in use until the transaction ends. Refused when it does not exist or is archived. */
export const holdCluster = async (trx: Kysely<Tables>, id: string): Promise<Refusal | null> => {
  const cluster = await trx
    .selectFrom('clusters')
    .select('archived_at')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  if (!cluster) return refuse('NOT_FOUND', 'There is no such cluster.');
  return cluster.archived_at ? refuse('SERVER_ARCHIVED', 'The cluster is in the archive.') : null;
};

/** The form in which names and addresses are compared and passed to the system: no brackets, lower case. */
export const normalHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
