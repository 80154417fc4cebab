import { Problem } from '#runtime/problem.ts';
import type { PageRoutes } from '../pages/page-area.ts';
import { licenseOfPath } from './account.routes.tsx';
import type { BrowserCustomer } from './browser-customer.ts';
import { codeError, tooManyRequests } from './code-errors.ts';
import type { CustomerArea } from './customer-area.ts';
import { licensePath } from './license-pages.tsx';
import { KeyPage, RevealPage } from './reveal-pages.tsx';

export const bindRevealPages = (routes: PageRoutes, area: CustomerArea, browser: BrowserCustomer): void => {
  const { reveal } = area;

  routes.get(
    '/licenses/:id/reveal',
    browser.signedIn(async ({ request }, customer) => {
      const license = await licenseOfPath(area, customer, request);
      const isCodeSent = request.query.step === 'code';
      return { page: <RevealPage customer={customer} license={license} isCodeSent={isCodeSent} /> };
    }),
  );
  routes.post(
    '/licenses/:id/reveal/code',
    browser.signedIn(async ({ request, response }, customer) => {
      const license = await licenseOfPath(area, customer, request);
      const answer = await reveal.requestCode(customer, license.id);
      if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
      if (answer.outcome === 'asked') return { redirect: `${licensePath(license.id)}/reveal?step=code` };
      response.set('Retry-After', String(answer.retryAfterSeconds));
      const errors = [tooManyRequests(null, answer)];
      const page = <RevealPage customer={customer} license={license} isCodeSent={false} errors={errors} />;
      return { status: 429, page };
    }),
  );
  // No redirect: the key must not stand in an address. A reload sends a code that is used up, and shows nothing.
  routes.post(
    '/licenses/:id/reveal',
    browser.signedIn(async ({ request, form }, customer) => {
      const license = await licenseOfPath(area, customer, request);
      const answer = await reveal.reveal(customer, license.id, form.get('code') ?? '');
      if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
      if (answer.outcome === 'revealed')
        return { page: <KeyPage customer={customer} license={license} licenseKey={answer.licenseKey} /> };
      const errors = [codeError(answer)];
      return {
        status: 400,
        page: <RevealPage customer={customer} license={license} isCodeSent errors={errors} />,
      };
    }),
  );
};
