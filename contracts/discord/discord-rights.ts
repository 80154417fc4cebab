import * as z from 'zod';
import { discordUserPermissions } from '../identity/permissions.ts';
import { endpoint } from '../kernel/http.ts';
import { discordId } from './discord-application.ts';

const discordPermission = z.enum(discordUserPermissions);

/** What the holders of a Discord role may do through the bot's commands. */
const discordRoleRights = z
  .object({
    discordRoleId: z.string(),
    /** The name when it was mapped. */
    name: z.string(),
    permissions: z.array(discordPermission),
  })
  .meta({ id: 'DiscordRoleRights' });
export type DiscordRoleRights = z.infer<typeof discordRoleRights>;

const ofRole = z.object({ id: discordId });

export const discordRightsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/discord/role-rights',
    summary: 'List the roles of the Discord server, with the permissions their holders have through the bot',
    access: 'admins.read',
    response: z.object({
      rows: z.array(discordRoleRights),
      /** The Discord server's roles, highest first; null: Discord could not be asked. */
      roles: z.array(z.object({ id: z.string(), name: z.string() })).nullable(),
    }),
    problems: ['DATABASE_UNAVAILABLE'],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/discord/role-rights/:id',
    summary:
      'Set the permissions that holders of a Discord role have through the bot; you can only grant permissions you hold',
    access: 'admins.write',
    proof: 'step-up',
    params: ofRole,
    body: z.strictObject({
      name: z.string().trim().min(1).max(100),
      permissions: z.array(discordPermission).min(1).max(discordUserPermissions.length),
    }),
    response: discordRoleRights,
    problems: ['DATABASE_UNAVAILABLE', 'DISCORD_ROLE_UNFIT'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/discord/role-rights/:id',
    summary: 'Revoke the permissions that holders of a Discord role have through the bot',
    access: 'admins.write',
    proof: 'person',
    params: ofRole,
    response: z.object({}),
    problems: ['DATABASE_UNAVAILABLE', 'NOT_FOUND'],
  }),
} as const;

/** The caller's own Discord account, on the profile page. */
export const ownDiscordHttp = {
  read: endpoint({
    method: 'GET',
    path: '/api/me/discord',
    summary: 'Return the Discord account linked to yours',
    access: 'session',
    proof: 'person',
    response: z.object({
      linked: z
        .object({ discordId: z.string(), discordName: z.string(), linkedAt: z.iso.datetime() })
        .nullable(),
    }),
    problems: ['DATABASE_UNAVAILABLE'],
  }),
  code: endpoint({
    method: 'POST',
    path: '/api/me/discord/code',
    summary:
      'Create a code, valid once and for ten minutes, that links the Discord account that enters it with `/link`',
    access: 'session',
    proof: 'step-up',
    response: z.object({ code: z.string(), expiresAt: z.iso.datetime() }),
    problems: ['DATABASE_UNAVAILABLE', 'CROSS_ORIGIN'],
  }),
  unlink: endpoint({
    method: 'DELETE',
    path: '/api/me/discord',
    summary: 'Unlink your Discord account',
    access: 'session',
    proof: 'person',
    response: z.object({}),
    problems: ['DATABASE_UNAVAILABLE', 'CROSS_ORIGIN'],
  }),
} as const;
