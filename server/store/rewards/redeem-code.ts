import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { normalizeTypedCode } from '#runtime/auth/typed-code.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { createSqlThrottle } from '#runtime/throttle/sql-throttle.ts';
import type { Try } from '#runtime/throttle/throttle.ts';
import type { BucketLimits } from '#runtime/throttle/token-buckets.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { StoreContext } from '../store-context.ts';
import { isInScope } from './online-time.ts';
import { enterReward, readBalance } from './reward-entries.ts';

export interface Redeemed {
  readonly points: number;
  /** The batch's name. */
  readonly name: string;
  readonly balance: number;
}

type Trx = Kysely<Tables>;
type Scope = 'member' | 'caller' | 'address';

/** Limits on wrong codes. The database counts them, for all processes and across restarts. */
const guessLimits: Readonly<Record<Scope, BucketLimits>> = {
  member: { capacity: 5, refillMs: 60_000 },
  caller: { capacity: 20, refillMs: 20_000 },
  address: { capacity: 20, refillMs: 20_000 },
};

export const createRedeemCode = ({ db, members, now }: Pick<StoreContext, 'db' | 'members' | 'now'>) => {
  const throttle = createSqlThrottle<Tables, Scope>({ db, table: 'reward_guesses', limits: guessLimits });

  return {
    async redeem(
      memberId: string,
      code: string,
      by: AuditContext,
      {
        key = null,
        isProven = true,
      }: {
        /** For a request that may be repeated: it is carried out once and gets the same answer. */
        readonly key?: string | null;
        /** Whether the caller is known to be the member; guesses by someone who only has their name use a separate budget. */
        readonly isProven?: boolean;
      } = {},
    ): Promise<Redeemed | Refusal> {
      const tries = isProven ? triesOf(memberId, by) : triesByName(memberId);
      const retryAfterMs = await throttle.take(tries);
      if (retryAfterMs > 0) return { ...refuse('RATE_LIMITED', reasons['wrong-codes']), retryAfterMs };
      const result = await retryDeadlocks(db, (trx) =>
        use(trx, { memberId, code, key, at: new Date(now()), members }, by),
      );
      if (isRefusal(result) && result.refused === 'REWARD_CODE_INVALID') return result;
      await throttle.giveBack(tries);
      return result;
    },
    /** Deletes guesses that no longer count. */
    tidy: () => throttle.forgetFull(),
  };
};

/** People in Discord and in a game arrive through the bot's and the agent's address, which is not theirs. */
const triesOf = (memberId: string, { actor, address }: AuditContext): readonly Try<Scope>[] => [
  { scope: 'member', subject: memberId },
  { scope: 'caller', subject: actorReference(actor) },
  ...(actor.kind === 'discord' || actor.kind === 'player'
    ? []
    : [{ scope: 'address' as const, subject: countedAddress(address) }]),
];

const triesByName = (memberId: string): readonly Try<Scope>[] => [
  { scope: 'member', subject: `${memberId} by name` },
];

interface FoundCode
  extends Omit<Tables['reward_code_batches'], 'id' | 'number' | 'version' | 'points' | 'is_enabled'> {
  readonly code_id: string;
  readonly batch_id: string;
  readonly points: string;
  readonly is_enabled: boolean;
}

/** Locks the code, so that its uses are counted one after another. */
const findCode = async (trx: Trx, typed: string): Promise<FoundCode | null> => {
  const { rows } = await sql<FoundCode>`
    select code.id as code_id, code.batch_id, batch.name, batch.points, batch.most_uses, batch.most_per_member,
           batch.valid_from, batch.valid_until, batch.games, batch.server_ids, batch.is_enabled
    from reward_codes as code join reward_code_batches as batch on batch.id = code.batch_id
    where code.code_key = ${normalizeTypedCode(typed)} for update of code for share of batch`.execute(trx);
  return rows[0] ?? null;
};

const use = async (
  trx: Trx,
  asked: {
    readonly memberId: string;
    readonly code: string;
    readonly key: string | null;
    readonly at: Date;
    readonly members: StoreContext['members'];
  },
  by: AuditContext,
): Promise<Redeemed | Refusal> => {
  const { memberId, key, at } = asked;
  const refused = await asked.members.hold(trx, [memberId]);
  if (refused) return refused;
  const found = await findCode(trx, asked.code);
  // Checked under the code's lock, so that a concurrent request has finished.
  if (found && key !== null && (await wasUsed(trx, found, memberId, key)))
    return { points: Number(found.points), name: found.name, balance: await readBalance(trx, memberId) };
  if (!found || !isValid(found, at)) return refuse('REWARD_CODE_INVALID');
  const limit = await findLimit(trx, found, memberId);
  if (limit) return limit;
  const points = Number(found.points);
  await sql`
    insert into reward_code_uses (code_id, member_id, nth, request_key)
    select ${found.code_id}, ${memberId}::bigint, coalesce(max(nth), 0) + 1, ${key}::text
    from reward_code_uses where code_id = ${found.code_id} and member_id = ${memberId}`.execute(trx);
  await enterReward(trx, { memberId, points, kind: 'code', name: found.name }, by.actor);
  await recordAudit(trx, {
    ...by,
    action: 'rewards.redeem',
    target: `member:${memberId}`,
    after: { batchId: found.batch_id, codeId: found.code_id, points },
  });
  return { points, name: found.name, balance: await readBalance(trx, memberId) };
};

const wasUsed = async (trx: Trx, code: FoundCode, memberId: string, key: string): Promise<boolean> => {
  const { rows } = await sql`
    select from reward_code_uses
    where code_id = ${code.code_id} and member_id = ${memberId} and request_key = ${key}`.execute(trx);
  return rows.length > 0;
};

const isValid = ({ is_enabled, valid_from, valid_until }: FoundCode, at: Date): boolean =>
  is_enabled && (valid_from === null || valid_from <= at) && (valid_until === null || at < valid_until);

const findLimit = async (trx: Trx, code: FoundCode, memberId: string): Promise<Refusal | null> => {
  const { rows } = await sql<{ all: number; own: number }>`
    select count(*)::int as all,
           (count(*) filter (where members.id = ${memberId} or members.merged_into = ${memberId}))::int as own
    from reward_code_uses as used join members on members.id = used.member_id
    where used.code_id = ${code.code_id}`.execute(trx);
  const { all = 0, own = 0 } = rows[0] ?? {};
  if (own >= code.most_per_member) return refuse('LIMIT_REACHED', reasons['reward-code-used']);
  if (code.most_uses !== null && all >= code.most_uses)
    return refuse('LIMIT_REACHED', reasons['reward-code-used-up']);
  return (await hasBeenThere(trx, code, memberId))
    ? null
    : refuse('LIMIT_REACHED', reasons['reward-code-elsewhere']);
};

const hasBeenThere = async (trx: Trx, code: FoundCode, memberId: string): Promise<boolean> => {
  if (code.games.length + code.server_ids.length === 0) return true;
  const { rows } = await sql`
    select from players as player join player_sessions as stay on stay.player_id = player.id
    join game_servers as played on played.id = stay.server_id
    where player.member_id = ${memberId}
      and ${isInScope({ games: code.games, serverIds: code.server_ids })} limit 1`.execute(trx);
  return rows.length > 0;
};
