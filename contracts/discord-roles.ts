import * as z from 'zod';
import { recordId } from './clusters.ts';
import { discordId } from './discord-application.ts';
import { endpoint } from './http.ts';
import { languages } from './language.ts';

/** Why a role is not given or taken now. Each has a sentence of the same code in `reasons`. */
export const roleObstacles = [
  'role-bot-away',
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
export const botRoles = z.object({ guildId: discordId, roles: z.array(givableRole).max(1000) });
export type BotRoles = z.infer<typeof botRoles>;

/**
 * Castellan decides who has the role, by what the member has here (`linked`: a player; `points`: a balance; `hours`: played;
 * `bought`: the role, in the store); or Discord decides, and who has the role is on the whitelist of the servers.
 */
export const roleRuleKinds = ['linked', 'points', 'hours', 'bought', 'whitelist'] as const;
export type RoleRuleKind = (typeof roleRuleKinds)[number];

const ofRole = { roleId: discordId, roleName: z.string().trim().min(1).max(100) };
const amount = z.int().min(1).max(1_000_000_000);
export const newRoleRule = z.discriminatedUnion('kind', [
  z.strictObject({ ...ofRole, kind: z.literal('linked') }),
  z.strictObject({ ...ofRole, kind: z.literal('bought') }),
  /** At least so many, over all players of the member. */
  z.strictObject({ ...ofRole, kind: z.literal('points'), amount }),
  z.strictObject({ ...ofRole, kind: z.literal('hours'), amount }),
  z.strictObject({
    ...ofRole,
    kind: z.literal('whitelist'),
    serverIds: z.array(recordId).min(1).max(200),
  }),
]);
export type NewRoleRule = z.infer<typeof newRoleRule>;

export const roleRule = z
  .object({
    id: z.string(),
    version: z.int(),
    isEnabled: z.boolean(),
    ...ofRole,
    kind: z.enum(roleRuleKinds),
    amount: z.int().nullable(),
    serverIds: z.array(z.string()),
    /** Why nothing of it is done now. */
    obstacle,
    /** Changes that are still to be made; null: nothing was compared since a rule was changed. */
    waiting: z.int().nonnegative().nullable(),
    /** Those that were tried in vain, and are tried again. */
    failing: z.int().nonnegative(),
    /** What Discord or the game said to one of these. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'DiscordRoleRule' });
export type RoleRule = z.infer<typeof roleRule>;

/** Names in a preview; the count tells of all. */
export const mostPreviewNames = 50;
const previewSide = z.object({
  count: z.int().nonnegative(),
  /** The first of them. */
  names: z.array(z.string()),
});

/** What would happen if the rule were switched on now. */
export const rolePreview = z.object({
  /** Shown when it is switched on, and good for ten minutes. */
  previewId: z.string(),
  version: z.int(),
  obstacle,
  gains: previewSide,
  /** Who has it now and would lose it. */
  losses: previewSide,
});
export type RolePreview = z.infer<typeof rolePreview>;

const ofRule = z.object({ id: z.string().max(64) });
const reading = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const;
const writing = [...reading, 'CROSS_ORIGIN'] as const;
const roles = z.array(givableRole).nullable();

export const discordRolesHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/discord/role-rules',
    summary: 'Who gets which role of the Discord server, and which role opens which game server',
    access: 'settings.read',
    response: z.object({
      rules: z.array(roleRule),
      /** Null while the bot is away. */
      roles,
    }),
    problems: reading,
  }),
  roles: endpoint({
    method: 'GET',
    path: '/api/discord/roles',
    summary: 'The roles of the Discord server that a product could give',
    access: 'store.read',
    response: z.object({ roles }),
    problems: reading,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/discord/role-rules',
    summary: 'Add a rule for a role; it does nothing until it is switched on',
    access: 'settings.write',
    body: newRoleRule,
    response: roleRule,
    problems: [...writing, 'INVALID_REQUEST', 'DISCORD_ROLE_UNFIT'],
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/discord/role-rules/:id/preview',
    summary: 'Who would get and who would lose the role if the rule were switched on; nothing happens',
    access: 'settings.write',
    params: ofRule,
    body: z.strictObject({}),
    response: rolePreview,
    problems: [...writing, 'NOT_FOUND'],
  }),
  enable: endpoint({
    method: 'POST',
    path: '/api/discord/role-rules/:id/enable',
    summary: 'Switch a rule on, as previewed; refused when much more would happen than the preview showed',
    access: 'settings.write',
    proof: 'step-up',
    params: ofRule,
    body: z.strictObject({ version: z.int(), previewId: z.string().max(64) }),
    response: roleRule,
    problems: [...writing, 'NOT_FOUND', 'CONFLICT', 'DISCORD_ROLE_UNFIT'],
  }),
  disable: endpoint({
    method: 'POST',
    path: '/api/discord/role-rules/:id/disable',
    summary: 'Switch a rule off, with the others that give the role: everyone keeps what they have',
    access: 'settings.write',
    params: ofRule,
    body: z.strictObject({}),
    response: roleRule,
    problems: [...writing, 'NOT_FOUND'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/discord/role-rules/:id',
    summary:
      'Remove a rule; if it is on, the others that give the role are switched off: everyone keeps what they have',
    access: 'settings.write',
    params: ofRule,
    response: z.object({}),
    problems: [...writing, 'NOT_FOUND'],
  }),
} as const;

/** Why a role changes; Discord's audit log shows it. */
export const roleChangeReasons = [
  'linked',
  'points',
  'hours',
  'bought',
  'not-earned',
  'refunded',
  'ended',
] as const;
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
 * - `done`: Discord has confirmed it
 * - `in-doubt`: it may have been done, and may be done again
 * - `member-gone`: Discord knows no such member
 * - the rest are obstacles
 */
export const roleChangeOutcomes = [
  'done',
  'in-doubt',
  'member-gone',
  'role-unknown',
  'role-refused',
] as const;
export type RoleChangeOutcome = (typeof roleChangeOutcomes)[number];

export const discordRolesBotHttp = {
  reportRoles: endpoint({
    method: 'PUT',
    path: '/api/internal/bot/roles',
    summary: 'The bot tells which roles there are, and which of them it can give',
    access: 'bot.report',
    body: botRoles,
    bodyBytes: 1_000_000,
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  hear: endpoint({
    method: 'POST',
    path: '/api/internal/bot/roles/heartbeat',
    summary: 'The bot tells that it is at work, while Discord makes it wait',
    access: 'bot.report',
    body: z.strictObject({ guildId: discordId }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED'],
  }),
  take: endpoint({
    method: 'POST',
    path: '/api/internal/bot/role-changes',
    summary:
      'The bot takes the next change of a role, once it is done with the one before; the same one again until it is settled',
    access: 'bot.report',
    body: z.strictObject({ guildId: discordId }),
    response: z.object({
      /** False: tell the roles first. */
      isGuildKnown: z.boolean(),
      language: z.enum(languages),
      changes: z.array(roleChange).max(1),
    }),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/internal/bot/role-changes/:id/settle',
    summary: 'What became of the change of a role',
    access: 'bot.report',
    params: z.object({ id: z.string().max(64) }),
    body: z.strictObject({ guildId: discordId, outcome: z.enum(roleChangeOutcomes) }),
    response: z.object({}),
    problems: ['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'],
  }),
} as const;
