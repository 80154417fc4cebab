import type { Me } from '#contracts/identity/account.ts';
import { desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { roleNameWords } from '../role-names.words.ts';
import { accessWords } from './access.words.ts';
import { isBuiltInRole } from './use-role-name.ts';

/** The role of an account in words. Only those who may see all admins receive the names of custom roles. */
export const useRoleLabel = ({ kind, account }: Pick<Me, 'kind' | 'account'>): string => {
  const { standing } = useWords(accessWords);
  const roles = useWords(roleNameWords);
  // Where Windows runs the stack, the desktop gets in by its own key.
  if (kind === 'desktop' || desktopBridge()) return standing.desktop;
  if (kind === 'api-key') return standing.key;
  const role = account?.role ?? null;
  if (role === null) return standing.servers;
  return isBuiltInRole(role) ? roles[role] : standing.ownRole;
};
