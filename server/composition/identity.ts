import type { Kysely } from 'kysely';
import { publicOrigin } from '#contracts/operations/public-address.ts';
import type { Log } from '#runtime/log.ts';
import { createPasswordHasher, type PasswordCost } from '#runtime/password-hash.ts';
import type { LocalOwner } from '#runtime/program.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { createActFor } from '../discord/discord-rights/acting-user.ts';
import { type AdminLinks, createAdminLinks, endDiscordLink } from '../discord/discord-rights/admin-links.ts';
import { createRoleRights, type RoleRights } from '../discord/discord-rights/role-rights.ts';
import { bindAdminsRoutes } from '../identity/admins/admins.routes.ts';
import { createAdmins } from '../identity/admins/admins.ts';
import { bindOwnAccountRoutes } from '../identity/admins/own-account.routes.ts';
import { createOwnAccount } from '../identity/admins/own-account.ts';
import { createSecondFactor } from '../identity/admins/second-factor.ts';
import { bindSetupRoutes } from '../identity/admins/setup.routes.ts';
import { createSetupLink } from '../identity/admins/setup-link.ts';
import { createStepUp } from '../identity/admins/step-up.ts';
import { actorOfApiKey, authenticateApiKey } from '../identity/api-keys/api-key-credential.ts';
import { bindApiKeysRoutes } from '../identity/api-keys/api-keys.routes.ts';
import { createApiKeys, keysOf, revokeKeysOf } from '../identity/api-keys/api-keys.ts';
import { createKeysInUse } from '../identity/api-keys/keys-in-use.ts';
import { bindDesktopAccessRoutes } from '../identity/desktop-access/desktop-access.routes.ts';
import { createDesktopAccesses } from '../identity/desktop-access/desktop-access.ts';
import { type ChangeRights, createChangeRights, type RenewActor } from '../identity/rights-lock.ts';
import { bindRolesRoutes } from '../identity/roles/roles.routes.ts';
import { createRoles } from '../identity/roles/roles.ts';
import { createDeviceCookies } from '../identity/sessions/device-cookie.ts';
import { forgetDevices, keepDevice } from '../identity/sessions/known-devices.ts';
import { actorOfSession, authenticateSession } from '../identity/sessions/session-credential.ts';
import { bindSessionsRoutes } from '../identity/sessions/sessions.routes.ts';
import { endSessions, listSessions } from '../identity/sessions/sessions.ts';
import { createSignIn } from '../identity/sessions/sign-in.ts';
import { bindTicketsRoutes } from '../identity/tickets/tickets.routes.ts';
import { createTickets, type Tickets } from '../identity/tickets/tickets.ts';
import { type AccessChanges, createAccessChanges } from '../kernel/access/access-changes.ts';
import type { Actor } from '../kernel/access/actor.ts';
import type { ApiRoutes, Authenticate } from '../kernel/access/authorize.ts';
import {
  authenticateDesktop,
  authenticateKeptDesktop,
  refreshDesktop,
} from '../kernel/access/desktop-credential.ts';
import { authenticateBot } from '../kernel/access/internal-secret.ts';
import { nameKey } from '../kernel/access/name-key.ts';
import type { Tables } from '../kernel/database/tables.ts';
import type { EventRecorder } from '../kernel/events/event-recorder.ts';
import type { Secrets } from '../kernel/secrets/secrets.ts';
import type { CommunityProfile } from '../operations/community/community.ts';
import type { Settings } from '../operations/settings/settings.ts';
import { firstUnknownServer } from '../servers/game-servers/known-servers.ts';

/** Everything about who signs in and what they may do. */
export interface Identity {
  readonly authenticators: readonly Authenticate[];
  readonly tickets: Tickets;
  readonly changes: AccessChanges;
  /** For what ends with the permissions of those who ask for it. */
  readonly changeRights: ChangeRights;
  /** Which admins and Discord roles allow people in Discord to do what. */
  readonly discordRights: { readonly adminLinks: AdminLinks; readonly roleRights: RoleRights };
  /** An actor with their current permissions; null when the session or key has ended. For connections that stay open. */
  refresh(actor: Actor): Promise<Actor | null>;
  bind(routes: ApiRoutes): void;
  /** Called once the schema is in place. */
  prepare(): Promise<void>;
}

/** Budget for tries at the own password, by someone at an open session. */
const ownPasswordTries = { capacity: 5, refillMs: 30_000 };

const renewActor: RenewActor = async (db, actor) => {
  if (actor.kind === 'admin' && actor.sessionId !== undefined) return actorOfSession(db, actor.sessionId);
  if (actor.kind === 'api-key') return actorOfApiKey(db, actor.id);
  return actor.kind === 'desktop' ? refreshDesktop(db, actor) : actor;
};

export const createIdentity = (options: {
  readonly db: Kysely<Tables>;
  readonly config: StackConfig;
  readonly home: string;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly events: EventRecorder;
  readonly settings: Pick<Settings, 'suggest' | 'values'>;
  readonly community: Pick<CommunityProfile, 'face' | 'read'>;
  /** As the supervisor reported; null without one. */
  readonly localOwner: () => LocalOwner | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Default: as recommended. */
  readonly passwordCost?: PasswordCost | undefined;
}): Identity => {
  const { db, config, home, log, secrets, events, settings, community, localOwner, now } = options;

  const publicAddress = async () => {
    const { publicAddress } = await settings.values('general');
    return publicOrigin(publicAddress);
  };
  const passwords = createPasswordHasher(options.passwordCost);
  const secondFactor = createSecondFactor(secrets, now);
  const changes = createAccessChanges();
  const tickets = createTickets(now);
  const setupLink = createSetupLink({ db, home, apiOrigin: config.apiOrigin, log });
  const changeRights = createChangeRights(db, renewActor);
  const roles = createRoles(db, changeRights);
  const admins = createAdmins({
    db,
    changeRights,
    passwords,
    async endSessions(trx, adminId) {
      await forgetDevices(trx, adminId);
      await endDiscordLink(trx, adminId);
      return endSessions(trx, { adminId });
    },
    revokeKeys: revokeKeysOf,
    keysOf,
    firstUnknownServer,
  });
  const devices = createDeviceCookies([config.configEncryptionKey, ...config.previousKeys]);
  const ownTries = createTokenBuckets(ownPasswordTries, now);
  const account = createOwnAccount({
    db,
    changeRights,
    passwords,
    secondFactor,
    countTry: ownTries.tryTake,
    endOtherSessions: (trx, { id, sessionId }) =>
      endSessions(trx, { adminId: id, ...(sessionId === undefined ? {} : { except: sessionId }) }),
    endDiscordLink,
    async keepDevice(trx, { adminId, name, oldPasswordHash }, cookie) {
      const device = devices.deviceOf(cookie, nameKey(name));
      if (device !== null) await keepDevice(trx, { adminId, device, oldPasswordHash });
    },
  });
  const onFailed = (name: string, address: string) => events.record('login.failed', { name, address });
  const stepUp = createStepUp({ db, passwords, secondFactor, now, onFailed });
  const inUse = createKeysInUse();
  const signIn = createSignIn({
    db,
    passwords,
    secondFactor,
    devices,
    now,
    onFailed,
  });

  return {
    authenticators: [
      authenticateBot(config.internalApiSecret, createActFor(db)),
      authenticateDesktop(localOwner),
      authenticateSession(db, publicAddress),
      authenticateKeptDesktop(db),
      authenticateApiKey(db, inUse),
    ],
    tickets,
    changes,
    changeRights,
    discordRights: {
      adminLinks: createAdminLinks(db, now),
      roleRights: createRoleRights(db, changeRights),
    },
    refresh: (actor) => renewActor(db, actor),
    bind(routes) {
      bindSetupRoutes(routes, {
        db,
        passwords,
        suggest: (trx, values, by) => settings.suggest(trx, 'general', { values, by }),
        setupLink,
        community: community.face,
        publicAddress,
      });
      bindSessionsRoutes(routes, { db, signIn, changes, publicAddress });
      bindOwnAccountRoutes(routes, { account, stepUp, community: community.read }, changes);
      bindAdminsRoutes(routes, {
        admins,
        sessionsOf: (adminId, current) => listSessions(db, adminId, current),
        changes,
        keysEnded: inUse.ended,
        onCreated: setupLink.withdraw,
      });
      bindRolesRoutes(routes, roles, changes);
      bindApiKeysRoutes(routes, {
        apiKeys: createApiKeys({ db, changeRights, firstUnknownServer }),
        inUse,
        changes,
      });
      bindDesktopAccessRoutes(routes, createDesktopAccesses(db, changeRights), changes);
      bindTicketsRoutes(routes, tickets);
    },
    prepare: setupLink.offer,
  };
};
