import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { newPassword, personName } from '../kernel/person-name.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { session } from './sessions.ts';

/** A role's permissions, granted for a single server. */
const serverGrant = z.strictObject({ serverId: z.string().min(1).max(64), role: z.string().max(64) });
export type ServerGrant = z.infer<typeof serverGrant>;

export const admin = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Null: no permissions except those granted for single servers. */
    role: z.string().nullable(),
    serverGrants: z.array(serverGrant),
    disabled: z.boolean(),
    /** Uses two-step sign-in. */
    totp: z.boolean(),
    createdAt: z.iso.datetime(),
    lastSignInAt: z.iso.datetime().nullable(),
    /** Incremented by every change of name, role, grants or `disabled`. */
    version: z.int(),
  })
  .meta({ id: 'Admin' });
export type Admin = z.infer<typeof admin>;

const rights = {
  role: z.string().max(64).nullable(),
  serverGrants: z
    .array(serverGrant)
    .max(1000)
    .refine((grants) => new Set(grants.map(({ serverId }) => serverId)).size === grants.length, {
      error: 'must name each server once',
    }),
};

const newAdmin = z.strictObject({
  name: personName,
  password: newPassword,
  role: rights.role,
  serverGrants: rights.serverGrants.default([]),
});
export type NewAdmin = z.output<typeof newAdmin>;

const adminChange = z.strictObject({
  /** The version that the change is based on. */
  version: rowVersion,
  name: personName.optional(),
  role: rights.role.optional(),
  serverGrants: rights.serverGrants.optional(),
  disabled: z.boolean().optional(),
});
export type AdminChange = z.output<typeof adminChange>;

const passwordReset = z.strictObject({
  password: newPassword,
  /** Also turns off two-step sign-in, for an admin who has lost both the device and the codes. */
  clearTotp: z.boolean().default(false),
  /** The admin's API keys keep working; otherwise they are revoked. */
  keepApiKeys: z.boolean().default(false),
});
export type PasswordReset = z.output<typeof passwordReset>;

const ofAdmin = z.object({ id: z.string().max(64) });
const reading = ['UNAUTHENTICATED', 'FORBIDDEN'] as const;
const changing = [...reading, 'CROSS_ORIGIN'] as const;

/** No one can give permissions that they lack, or change an admin who holds such permissions. */
export const adminsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/admins',
    summary: 'List all admins, by name',
    access: 'admins.read',
    response: z.object({ rows: z.array(admin) }),
    problems: reading,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/admins',
    summary: 'Create an admin',
    access: 'admins.write',
    proof: 'step-up-by-case',
    body: newAdmin,
    response: admin,
    problems: [...changing, 'NAME_TAKEN'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/admins/:id',
    summary:
      "Change an admin's name, role or grants, or disable the admin; a disabled admin is signed out immediately",
    access: 'admins.write',
    proof: 'step-up-by-case',
    params: ofAdmin,
    body: adminChange,
    response: admin,
    problems: [...changing, 'NOT_FOUND', 'NAME_TAKEN', 'CONFLICT', 'LAST_OWNER'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admins/:id',
    summary: 'Delete an admin with all their sessions and API keys',
    access: 'admins.write',
    proof: 'step-up-by-case',
    params: ofAdmin,
    response: z.object({}),
    problems: [...changing, 'NOT_FOUND', 'LAST_OWNER'],
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/admins/:id/password-reset',
    summary:
      "Set another admin's password: ends their sessions and known devices and, unless kept, revokes their API keys",
    access: 'admins.write',
    proof: 'step-up',
    params: ofAdmin,
    body: passwordReset,
    response: admin,
    problems: [...changing, 'NOT_FOUND'],
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/admins/:id/sessions',
    summary: "List an admin's sessions, most recently used first",
    access: 'admins.read',
    params: ofAdmin,
    response: z.object({ rows: z.array(session) }),
    problems: reading,
  }),
  endSessions: endpoint({
    method: 'DELETE',
    path: '/api/admins/:id/sessions',
    summary: 'Sign an admin out everywhere',
    access: 'admins.write',
    proof: 'person',
    params: ofAdmin,
    response: z.object({ ended: z.int() }),
    problems: [...changing, 'NOT_FOUND'],
  }),
} as const;
