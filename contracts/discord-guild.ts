import * as z from 'zod';
import { discordId } from './discord-application.ts';
import { endpoint } from './http.ts';

/** Roles a Discord server may have, from Discord's reference. */
const mostRoles = 250;

export const reportedMember = z.strictObject({
  id: discordId,
  /** As the Discord server shows it: nickname, display name or user name. */
  name: z.string().max(100),
  /** No one else's in all of Discord, unlike the name; empty: not told. */
  username: z.string().max(100).default(''),
  roleIds: z.array(discordId).max(mostRoles),
  isBot: z.boolean(),
  /** Null: Discord does not say. */
  joinedAt: z.iso.datetime().nullable(),
});
export type ReportedMember = z.infer<typeof reportedMember>;

const memberChange = z.discriminatedUnion('kind', [
  /** Is a member, as a list or a change says. */
  z.strictObject({ kind: z.literal('there'), member: reportedMember }),
  /** Has joined at this moment. */
  z.strictObject({ kind: z.literal('joined'), member: reportedMember }),
  z.strictObject({ kind: z.literal('left'), id: discordId }),
]);
export type MemberChange = z.infer<typeof memberChange>;

/** Changes in one report. */
export const mostMemberChanges = 250;

/**
 * A run of reports begins with a list of all members, in parts, and goes on with changes. A report is sent again until it
 * is answered; its number tells it from the next one.
 */
const memberReport = z.strictObject({
  guildId: discordId,
  run: z.string().min(1).max(40),
  /** From 0, which begins a run. */
  number: z.int().nonnegative(),
  /** In their order. */
  changes: z.array(memberChange).max(mostMemberChanges),
  /** The list is complete: members whom this run has not named have left. */
  endsList: z.boolean(),
});
export type MemberReport = z.infer<typeof memberReport>;

export const discordGuildBotHttp = {
  reportMembers: endpoint({
    method: 'POST',
    path: '/api/internal/bot/guild-members',
    summary: 'The bot tells who is on the Discord server, who joined, changed and left',
    access: 'bot.report',
    body: memberReport,
    // 250 members with 250 roles each.
    bodyBytes: 2_000_000,
    takesNul: true,
    response: z.object({
      /** False: the API knows nothing of this run, and needs a new one. */
      isCurrent: z.boolean(),
    }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
