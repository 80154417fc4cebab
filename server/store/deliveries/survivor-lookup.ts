import type { Kysely } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { AgentTaskKind } from '#contracts/servers/agent-tasks.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';

export interface SurvivorLookupOptions {
  readonly db: Kysely<Tables>;
  readonly tasks: Pick<AgentTasks, 'run' | 'machineOf'>;
}

interface SurvivorOf {
  readonly playerId: string;
  readonly platformId: string | null;
  readonly serverId: string;
}

type FoundSurvivor =
  | { readonly number: string }
  /** Why there is none, for people. */
  | { readonly number: null; readonly detail: string };

/**
 * The number by which an ARK server identifies a player, asked from its agent before each gift: a new character has
 * another one. If the agent finds none, the number that staff or the player set is used; one that an agent found is
 * never used without asking again.
 */
export type SurvivorLookup = (of: SurvivorOf) => Promise<FoundSurvivor>;

/** Whether a gift on this server would find the player's number, from the agent or as staff or the player set it. */
export const createIsSurvivorKnown =
  ({ db, find }: { readonly db: Kysely<Tables>; readonly find: SurvivorLookup }) =>
  async ({ playerId, serverId }: Pick<SurvivorOf, 'playerId' | 'serverId'>): Promise<boolean> => {
    const player = await db
      .selectFrom('players')
      .select('platform_id')
      .where('id', '=', playerId)
      .executeTakeFirst();
    const { number } = await find({ playerId, serverId, platformId: player?.platform_id ?? null });
    return number !== null;
  };

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

export const createSurvivorLookup = ({ db, tasks }: SurvivorLookupOptions): SurvivorLookup => {
  const ask = async ({ serverId, platformId }: SurvivorOf) => {
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
  return async (of) => {
    const { playerId, serverId } = of;
    const found = await ask(of);
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
};
