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
    browser.signedIn(async (asked, customer) => {
      const license = await licenseOfPath(area, customer, asked);
      const isCodeSent = asked.request.query.step === 'code';
      return { page: <RevealPage customer={customer} license={license} isCodeSent={isCodeSent} /> };
    }),
  );
  routes.post(
    '/licenses/:id/reveal/code',
    browser.signedIn(async (asked, customer) => {
      const { response, language } = asked;
      const license = await licenseOfPath(area, customer, asked);
      const answer = await reveal.requestCode(customer, license.id, language);
      if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
      if (answer.outcome === 'asked') return { redirect: `${licensePath(license.id)}/reveal?step=code` };
      response.set('Retry-After', String(answer.retryAfterSeconds));
      const errors = [tooManyRequests(null, answer, language)];
      const page = <RevealPage customer={customer} license={license} isCodeSent={false} errors={errors} />;
      return { status: 429, page };
    }),
    `${licensePath(':id')}/reveal`,
  );
  // No redirect: the key must not appear in an address. A reload sends a used-up code, and shows nothing.
  routes.post(
    '/licenses/:id/reveal',
    browser.signedIn(async (asked, customer) => {
      const { form, language } = asked;
      const license = await licenseOfPath(area, customer, asked);
      const answer = await reveal.reveal(customer, license.id, form.get('code') ?? '');
      if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
      if (answer.outcome === 'revealed')
        return { page: <KeyPage customer={customer} license={license} licenseKey={answer.licenseKey} /> };
      const errors = [codeError(answer, language)];
      return {
        status: 400,
        page: <RevealPage customer={customer} license={license} isCodeSent errors={errors} />,
      };
    }),
  );
};
