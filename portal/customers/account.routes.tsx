import type { Request } from 'express';
import { type CustomerLicense, pastedHwidSchema } from '#contracts/customers.ts';
import { Problem } from '#runtime/problem.ts';
import type { PageRoutes } from '../pages/page-area.ts';
import { withNotice } from './account-page.tsx';
import { signInPath } from './account-paths.ts';
import type { BrowserCustomer } from './browser-customer.ts';
import { tooManyRequests } from './code-errors.ts';
import type { CustomerArea } from './customer-area.ts';
import type { Customer } from './customer-sessions.ts';
import { LicensePage, LicensesPage, licensePath } from './license-pages.tsx';
import { SessionsPage } from './sessions-page.tsx';
import { TransferPage } from './transfer-page.tsx';
import { wordsOfRefusal } from './transfer-words.ts';

/** The license that the address names. @throws {Problem} when there is none, or it is somebody else's */
export const licenseOfPath = async (
  { licenses }: CustomerArea,
  { tenantId }: Customer,
  request: Request,
): Promise<CustomerLicense> => {
  const license = await licenses.find(tenantId, String(request.params.id));
  if (!license) throw new Problem('NOT_FOUND', { detail: 'There is no such license in your account.' });
  return license;
};

export const bindAccountPages = (routes: PageRoutes, area: CustomerArea, browser: BrowserCustomer): void => {
  const { licenses, transfers, sessions } = area;

  routes.get(
    '/',
    browser.signedIn(async ({ request }, customer) => {
      const own = await licenses.list(customer.tenantId);
      return { page: <LicensesPage customer={customer} licenses={own} notice={request.query.notice} /> };
    }),
  );
  routes.get(
    '/licenses/:id',
    browser.signedIn(async ({ request }, customer) => {
      const license = await licenseOfPath(area, customer, request);
      const history = await licenses.history(license.id);
      const { notice } = request.query;
      return {
        page: <LicensePage customer={customer} license={license} history={history} notice={notice} />,
      };
    }),
  );

  routes.get(
    '/licenses/:id/transfer',
    browser.signedIn(async ({ request }, customer) => {
      const license = await licenseOfPath(area, customer, request);
      return { page: <TransferPage customer={customer} license={license} /> };
    }),
  );
  routes.post(
    '/licenses/:id/transfer',
    browser.signedIn(async ({ request, response, form }, customer) => {
      const license = await licenseOfPath(area, customer, request);
      const typed = form.get('hwid') ?? '';
      const refuse = (status: number, field: string | null, message: string) => {
        const errors = [{ field, message }];
        const page = <TransferPage customer={customer} license={license} hwid={typed} errors={errors} />;
        return { status, page };
      };
      const hwid = pastedHwidSchema.safeParse(typed);
      if (!hwid.success)
        return refuse(
          400,
          'hwid',
          'A HWID is sha256: followed by 64 letters a–f and digits. Copy the whole of it.',
        );
      const answer = await transfers.request({
        tenantId: customer.tenantId,
        licenseId: license.id,
        hwid: hwid.data,
        replaces: form.get('replaces') || null,
      });
      if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
      if (answer.outcome === 'rate-limited') {
        response.set('Retry-After', String(answer.retryAfterSeconds));
        return refuse(429, null, tooManyRequests(null, answer).message);
      }
      if (answer.outcome === 'refused') return refuse(409, 'hwid', wordsOfRefusal(answer.refusal));
      return { redirect: withNotice(licensePath(license.id), 'transfer-requested') };
    }),
  );
  routes.post(
    '/licenses/:id/transfer/cancel',
    browser.signedIn(async ({ request }, customer) => {
      const license = await licenseOfPath(area, customer, request);
      const outcome = await transfers.cancel(customer.tenantId, license.id);
      const path = licensePath(license.id);
      return { redirect: outcome === 'cancelled' ? withNotice(path, 'transfer-cancelled') : path };
    }),
  );

  routes.get(
    '/sessions',
    browser.signedIn(async (_page, customer) => ({
      page: <SessionsPage customer={customer} sessions={await sessions.list(customer)} />,
    })),
  );
  routes.post(
    '/sessions/end-all',
    browser.signedIn(async ({ response }, { tenantId }) => {
      await sessions.endAll(tenantId);
      browser.leave(response);
      return { redirect: withNotice(signInPath, 'signed-out-everywhere') };
    }),
  );
};
