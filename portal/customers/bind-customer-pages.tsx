import type { Express } from 'express';
import type { Log } from '#runtime/log.ts';
import { bindPageArea } from '../pages/page-area.ts';
import { createPageCookies } from '../pages/page-cookies.ts';
import { bindAccountPages } from './account.routes.tsx';
import { AccountFault } from './account-page.tsx';
import { accountRoot } from './account-paths.ts';
import { createBrowserCustomer } from './browser-customer.ts';
import type { CustomerArea } from './customer-area.ts';
import { bindRevealPages } from './reveal.routes.tsx';
import { bindSignInPages } from './sign-in.routes.tsx';

/** The customer area as pages, under /account; the portal's bare address leads there, too. */
export const bindCustomerPages = (
  app: Express,
  area: CustomerArea,
  { publicUrl, log }: { readonly publicUrl: string | null; readonly log: Log },
): void => {
  const cookies = createPageCookies(publicUrl);
  const browser = createBrowserCustomer(cookies, area.sessions, area.signIn);
  app.get('/', (_request, response) => response.redirect(302, accountRoot));
  const errorPage = AccountFault;
  bindPageArea(app, { root: accountRoot, publicUrl, log, errorPage }, (routes) => {
    bindSignInPages(routes, area, browser);
    bindAccountPages(routes, area, browser);
    bindRevealPages(routes, area, browser);
  });
};
