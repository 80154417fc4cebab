import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { AgentTaskKind } from '#contracts/servers/agent-tasks.ts';
import type { SurvivorNumber } from '#contracts/store/deliveries.ts';
import { type Actor, may } from '../kernel/access/actor.ts';
import type { AuditContext } from '../kernel/access/audit-context.ts';
import { recordAudit } from '../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { type Refusal, refuse } from '../kernel/http/refusal.ts';
import type { StoreContext } from './store-context.ts';

interface SurvivorOf {
  readonly playerId: string;
  readonly platformId: string | null;
  readonly serverId: string;
}

type FoundSurvivor =
  | { readonly number: string }
  /** Why there is none, for people. */
  | { readonly number: null; readonly detail: string };

const kind: AgentTaskKind = 'survivor-number';
const expiresInMs = 5000;
const waitMs = 15_000;
const longestPlace = 500;
const shape = /^[1-9]\d{0,9}$/;

/** Deliveries ask on their own behalf. */
const deliveriesActor: Actor = {
  kind: 'local',
  id: 'deliveries',
  name: 'Deliveries',
  permissions: new Set(),
  serverPermissions: new Map(),
};

const askAgent = async ({ tasks }: Pick<StoreContext, 'tasks'>, { serverId, platformId }: SurvivorOf) => {
  const { takesTasks, machine } = tasks.machineOf(serverId);
  if (platformId === null || !takesTasks || !machine?.facts.tasks.includes(kind)) return null;
  const options = { by: deliveriesActor, expiresInMs, waitMs };
  const { outcome, detail, value } = await tasks.run(serverId, { kind, platformId }, options);
  if (outcome !== 'done') return null;
  const { number, from } = value ?? {};
  return typeof number === 'string' && shape.test(number)
    ? { number, from: typeof from === 'string' ? storableText(from, longestPlace) : null }
    : { number: null, detail };
};
/**
 * The number by which an ARK server identifies a player, asked from its agent before each gift: a new character has
 * another one. If the agent finds none, the number that staff or the player set is used; one that an agent found is
 * never used without asking again.
 */
export const findSurvivor = async (
  context: Pick<StoreContext, 'db' | 'tasks'>,
  of: SurvivorOf,
): Promise<FoundSurvivor> => {
  const { db } = context;
  const { playerId, serverId } = of;
  const found = await askAgent(context, of);
  if (found?.number) {
    const row = {
      number: found.number,
      source: 'agent' as const,
      found_in: found.from,
      set_at: new Date(),
    };
    await db
      .insertInto('survivor_numbers')
      .values({ player_id: playerId, server_id: serverId, ...row })
      .onConflict((conflict) => conflict.columns(['player_id', 'server_id']).doUpdateSet(row))
      .execute();
    return { number: found.number };
  }
  const known = await db
    .selectFrom('survivor_numbers')
    .select(['number', 'source'])
    .where('player_id', '=', playerId)
    .where('server_id', '=', serverId)
    .executeTakeFirst();
  if (known && known.source !== 'agent') return { number: known.number };
  const why = found?.detail ?? null;
  return {
    number: null,
    detail:
      why === null
        ? reasons['survivor-number']
        : reasons['survivor-number-why'](storableText(why, longestPlace)),
  };
};

/** Whether a gift on this server would find the player's number, from the agent or as staff or the player set it. */
export const isSurvivorKnown = async (
  context: Pick<StoreContext, 'db' | 'tasks'>,
  { playerId, serverId }: Pick<SurvivorOf, 'playerId' | 'serverId'>,
): Promise<boolean> => {
  const player = await context.db
    .selectFrom('players')
    .select('platform_id')
    .where('id', '=', playerId)
    .executeTakeFirst();
  const { number } = await findSurvivor(context, {
    playerId,
    serverId,
    platformId: player?.platform_id ?? null,
  });
  return number !== null;
};

/** For the servers whose players the actor may see. */
export const readSurvivorNumbers = async (
  db: Kysely<Tables>,
  playerId: string,
  actor: Actor,
): Promise<SurvivorNumber[]> => {
  const rows = await db
    .selectFrom('survivor_numbers')
    .selectAll()
    .where('player_id', '=', playerId)
    .orderBy('server_id')
    .execute();
  return rows
    .filter(({ server_id }) => may(actor, 'players.read', server_id))
    .map(({ server_id, number, source, found_in, set_at }) => ({
      serverId: server_id,
      number,
      source,
      foundIn: found_in,
      setAt: set_at.toISOString(),
    }));
};

/**
 * Sets the number by which one ARK server identifies a player; null forgets it.
 * @returns the member whose deliveries may continue
 */
export const setSurvivorNumber = (
  db: Kysely<Tables>,
  playerId: string,
  { serverId, number }: { readonly serverId: string; readonly number: string | null },
  by: AuditContext,
  terms: {
    readonly source?: 'staff' | 'player';
    /** In the same transaction, before anything is written; a refusal leaves everything unchanged. */
    readonly alongside?: (trx: Kysely<Tables>) => Promise<Refusal | null>;
  } = {},
): Promise<string | Refusal> =>
  retryDeadlocks(db, async (trx) => {
    const server = storableText(serverId, 64);
    const player = await trx
      .selectFrom('players')
      .select('member_id')
      .where('id', '=', playerId)
      // Two who set the number at the same time would both insert it.
      .forNoKeyUpdate()
      .executeTakeFirst();
    const known = await trx
      .selectFrom('game_servers')
      .select('id')
      .where('id', '=', server)
      .executeTakeFirst();
    if (!player || !known) return refuse('NOT_FOUND');
    const refusal = (await terms.alongside?.(trx)) ?? null;
    if (refusal) return refusal;
    const before = await trx
      .deleteFrom('survivor_numbers')
      .where('player_id', '=', playerId)
      .where('server_id', '=', server)
      .returning('number')
      .executeTakeFirst();
    if (number !== null)
      await trx
        .insertInto('survivor_numbers')
        .values({ player_id: playerId, server_id: server, number, source: terms.source ?? 'staff' })
        .execute();
    await sql`
      update deliveries set next_try_at = now() where id in (
        select id from deliveries
        where state = 'waiting' and waits_for = 'survivor-number'
          and member_id in (select id from members where id = ${player.member_id} or merged_into = ${player.member_id})
        order by id for no key update)`.execute(trx);
    await recordAudit(trx, {
      ...by,
      action: 'players.set-survivor-number',
      target: `player:${playerId}`,
      before: before ? { serverId: server, number: before.number } : null,
      after: number === null ? null : { serverId: server, number },
    });
    return player.member_id;
  });
