import { accountHttp } from '#contracts/identity/account.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { DeviceCookies } from '../sessions/device-cookie.ts';
import { readCookie } from '../sessions/session-cookies.ts';
import { createOwnAccount } from './own-account.ts';
import { createStepUp } from './step-up.ts';

export const bindOwnAccountRoutes = (
  routes: ApiRoutes,
  context: IdentityContext,
  devices: DeviceCookies,
): void => {
  const { community, changes } = context;
  const account = createOwnAccount(context, devices);
  const stepUp = createStepUp(context);
  routes.on(accountHttp.me, async (_input, { actor }) => ({
    kind: kindOf(actor),
    id: actor.id,
    name: actor.name,
    permissions: [...actor.permissions],
    serverPermissions: Object.fromEntries(
      [...actor.serverPermissions].map(([serverId, granted]) => [serverId, [...granted]]),
    ),
    account: await account.read(actor),
    community: await community.read(),
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
