import { createPasswordHasher, type PasswordCost } from '#runtime/password-hash.ts';
import type { LocalOwner } from '#runtime/program.ts';
import { type AccessChanges, createAccessChanges } from '../kernel/access/access-changes.ts';
import type { Actor } from '../kernel/access/actor.ts';
import type { ApiRoutes, Authenticate } from '../kernel/access/authorize.ts';
import { bindAdminsRoutes } from './admins/admins.ts';
import { bindOwnAccountRoutes } from './admins/own-account.ts';
import { bindSetupRoutes } from './admins/setup.routes.ts';
import { offerSetupLink } from './admins/setup-link.ts';
import { authenticateApiKey } from './api-keys/api-key-credential.ts';
import { bindApiKeysRoutes } from './api-keys/api-keys.routes.ts';
import { createKeysInUse } from './api-keys/keys-in-use.ts';
import { authenticateBot } from './bot-access/internal-secret.ts';
import { bindDesktopAccessRoutes } from './desktop-access/desktop-access.ts';
import { authenticateDesktop, authenticateKeptDesktop } from './desktop-credential.ts';
import type { IdentityContext } from './identity-context.ts';
import { renewActor } from './rights-lock.ts';
import { bindRolesRoutes } from './roles/roles.ts';
import { createDeviceCookies } from './sessions/device-cookie.ts';
import { authenticateSession } from './sessions/session-credential.ts';
import { bindSessionsRoutes } from './sessions/sessions.routes.ts';
import { bindTicketsRoutes, createTickets, type Tickets } from './tickets/tickets.ts';

/** Everything about who signs in and what they may do. */
export interface Identity {
  readonly authenticators: readonly Authenticate[];
  readonly tickets: Tickets;
  readonly changes: AccessChanges;
  /** An actor with their current permissions; null when the session or key has ended. For connections that stay open. */
  refresh(actor: Actor): Promise<Actor | null>;
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place. */
  prepare(): Promise<void>;
}

export const createIdentity = (
  options: Omit<IdentityContext, 'passwords' | 'changes' | 'keysInUse'> & {
    /** As the supervisor reported; null without one. */
    readonly localOwner: () => LocalOwner | null;
    /** A person in Discord, whom the bot names, with their current permissions. */
    readonly actFor: Parameters<typeof authenticateBot>[1];
    /** Default: as recommended. */
    readonly passwordCost?: PasswordCost | undefined;
  },
): Identity => {
  const { localOwner, actFor, passwordCost, ...given } = options;
  const { db, config, now, publicAddress } = given;
  const changes = createAccessChanges();
  const keysInUse = createKeysInUse();
  const context: IdentityContext = {
    ...given,
    passwords: createPasswordHasher(passwordCost),
    changes,
    keysInUse,
  };
  const tickets = createTickets(now);
  const devices = createDeviceCookies([config.configEncryptionKey, ...config.previousKeys]);

  return {
    authenticators: [
      authenticateBot(config.internalApiSecret, actFor),
      authenticateDesktop(localOwner),
      authenticateSession(db, publicAddress),
      authenticateKeptDesktop(db),
      authenticateApiKey(db, keysInUse),
    ],
    tickets,
    changes,
    refresh: (actor) => renewActor(db, actor),
    bind(routes) {
      bindSetupRoutes(routes, context);
      bindSessionsRoutes(routes, context, devices);
      bindOwnAccountRoutes(routes, context, devices);
      bindAdminsRoutes(routes, context);
      bindRolesRoutes(routes, context);
      bindApiKeysRoutes(routes, context);
      bindDesktopAccessRoutes(routes, context);
      bindTicketsRoutes(routes, tickets);
    },
    prepare: () => offerSetupLink(context),
  };
};
