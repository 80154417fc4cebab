import type { BuiltInRole } from '#contracts/permissions.ts';
import { defineWords } from '../language/define-words.ts';

/** What the panel calls the built-in roles. */
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
