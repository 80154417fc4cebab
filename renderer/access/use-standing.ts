import type { Me } from '#contracts/account.ts';
import { desktopBridge } from '../desktop/desktop-bridge.ts';
import { useWords } from '../language/use-words.ts';
import { accessWords } from './access.words.ts';
import { rightsWords } from './rights.words.ts';
import { isBuiltInRole } from './use-role-name.ts';

/** What somebody is here. The names of roles that were made are told only to those who may see all admins. */
export const useStanding = ({ kind, account }: Pick<Me, 'kind' | 'account'>): string => {
  const { standing } = useWords(accessWords);
  const { roles } = useWords(rightsWords);
  // Where Windows runs the stack, the desktop comes in by a key of its own.
  if (kind === 'desktop' || desktopBridge()) return standing.desktop;
  if (kind === 'api-key') return standing.key;
  const role = account?.role ?? null;
  if (role === null) return standing.servers;
  return isBuiltInRole(role) ? roles[role] : standing.ownRole;
};
