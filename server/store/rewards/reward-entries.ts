import type { Kysely } from 'kysely';
import type { RewardKind } from '#contracts/people/members.ts';
import { type Actor, actorReference } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** Gives points for something a member has asked for, in the transaction that counts it. */
export const enterReward = async (
  trx: Kysely<Tables>,
  reward: {
    readonly memberId: string;
    readonly points: number;
    readonly kind: RewardKind;
    readonly name: string;
  },
  actor: Actor,
): Promise<void> => {
  await trx
    .insertInto('ledger')
    .values({
      kind: 'reward',
      from_account: 'issued',
      to_account: 'wallet',
      to_member: reward.memberId,
      amount: reward.points,
      actor: actorReference(actor),
      actor_name: actor.name,
      reward_kind: reward.kind,
      reward_name: reward.name,
    })
    .execute();
};

export const readBalance = async (db: Kysely<Tables>, memberId: string): Promise<number> => {
  const { balance } = await db
    .selectFrom('wallets')
    .select('balance')
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow();
  return Number(balance);
};
