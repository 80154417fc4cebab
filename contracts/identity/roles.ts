import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { personName } from '../kernel/person-name.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { permissionSchema } from './permissions.ts';

const role = z
  .object({
    /** For a built-in role: owner, admin, moderator, viewer. */
    id: z.string(),
    name: z.string(),
    /** A built-in role cannot be changed. */
    builtIn: z.boolean(),
    permissions: z.array(permissionSchema),
    /** Incremented by every change. */
    version: z.int(),
  })
  .meta({ id: 'Role' });
export type Role = z.infer<typeof role>;

const roleInput = z.strictObject({
  name: personName,
  permissions: z.array(permissionSchema).max(200),
});
export type RoleInput = z.output<typeof roleInput>;

const roleChange = z.strictObject({
  /** The version that the change is based on. */
  version: rowVersion,
  ...roleInput.shape,
});
export type RoleChange = z.output<typeof roleChange>;

const ofRole = z.object({ id: z.string().max(64) });
const changing = ['UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_ORIGIN'] as const;

/** No one can add a permission that they lack to a role, or remove it from one. */
export const rolesHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/roles',
    summary: 'List all roles, built-in ones first',
    access: 'admins.read',
    response: z.object({ rows: z.array(role) }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/roles',
    summary: 'Create a custom role',
    access: 'admins.write',
    proof: 'step-up-by-case',
    body: roleInput,
    response: role,
    problems: [...changing, 'NAME_TAKEN'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/roles/:id',
    summary: 'Change a role; takes effect at the next request of each of its holders',
    access: 'admins.write',
    proof: 'step-up-by-case',
    params: ofRole,
    body: roleChange,
    response: role,
    problems: [...changing, 'NOT_FOUND', 'NAME_TAKEN', 'CONFLICT'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/roles/:id',
    summary: 'Delete a role that no one holds',
    access: 'admins.write',
    proof: 'person',
    params: ofRole,
    response: z.object({}),
    problems: [...changing, 'NOT_FOUND', 'ROLE_IN_USE'],
  }),
} as const;
