import type { GameServerChange } from '#contracts/servers/game-servers.ts';
import { Secret } from '#runtime/secret.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type GameServerRow, normalHost } from './game-server-rows.ts';

/**
 * What a change does to a row; nothing when all stays the same. A person who may change a server need not know its password,
 * and could have it sent to their own machine, so another host or port requires entering it again.
 */
export const changedColumns = (
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
