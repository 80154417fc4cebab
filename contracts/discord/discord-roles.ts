import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { languages } from '../kernel/language.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { recordId } from '../servers/clusters.ts';
import { discordId } from './discord-application.ts';

/** Why a role is not given or taken now. `reasons` has a sentence with the same code for each. */
const roleObstacles = [
  'role-bot-away',
  'role-guild-unavailable',
  'role-members-unlisted',
  'role-permission-missing',
  'role-unknown',
  'role-everyone',
  'role-managed',
  'role-dangerous',
  'role-above-bot',
  'role-has-rights',
  'role-refused',
] as const;
export type RoleObstacle = (typeof roleObstacles)[number];
const obstacle = z.enum(roleObstacles).nullable();

const givableRole = z.object({
  id: discordId,
  name: z.string().max(200),
  /** Why the bot cannot give it; null if it can. */
  obstacle,
});
export type GivableRole = z.infer<typeof givableRole>;

/** The roles of the Discord server as the bot sees them, from the highest down. */
const botRoles = z.object({ guildId: discordId, roles: z.array(givableRole).max(1000) });
export type BotRoles = z.infer<typeof botRoles>;

/**
 * Either Castellan decides who has the role, by what the member has here (`linked`: a player; `points`: a balance;
 * `hours`: played; `bought`: the role, in the store), or Discord decides, and everyone with the role is on the
 * whitelist of the servers.
 */
export const roleRuleKinds = ['linked', 'points', 'hours', 'bought', 'whitelist'] as const;
export type RoleRuleKind = (typeof roleRuleKinds)[number];

const ofRole = { roleId: discordId, roleName: z.string().trim().min(1).max(100) };
const amount = z.int().min(1).max(1_000_000_000);
const newRoleRule = z.discriminatedUnion('kind', [
  z.strictObject({ ...ofRole, kind: z.literal('linked') }),
  z.strictObject({ ...ofRole, kind: z.literal('bought') }),
  /** At least this many, over all players of the member. */
  z.strictObject({ ...ofRole, kind: z.literal('points'), amount }),
  z.strictObject({ ...ofRole, kind: z.literal('hours'), amount }),
  z.strictObject({
    ...ofRole,
    kind: z.literal('whitelist'),
    serverIds: z.array(recordId).min(1).max(200),
  }),
]);
export type NewRoleRule = z.infer<typeof newRoleRule>;

const roleRule = z
  .object({
    id: z.string(),
    version: z.int(),
    isEnabled: z.boolean(),
    ...ofRole,
    kind: z.enum(roleRuleKinds),
    amount: z.int().nullable(),
    serverIds: z.array(z.string()),
    /** Why nothing is changed at the moment. */
    obstacle,
    /** Changes still to be made; null: nothing was compared since a rule changed. */
    waiting: z.int().nonnegative().nullable(),
    /** Changes that failed and are tried again. */
    failing: z.int().nonnegative(),
    /** What Discord or the game said about one of these. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'DiscordRoleRule' });
export type RoleRule = z.infer<typeof roleRule>;

/** The most names in a preview; the count includes all. */
export const mostPreviewNames = 50;
const previewSide = z.object({
  count: z.int().nonnegative(),
  /** The first of them. */
  names: z.array(z.string()),
});

/** What would happen if the rule were switched on now. */
const rolePreview = z.object({
  /** Must be sent when the rule is switched on; valid for ten minutes. */
  previewId: z.string(),
  version: rowVersion,
  obstacle,
  gains: previewSide,
  /** Members who have the role now and would lose it. */
  losses: previewSide,
});
export type RolePreview = z.infer<typeof rolePreview>;

const ofRule = z.object({ id: z.string().max(64) });
const roles = z.array(givableRole).nullable();

export const discordRolesHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/discord/role-rules',
    summary: 'List the rules for who gets which Discord role, and which role opens which game server',
    access: 'settings.read',
    response: z.object({
      rules: z.array(roleRule),
      /** Null while the bot is not connected. */
      roles,
    }),
  }),
  roles: endpoint({
    method: 'GET',
    path: '/api/discord/roles',
    summary: 'List the roles of the Discord server that a product can give',
    access: 'store.read',
    response: z.object({ roles }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/discord/role-rules',
    summary: 'Create a rule for a role; it has no effect until switched on',
    access: 'settings.write',
    body: newRoleRule,
    response: roleRule,
    problems: [...changeProblems, 'INVALID_REQUEST', 'DISCORD_ROLE_UNFIT'],
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/discord/role-rules/:id/preview',
    summary:
      'Preview who would gain and who would lose the role if the rule were switched on; changes nothing',
    access: 'settings.write',
    params: ofRule,
    body: z.strictObject({}),
    response: rolePreview,
  }),
  enable: endpoint({
    method: 'POST',
    path: '/api/discord/role-rules/:id/enable',
    summary: 'Switch on a rule as previewed; refused if it would change much more than the preview showed',
    access: 'settings.write',
    proof: 'step-up',
    params: ofRule,
    body: z.strictObject({ version: rowVersion, previewId: z.string().max(64) }),
    response: roleRule,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT', 'DISCORD_ROLE_UNFIT'],
  }),
  disable: endpoint({
    method: 'POST',
    path: '/api/discord/role-rules/:id/disable',
    summary: 'Switch off a rule and the others that give the same role; everyone keeps the roles they have',
    access: 'settings.write',
    params: ofRule,
    body: z.strictObject({}),
    response: roleRule,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/discord/role-rules/:id',
    summary:
      'Delete a rule; if it is on, the others that give the same role are switched off and everyone keeps the roles they have',
    access: 'settings.write',
    params: ofRule,
    response: z.object({}),
  }),
} as const;

/** Why a role changes; shown in Discord's audit log. */
const roleChangeReasons = ['linked', 'points', 'hours', 'bought', 'not-earned', 'refunded', 'ended'] as const;
export type RoleChangeReason = (typeof roleChangeReasons)[number];

const roleChange = z.object({
  id: z.string(),
  discordId,
  roleId: discordId,
  change: z.enum(['give', 'take']),
  because: z.enum(roleChangeReasons),
});
export type RoleChange = z.infer<typeof roleChange>;

/**
 * - `done`: Discord confirmed it
 * - `in-doubt`: it may have been done, and may be done again
 * - `member-gone`: Discord knows no such member
 * - the others are obstacles
 */
const roleChangeOutcomes = ['done', 'in-doubt', 'member-gone', 'role-unknown', 'role-refused'] as const;
export type RoleChangeOutcome = (typeof roleChangeOutcomes)[number];

export const discordRolesBotHttp = {
  reportRoles: endpoint({
    method: 'PUT',
    path: '/api/internal/bot/roles',
    summary: 'Report which roles exist, and which of them the bot can give',
    access: 'bot.report',
    body: botRoles,
    bodyBytes: 1_000_000,
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  hear: endpoint({
    method: 'POST',
    path: '/api/internal/bot/roles/heartbeat',
    summary: 'Report that the bot is still working while Discord makes it wait',
    access: 'bot.report',
    body: z.strictObject({ guildId: discordId }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED'],
  }),
  take: endpoint({
    method: 'POST',
    path: '/api/internal/bot/role-changes',
    summary: 'Fetch the next role change, once the previous one is done; returned again until settled',
    access: 'bot.report',
    body: z.strictObject({ guildId: discordId }),
    response: z.object({
      /** False: report the roles first. */
      isGuildKnown: z.boolean(),
      language: z.enum(languages),
      changes: z.array(roleChange).max(1),
    }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/internal/bot/role-changes/:id/settle',
    summary: 'Report the result of a role change',
    access: 'bot.report',
    params: z.object({ id: z.string().max(64) }),
    body: z.strictObject({ guildId: discordId, outcome: z.enum(roleChangeOutcomes) }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
