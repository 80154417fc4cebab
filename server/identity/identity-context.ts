import type { Kysely } from 'kysely';
import type { Community, CommunityFace } from '#contracts/operations/community.ts';
import type { ReadPublicAddress } from '#runtime/auth/same-origin.ts';
import type { PasswordHasher } from '#runtime/password-hash.ts';
import type { AccessChanges } from '../kernel/access/access-changes.ts';
import type { AuditEntry } from '../kernel/audit/record-audit.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { KeysInUse } from './api-keys/keys-in-use.ts';

/** What this domain is built with; a function names the part that it uses. */
export interface IdentityContext
  extends Pick<Kernel, 'db' | 'config' | 'home' | 'secrets' | 'events' | 'log'>,
    ValuesFromHigherDomains {
  readonly passwords: PasswordHasher;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly changes: AccessChanges;
  readonly keysInUse: KeysInUse;
}

interface ValuesFromHigherDomains {
  readonly community: {
    readonly face: () => Promise<CommunityFace>;
    readonly read: () => Promise<Community>;
  };
  readonly publicAddress: ReadPublicAddress;
  /** Makes them the community's if none was chosen. */
  readonly suggest: (
    trx: Kysely<Tables>,
    values: { readonly language?: string | undefined; readonly timeZone?: string | undefined },
    by: Pick<AuditEntry, 'actor' | 'address'>,
  ) => Promise<void>;
  /** The index of the first id that no game server has; null when all exist. */
  readonly firstUnknownServer: (trx: Kysely<Tables>, serverIds: readonly string[]) => Promise<number | null>;
  /** A Discord account that acts for the admin loses that link, in the caller's transaction. */
  readonly endDiscordLink: (trx: Kysely<Tables>, adminId: string) => Promise<void>;
}
