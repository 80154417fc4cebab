import * as z from 'zod';
import { discordId } from '../discord/discord-application.ts';
import { changeProblems, endpoint, readProblems } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { backwards, isForwards } from '../kernel/validity.ts';
import { memberId } from '../people/members.ts';
import { displayName, recordId } from '../servers/clusters.ts';
import { gameId } from '../servers/games.ts';
import { positivePoints } from './store.ts';

/** Where time and visits count; both empty: on every server. */
const scope = {
  games: z.array(gameId).max(20).default([]),
  serverIds: z.array(recordId).max(500).default([]),
};

/** Points for each interval of this many minutes online. A member who is on two servers at the same time counts once. */
const intervalTerms = z.strictObject({
  kind: z.literal('interval'),
  points: positivePoints,
  minutes: z.int().min(5).max(1440),
  /** The most points that a member gets by this rule per day of the community; null: no limit. */
  mostPerDay: positivePoints.nullable().default(null),
  ...scope,
});

/** Points once, for a member who had never been there before the rule. */
const firstVisitTerms = z.strictObject({ kind: z.literal('first-visit'), points: positivePoints, ...scope });

/** Points that a member claims, once per day of the community. */
const dailyTerms = z.strictObject({
  kind: z.literal('daily'),
  points: positivePoints,
  /** Added for each earlier day of the streak. */
  streakPoints: z.int().min(0).max(1_000_000).default(0),
  /** The most days of a streak that add points. */
  streakDays: z.int().min(0).max(365).default(0),
});

const rewardTerms = z.discriminatedUnion('kind', [intervalTerms, firstVisitTerms, dailyTerms]);
export type RewardTerms = z.output<typeof rewardTerms>;
export type IntervalTerms = z.output<typeof intervalTerms>;
export type FirstVisitTerms = z.output<typeof firstVisitTerms>;
export type DailyTerms = z.output<typeof dailyTerms>;

export const rewardRuleDraft = z.strictObject({
  name: displayName,
  isEnabled: z.boolean().default(false),
  terms: rewardTerms,
});
export type RewardRuleDraft = z.output<typeof rewardRuleDraft>;

const rewardRule = rewardRuleDraft
  .extend({ id: z.string(), version: z.int(), createdAt: z.iso.datetime() })
  .meta({ id: 'RewardRule' });
export type RewardRule = z.infer<typeof rewardRule>;

/** Codes of one batch share what they give and their limits. */
const batchFields = {
  name: displayName,
  points: positivePoints,
  /** Total uses of each code; null: any number. */
  mostUses: z.int().min(1).max(1_000_000).nullable().default(1),
  /** Uses of each code per member. */
  mostPerMember: z.int().min(1).max(1000).default(1),
  validFrom: z.iso.datetime().nullable().default(null),
  validUntil: z.iso.datetime().nullable().default(null),
  /** For members who have been there; both empty: for everyone. */
  ...scope,
};

export const mostCodesAtOnce = 1000;

/** A code that the owner chose. */
export const ownCode = z
  .string()
  .trim()
  .regex(/^(?:-*[A-Za-z0-9]){4}[A-Za-z0-9-]*$/, 'must hold 4 letters or digits')
  .regex(/^[A-Za-z0-9-]{4,32}$/, 'must be 4 to 32 letters, digits and hyphens');

export const newCodeBatch = z
  .strictObject({
    ...batchFields,
    /** The number of random codes. */
    count: z.int().min(1).max(mostCodesAtOnce).default(1),
    /** A chosen code instead. */
    code: ownCode.nullable().default(null),
  })
  .refine(isForwards, backwards);
export type NewCodeBatch = z.output<typeof newCodeBatch>;

const codeBatch = z
  .object({
    ...batchFields,
    id: z.string(),
    version: z.int(),
    isEnabled: z.boolean(),
    createdAt: z.iso.datetime(),
    codes: z.int(),
    uses: z.int(),
  })
  .meta({ id: 'CodeBatch' });
export type CodeBatch = z.infer<typeof codeBatch>;

const rewardCode = z
  .object({
    id: z.string(),
    /** Null for callers who may not create codes: anyone who reads one can use it. */
    code: z.string().nullable(),
    uses: z.int(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RewardCode' });
export type RewardCode = z.infer<typeof rewardCode>;

const typedCode = z.strictObject({ code: z.string().trim().min(1).max(64) });
const redeemed = z.object({ points: z.int(), name: z.string(), balance: z.int().nonnegative() });
const claimed = z.object({
  /** False: today's points were claimed before; nothing was given now. */
  isNew: z.boolean(),
  points: z.int(),
  /** The length of the streak, including today. */
  streak: z.int(),
  /** When the next day of the community begins. */
  nextAt: z.iso.datetime(),
  balance: z.int().nonnegative(),
});
export type DailyClaim = z.infer<typeof claimed>;

const giftOffer = z.object({
  id: z.string(),
  receiverName: z.string(),
  points: z.int(),
  balance: z.int().nonnegative(),
  /** What is left of today's limit after this gift. */
  leftToday: z.int().nonnegative(),
  expiresAt: z.iso.datetime(),
});
export type GiftOffer = z.infer<typeof giftOffer>;

const redeeming = ['MEMBER_GONE', 'REWARD_CODE_INVALID', 'LIMIT_REACHED', 'RATE_LIMITED'] as const;
const ofLinked = [...readProblems, 'DISCORD_NOT_LINKED', 'MEMBER_GONE'] as const;
const byId = z.object({ id: recordId });

export const rewardsHttp = {
  rules: endpoint({
    method: 'GET',
    path: '/api/rewards/rules',
    summary: 'List reward rules',
    access: 'rewards.read',
    response: z.object({ rules: z.array(rewardRule), timeZone: z.string() }),
  }),
  createRule: endpoint({
    method: 'POST',
    path: '/api/rewards/rules',
    summary: 'Create a reward rule; if switched on, it applies from now on',
    access: 'rewards.write',
    proof: 'step-up',
    body: rewardRuleDraft,
    response: rewardRule,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  changeRule: endpoint({
    method: 'PUT',
    path: '/api/rewards/rules/:id',
    summary: 'Change a reward rule; new terms apply from now on, its kind cannot change',
    access: 'rewards.write',
    proof: 'step-up',
    params: byId,
    body: rewardRuleDraft.extend({ version: rowVersion }),
    response: rewardRule,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  archiveRule: endpoint({
    method: 'POST',
    path: '/api/rewards/rules/:id/archive',
    summary: 'Archive a reward rule permanently',
    access: 'rewards.write',
    params: byId,
    body: z.strictObject({ version: rowVersion }),
    response: z.object({}),
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  batches: endpoint({
    method: 'GET',
    path: '/api/rewards/code-batches',
    summary: 'List batches of reward codes with their uses, newest first',
    access: 'rewards.read',
    query: pageQuery,
    response: pageOf(codeBatch),
  }),
  createBatch: endpoint({
    method: 'POST',
    path: '/api/rewards/code-batches',
    summary: 'Create a batch of reward codes',
    access: 'rewards.write',
    proof: 'step-up',
    body: newCodeBatch,
    response: codeBatch,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT', 'NAME_TAKEN'],
  }),
  switchBatch: endpoint({
    method: 'POST',
    path: '/api/rewards/code-batches/:id/switch',
    summary: 'Switch the reward codes of a batch off or on; switching them on takes a recent confirmation',
    access: 'rewards.write',
    params: byId,
    body: z.strictObject({ version: rowVersion, isEnabled: z.boolean() }),
    response: codeBatch,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT', 'PERSON_REQUIRED', 'STEP_UP_REQUIRED'],
  }),
  codes: endpoint({
    method: 'GET',
    path: '/api/rewards/code-batches/:id/codes',
    summary: 'List the reward codes of a batch with their uses',
    access: 'rewards.read',
    params: byId,
    query: pageQuery,
    response: pageOf(rewardCode),
  }),
  exportCodes: endpoint({
    method: 'GET',
    path: '/api/rewards/code-batches/:id/codes.csv',
    summary: 'Export the reward codes of a batch as CSV',
    access: 'rewards.write',
    params: byId,
    response: z.unknown(),
    contentType: 'text/csv; charset=utf-8',
    download: 'codes.csv',
  }),
  redeem: endpoint({
    method: 'POST',
    path: '/api/members/:id/redeem',
    summary: 'Redeem a reward code for a member',
    access: 'rewards.write',
    params: z.object({ id: memberId }),
    body: typedCode,
    response: redeemed,
    problems: [...changeProblems, 'NOT_FOUND', ...redeeming],
  }),
} as const;

/** What people in Discord do for themselves. */
export const rewardsDiscordHttp = {
  daily: endpoint({
    method: 'POST',
    path: '/api/internal/discord/rewards/daily',
    summary: "Claim today's points",
    access: 'discord-user',
    response: claimed,
    problems: [...ofLinked, 'REWARD_UNAVAILABLE'],
  }),
  redeem: endpoint({
    method: 'POST',
    path: '/api/internal/discord/rewards/redeem',
    summary: 'Redeem a reward code; with an Idempotency-Key, at most once',
    access: 'discord-user',
    idempotent: true,
    body: typedCode,
    response: redeemed,
    problems: [...ofLinked, ...redeeming, 'IDEMPOTENCY_KEY_INVALID'],
  }),
  offerGift: endpoint({
    method: 'POST',
    path: '/api/internal/discord/rewards/gifts',
    summary: 'Offer a gift of points and return its effect; no points move until it is confirmed',
    access: 'discord-user',
    body: z.strictObject({ receiverId: discordId, points: positivePoints }),
    response: giftOffer,
    problems: [
      ...ofLinked,
      'RECEIVER_NOT_LINKED',
      'REWARD_UNAVAILABLE',
      'INSUFFICIENT_POINTS',
      'LIMIT_REACHED',
    ],
  }),
  confirmGift: endpoint({
    method: 'POST',
    path: '/api/internal/discord/rewards/gifts/:id/confirm',
    summary: 'Confirm an offered gift of points, once; repeating the confirmation returns the same response',
    access: 'discord-user',
    params: byId,
    response: z.object({ points: z.int(), receiverName: z.string(), balance: z.int().nonnegative() }),
    problems: [...ofLinked, 'NOT_FOUND', 'REWARD_UNAVAILABLE', 'INSUFFICIENT_POINTS', 'LIMIT_REACHED'],
  }),
} as const;
