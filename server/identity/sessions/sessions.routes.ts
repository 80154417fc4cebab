import type { Request } from 'express';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { isCrossOrigin } from '#runtime/auth/same-origin.ts';
import { Problem } from '#runtime/problem.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { demandGranted } from '../../kernel/http/refusal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { challengeSeconds } from './challenges.ts';
import type { DeviceCookies } from './device-cookie.ts';
import { clearCookie, readCookie, setCookie } from './session-cookies.ts';
import { endSessionsAudited, listSessions } from './sessions.ts';
import { createSignIn, type SignedIn, type SignInClient } from './sign-in.ts';

const maxUserAgent = 300;

type Transport = 'cookie' | 'bearer';

const clientOf = (request: Request, address: string, transport: Transport): SignInClient => ({
  address,
  userAgent: (request.get('User-Agent') ?? '').slice(0, maxUserAgent),
  deviceCookie: readCookie(request, 'device'),
  isBrowser: transport === 'cookie',
});

export const bindSessionsRoutes = (
  routes: ApiRoutes,
  context: IdentityContext,
  devices: DeviceCookies,
): void => {
  const { db, changes, publicAddress } = context;
  const signIn = createSignIn(context, devices);
  /** Another site must not sign anyone in either, under a name of its choice. */
  const demandNoOtherSite = async (request: Request) => {
    if (isCrossOrigin(request) && isCrossOrigin(request, await publicAddress()))
      throw new Problem('CROSS_ORIGIN');
  };
  const tell = (request: Request, transport: Transport, signedIn: SignedIn) => {
    const { outcome, sessionId, token, deviceCookie } = signedIn;
    if (transport === 'bearer') return { outcome, sessionId, token };
    setCookie(request, 'session', token);
    if (deviceCookie !== null) setCookie(request, 'device', deviceCookie);
    return { outcome, sessionId, token: null };
  };

  routes.on(sessionsHttp.signIn, async ({ body }, { address, request }) => {
    await demandNoOtherSite(request);
    const result = demandGranted(await signIn.withPassword(body, clientOf(request, address, body.transport)));
    if (result.outcome === 'signed-in') return tell(request, body.transport, result);
    return { ...result, expiresInSeconds: challengeSeconds };
  });
  routes.on(sessionsHttp.secondStep, async ({ body }, { address, request }) => {
    await demandNoOtherSite(request);
    const result = demandGranted(await signIn.withCode(body, clientOf(request, address, body.transport)));
    return tell(request, body.transport, result);
  });

  const end = async (what: { readonly only?: string; readonly except?: string }, by: AuditContext) => {
    const ended = await endSessionsAudited(db, { adminId: by.actor.id, ...what }, by);
    changes.announce();
    return ended;
  };
  routes.on(sessionsHttp.signOut, async (_input, by) => {
    if (by.actor.sessionId !== undefined) await end({ only: by.actor.sessionId }, by);
    clearCookie(by.request, 'session');
    return {};
  });
  routes.on(sessionsHttp.list, async (_input, { actor }) => ({
    rows: await listSessions(db, actor.id, actor.sessionId),
  }));
  routes.on(sessionsHttp.end, async ({ params }, by) => {
    if ((await end({ only: params.id }, by)) === 0) throw new Problem('NOT_FOUND');
    return {};
  });
  routes.on(sessionsHttp.endOthers, async (_input, by) => ({
    ended: await end(by.actor.sessionId === undefined ? {} : { except: by.actor.sessionId }, by),
  }));
};
