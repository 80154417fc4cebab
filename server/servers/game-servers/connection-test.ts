import type { Kysely } from 'kysely';
import type {
  ConnectionReport,
  ConnectionTest as ConnectionTestInput,
} from '#contracts/servers/game-servers.ts';
import { checkConsole } from '#games/console-check.ts';
import { gameOf } from '#games/games.ts';
import { Secret } from '#runtime/secret.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { type Actor, actorReference, may } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { demandReadable, type Secrets } from '../../kernel/secrets/secrets.ts';
import { normalHost } from './game-server-rows.ts';
import { openPassword } from './rcon-password.ts';

/** @throws {Problem} SECRET_UNREADABLE */
export type ConnectionTest = (
  input: ConnectionTestInput,
  actor: Actor,
) => Promise<ConnectionReport | Refusal>;

/** Each test opens an outgoing connection to a host of the caller's choice. */
const testsPerMinute = 30;
const totalMs = 10_000;

export const createConnectionTest = ({
  db,
  secrets,
  now = Date.now,
}: {
  readonly db: Kysely<Tables>;
  readonly secrets: Secrets;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}): ConnectionTest => {
  const tries = createTokenBuckets({ capacity: testsPerMinute, refillMs: 60_000 / testsPerMinute }, now);

  /** The stored password is sent only to the stored host and port. */
  const storedPassword = async (serverId: string, host: string, port: number): Promise<Secret | Refusal> => {
    const server = await db
      .selectFrom('game_servers')
      .select(['host', 'port', 'password'])
      .where('id', '=', serverId)
      .where('archived_at', 'is', null)
      .executeTakeFirst();
    if (!server) return refuse('NOT_FOUND');
    if (server.password === null) return new Secret('');
    if (server.host !== host || server.port !== port)
      return refuse(
        'INVALID_REQUEST',
        'body.password: enter the password to test another host or port than the stored ones.',
      );
    return demandReadable(openPassword(secrets, serverId, server.password));
  };

  return async ({ game, port, password: given, serverId, ...input }, actor) => {
    if (!may(actor, 'servers.write', serverId))
      return refuse('FORBIDDEN', 'This needs servers.write, for the server in question or everywhere.');
    const host = normalHost(input.host);
    const key = actorReference(actor);
    const retryAfterMs = tries.tryTake(key);
    if (retryAfterMs > 0) return { ...refuse('RATE_LIMITED', 'Too many connection tests.'), retryAfterMs };
    const password =
      given === undefined && serverId !== undefined
        ? await storedPassword(serverId, host, port)
        : new Secret(given ?? '');
    if (isRefusal(password)) return password;
    const check = await checkConsole({
      game: gameOf(game),
      target: { host, port, password },
      // Once for connecting and once for the first answer; games that need longer say so.
      timeoutMs: totalMs / 2,
    });
    if (check.outcome !== 'answered') return { ...check, latencyMs: null, players: null };
    const { players, latencyMs } = check;
    const found = players === null ? 'It answers.' : `It answers; players online: ${players}.`;
    return { outcome: 'answered', detail: found, latencyMs, players };
  };
};
