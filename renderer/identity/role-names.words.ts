import type { BuiltInRole } from '#contracts/identity/permissions.ts';
import { defineWords } from '#contracts/kernel/words.ts';

/** The panel's names for the built-in roles. */
export const roleNameWords = defineWords(
  {
    owner: 'Owner',
    admin: 'Administrator',
    moderator: 'Moderator',
    viewer: 'Viewer',
  } satisfies Record<BuiltInRole, string>,
  {
    owner: 'Proprietário',
    admin: 'Administrador',
    moderator: 'Moderador',
    viewer: 'Observador',
  },
);
