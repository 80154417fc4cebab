import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { discordId } from './discord-application.ts';

/** The most roles on a Discord server, from Discord's reference. */
const mostRoles = 250;

const reportedMember = z.strictObject({
  id: discordId,
  /** As shown on the Discord server: nickname, display name or user name. */
  name: z.string().max(100),
  /** Unique in all of Discord, unlike the name; empty: not reported. */
  username: z.string().max(100).default(''),
  roleIds: z.array(discordId).max(mostRoles),
  isBot: z.boolean(),
  /**
   * Has not accepted the rules of the Discord server yet, which a role would skip (discord/discord-api-docs#2479). Absent: an
   * older bot does not report it, or it is not so.
   */
  isPending: z.boolean().optional(),
  /** Null: Discord does not say. */
  joinedAt: z.iso.datetime().nullable(),
});
export type ReportedMember = z.infer<typeof reportedMember>;

const memberChange = z.discriminatedUnion('kind', [
  /** Is a member, according to a list or a change. */
  z.strictObject({ kind: z.literal('there'), member: reportedMember }),
  /** Has just joined. */
  z.strictObject({ kind: z.literal('joined'), member: reportedMember }),
  z.strictObject({ kind: z.literal('left'), id: discordId }),
]);
export type MemberChange = z.infer<typeof memberChange>;

/** The most changes in one report. */
export const mostMemberChanges = 250;

/**
 * A run of reports begins with a list of all members, in parts, and continues with changes. A report is sent again
 * until it is answered; its number distinguishes it from the next one.
 */
const memberReport = z.strictObject({
  guildId: discordId,
  run: z.string().min(1).max(40),
  /** Counted from 0, which begins a run. */
  number: z.int().nonnegative(),
  /** In order. */
  changes: z.array(memberChange).max(mostMemberChanges),
  /** The list is complete: members whom this run has not named have left. */
  endsList: z.boolean(),
});
export type MemberReport = z.infer<typeof memberReport>;

export const discordGuildBotHttp = {
  reportMembers: endpoint({
    method: 'POST',
    path: '/api/internal/bot/guild-members',
    summary: 'Report who is on the Discord server, who joined, changed and left',
    access: 'bot.report',
    body: memberReport,
    // Room for 250 members with 250 roles each.
    bodyBytes: 2_000_000,
    response: z.object({
      /** False: the API does not know this run, and needs a new one. */
      isCurrent: z.boolean(),
    }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
