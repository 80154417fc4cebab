import { accountHttp } from '#contracts/identity/account.ts';
import type { Community } from '#contracts/operations/community.ts';
import type { AccessChanges } from '../../kernel/access/access-changes.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { readCookie } from '../../kernel/access/session-cookies.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { OwnAccount } from './own-account.ts';
import type { StepUp } from './step-up.ts';

export const bindOwnAccountRoutes = (
  routes: ApiRoutes,
  options: {
    readonly account: OwnAccount;
    readonly stepUp: StepUp;
    readonly community: () => Promise<Community>;
  },
  changes: AccessChanges,
): void => {
  const { account, stepUp, community } = options;
  routes.on(accountHttp.me, async (_input, { actor }) => ({
    kind: kindOf(actor),
    id: actor.id,
    name: actor.name,
    permissions: [...actor.permissions],
    serverPermissions: Object.fromEntries(
      [...actor.serverPermissions].map(([serverId, granted]) => [serverId, [...granted]]),
    ),
    account: await account.read(actor),
    community: await community(),
  }));
  routes.on(accountHttp.stepUp, async ({ body }, by) => ({
    until: demandGranted(await stepUp(body, by)).toISOString(),
  }));
  routes.on(accountHttp.changePassword, async ({ body }, by) => {
    demandGranted(await account.changePassword(body, by, readCookie(by.request, 'device')));
    changes.announce();
    return {};
  });
  routes.on(accountHttp.enrolTotp, ({ body }, by) => account.enrolTotp(body.password, by));
  routes.on(accountHttp.confirmTotp, async ({ body }, by) => ({
    recoveryCodes: [...demandGranted(await account.confirmTotp(body.code, by))],
  }));
  routes.on(accountHttp.disableTotp, async ({ body }, by) => {
    demandGranted(await account.disableTotp(body.password, by));
    return {};
  });
  routes.on(accountHttp.renewRecoveryCodes, async ({ body }, by) => ({
    recoveryCodes: [...demandGranted(await account.renewRecoveryCodes(body.password, by))],
  }));
};

/** An actor that passes `signed-in` is one of these. */
const kindOf = ({ kind }: Actor): 'admin' | 'api-key' | 'desktop' => {
  if (kind === 'admin' || kind === 'api-key' || kind === 'desktop') return kind;
  throw new TypeError(`no account of its own: ${kind}`);
};
