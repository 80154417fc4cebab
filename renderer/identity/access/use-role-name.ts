import { type BuiltInRole, builtInRoles } from '#contracts/identity/permissions.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { roleNameWords } from '../role-names.words.ts';

export const isBuiltInRole = (id: string): id is BuiltInRole => Object.hasOwn(builtInRoles, id);

/** The name of a role: built-in ones in the reader's language, custom ones as they were named. */
export const useRoleName = (): ((role: { readonly id: string; readonly name: string }) => string) => {
  const roles = useWords(roleNameWords);
  return ({ id, name }) => (isBuiltInRole(id) ? roles[id] : name);
};
