import { timingSafeEqual } from 'node:crypto';
import { builtInRoles } from '#contracts/permissions.ts';
import type { LocalOwner } from '#runtime/program.ts';
import type { Actor } from './actor.ts';
import type { Authenticate } from './authorize.ts';
import { tokenDigest } from './secret-token.ts';

/** The owner of this machine, who comes in by what the supervisor made up at its start and told the API alone. */
export const authenticateDesktop =
  (localOwner: () => LocalOwner | null): Authenticate =>
  ({ bearer }) => {
    const owner = localOwner();
    if (!owner || bearer === null) return null;
    const fits = timingSafeEqual(tokenDigest(bearer), tokenDigest(owner.credential.reveal()));
    return fits ? desktopActor(owner.user) : null;
  };

const desktopActor = (user: string): Actor => ({
  kind: 'desktop',
  id: user,
  name: `${user} on this machine`,
  permissions: new Set(builtInRoles.owner),
  serverPermissions: new Map(),
});
