import type { Request } from 'express';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { customersHttp, revealCodeMinutes, signInCodeMinutes } from '#contracts/portal/customers.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import type { Handler, RequestContext } from '#runtime/http/routes.ts';
import { Problem } from '#runtime/problem.ts';
import { acceptedLanguage } from '../language/requested-language.ts';
import type { PortalRoutes } from '../portal-routes.ts';
import type { TransferRefusal } from '../transfers/transfer-rules.ts';
import type { CustomerArea } from './customer-area.ts';
import type { Customer, CustomerSessions } from './customer-sessions.ts';
import { wordsOfRefusal } from './transfer-words.ts';

/**
 * The customer whose bearer token a program sends. Browser sessions are not valid here, nor are programs' tokens in a
 * browser. @throws {Problem}
 */
const bearerCustomer = async (sessions: CustomerSessions, request: Request): Promise<Customer> => {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  const customer = await sessions.find(token, 'program');
  if (customer) return customer;
  throw new Problem('UNAUTHENTICATED', {
    detail: 'Sign in with an e-mail address and a code.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
};

/** The customer area for programs, mainly the desktop's license wizard. */
export const customerRoutes = (routes: PortalRoutes, area: CustomerArea): void => {
  const { signIn, sessions, licenses, reveal, transfers } = area;

  routes.on(customersHttp.requestCode, async ({ body }, { request, address }) => {
    const pending = signIn.newPending();
    const answer = await signIn.requestCode(body.email, pending, {
      address: countedAddress(address, request.socket.remoteAddress),
      language: acceptedLanguage(request),
    });
    if (answer.outcome === 'rate-limited') throw rateLimited(answer.retryAfterSeconds);
    return { pending, expiresInSeconds: signInCodeMinutes * 60 };
  });
  routes.on(customersHttp.signIn, async ({ body }, { request, address }) => {
    const client = {
      kind: 'program',
      address: countedAddress(address, request.socket.remoteAddress),
      userAgent: request.get('User-Agent') ?? '',
    } as const;
    const answer = await signIn.signIn(body.pending, body.code, client);
    if (answer.outcome !== 'signed-in') throw wrongCode(answer);
    const { token, email, expiresAt } = answer;
    return { token, email, expiresAt: expiresAt.toISOString() };
  });

  /** Binds an endpoint for signed-in customers. */
  const own = <const E extends Endpoint>(
    endpoint: E,
    handle: (
      customer: Customer,
      input: Parameters<Handler<E, null>>[0],
      context: RequestContext<null>,
    ) => ReturnType<Handler<E, null>>,
  ): void => {
    const handler = async (input: Parameters<Handler<E, null>>[0], context: RequestContext<null>) =>
      handle(await bearerCustomer(sessions, context.request), input, context);
    routes.on(endpoint, handler as Handler<E, null>);
  };
  const licenseOf = async ({ tenantId }: Customer, id: string) => {
    const license = await licenses.find(tenantId, id);
    if (!license) throw new Problem('NOT_FOUND');
    return license;
  };

  own(customersHttp.licenses, async ({ tenantId, email }) => ({
    email,
    rows: [...(await licenses.list(tenantId))],
  }));
  own(customersHttp.license, async (customer, { params }) => ({
    license: await licenseOf(customer, params.id),
    history: await licenses.history(params.id, 'en'),
  }));
  own(customersHttp.requestTransfer, async (customer, { params, body }) => {
    const { tenantId } = customer;
    const answer = await transfers.request({ tenantId, licenseId: params.id, ...body });
    if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
    if (answer.outcome === 'rate-limited') throw rateLimited(answer.retryAfterSeconds);
    if (answer.outcome === 'refused') throw transferRefused(answer.refusal);
    return licenseOf(customer, params.id);
  });
  own(customersHttp.cancelTransfer, async (customer, { params }) => {
    await transfers.cancel(customer.tenantId, params.id);
    return licenseOf(customer, params.id);
  });
  own(customersHttp.requestRevealCode, async (customer, { params }, { request }) => {
    const answer = await reveal.requestCode(customer, params.id, acceptedLanguage(request));
    if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
    if (answer.outcome === 'rate-limited') throw rateLimited(answer.retryAfterSeconds);
    return { expiresInSeconds: revealCodeMinutes * 60 };
  });
  own(customersHttp.reveal, async (customer, { params, body }) => {
    const answer = await reveal.reveal(customer, params.id, body.code);
    if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
    if (answer.outcome !== 'revealed') throw wrongCode(answer);
    return { licenseKey: answer.licenseKey };
  });
  own(customersHttp.sessions, async (customer) => ({ rows: [...(await sessions.list(customer))] }));
  own(customersHttp.signOut, async ({ token }) => {
    await sessions.end(token);
    return {};
  });
  own(customersHttp.signOutEverywhere, async ({ tenantId }) => ({ ended: await sessions.endAll(tenantId) }));
};

const rateLimited = (seconds: number): Problem =>
  new Problem('RATE_LIMITED', {
    detail: `Wait ${seconds} s before the next request.`,
    headers: { 'Retry-After': String(seconds) },
  });

const wrongCode = (answer: { outcome: 'gone' } | { outcome: 'wrong'; triesLeft: number }): Problem =>
  new Problem('WRONG_CREDENTIALS', {
    detail:
      answer.outcome === 'gone'
        ? 'The code has run out, was used, or was tried too often. Request a new one.'
        : `The code is not right. Tries left: ${answer.triesLeft}.`,
  });

const transferRefused = (refusal: TransferRefusal): Problem =>
  new Problem('TRANSFER_REFUSED', {
    detail: wordsOfRefusal(refusal, 'en'),
    extensions: {
      reason: refusal.reason,
      ...(refusal.reason === 'too-soon' ? { nextFreeAt: refusal.nextFreeAt.toISOString() } : {}),
    },
  });
