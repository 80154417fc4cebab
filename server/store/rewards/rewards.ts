import type { Kysely } from 'kysely';
import type { MemberDetails } from '#contracts/people/members.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { type CodeBatches, createCodeBatches } from './code-batches.ts';
import { type ClaimDaily, createClaimDaily } from './daily-claims.ts';
import { createGifts, type Gifts, type GiftsOptions } from './gifts.ts';
import { createRedeemCode, type RedeemCode } from './redeem-code.ts';
import { createRewardPayer, type RewardPayer } from './reward-payer.ts';
import { createRewardRules, type RewardRules } from './reward-rules.ts';

interface RewardsOptions {
  readonly db: Kysely<Tables>;
  readonly members: {
    hold(trx: Kysely<Tables>, ids: readonly string[]): Promise<Refusal | null>;
    read(id: string): Promise<MemberDetails | Refusal>;
    ofDiscord(discordId: string): Promise<MemberDetails | null>;
  };
  readonly move: GiftsOptions['move'];
  readonly giftSettings: GiftsOptions['settings'];
  /** The community's. */
  readonly timeZone: () => Promise<string>;
  readonly licenseHolds: () => boolean;
  readonly now?: () => Date;
  readonly log: Log;
}

/** What gives members points besides the store: rules, codes, and members themselves. */
export interface Rewards extends AsyncDisposable {
  readonly rules: RewardRules;
  readonly batches: CodeBatches;
  readonly payer: RewardPayer;
  readonly claimDaily: ClaimDaily;
  readonly redeem: RedeemCode['redeem'];
  readonly gifts: Gifts;
  readonly timeZone: () => Promise<string>;
  /** The member of a Discord account that has a player; null: none is linked. */
  linked(discordId: string): Promise<MemberDetails | null>;
  /** Deletes guesses and offers that no longer count. */
  readonly maintenance: { readonly name: string; run(): Promise<number> };
}

export const createRewards = (options: RewardsOptions): Rewards => {
  const { db, members, move, giftSettings, timeZone, licenseHolds, now = () => new Date(), log } = options;
  const { hold } = members;
  const payer = createRewardPayer({ db, timeZone, licenseHolds, now, log });
  const redeeming = createRedeemCode({ db, hold, now });
  const gifts = createGifts({
    db,
    hold,
    move,
    async nameOf(id) {
      const member = await members.read(id);
      return isRefusal(member) ? '' : member.name;
    },
    settings: giftSettings,
    timeZone,
    now,
  });
  return {
    rules: createRewardRules(db, now),
    batches: createCodeBatches(db),
    payer,
    claimDaily: createClaimDaily({ db, hold, timeZone, now }),
    redeem: redeeming.redeem,
    gifts,
    timeZone,
    async linked(discordId) {
      const member = await members.ofDiscord(discordId);
      return member && member.players.length > 0 ? member : null;
    },
    maintenance: {
      name: 'rewards',
      async run() {
        await redeeming.tidy();
        return gifts.tidy();
      },
    },
    [Symbol.asyncDispose]: () => payer[Symbol.asyncDispose](),
  };
};
