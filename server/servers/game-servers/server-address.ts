import { isIPv6 } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { valueFault } from '#contracts/kernel/value-faults.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type GameServerRow, normalHost } from './game-server-rows.ts';

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
export const refuseTakenAddress = async (
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
