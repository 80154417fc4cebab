import { type BuiltInRole, builtInRoles } from '#contracts/permissions.ts';
import { useWords } from '../language/use-words.ts';
import { roleNameWords } from './role-names.words.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export const isBuiltInRole = (id: string): id is BuiltInRole => Object.hasOwn(builtInRoles, id);

/** What a role is called: the built-in ones in the reader's language, the others as somebody named them. */
export const useRoleName = (): ((role: Named) => string) => {
  const roles = useWords(roleNameWords);
  return ({ id, name }) => (isBuiltInRole(id) ? roles[id] : name);
};
