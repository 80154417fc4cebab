import type { Express } from 'express';
import type { Log } from '#runtime/log.ts';
import { bindPageArea } from '../../pages/page-area.ts';
import { createPageCookies } from '../../pages/page-cookies.ts';
import type { VendorArea } from '../vendor-area.ts';
import { bindAccountsPages } from './accounts.routes.tsx';
import { AdminFault, adminRoot } from './admin-page.tsx';
import { createBrowserVendor } from './browser-vendor.ts';
import { bindCustomersPages } from './customers.routes.tsx';
import { bindEventsPages } from './events.routes.tsx';
import { bindIssuePages } from './issue.routes.tsx';
import { bindKeysPages } from './keys.routes.tsx';
import { bindLicensePages } from './license.routes.tsx';
import { bindLicenseList } from './license-list.routes.tsx';
import { bindMailPages } from './mail.routes.tsx';
import { bindOverview } from './overview.routes.tsx';
import { bindOwnAccountPages } from './own-account.routes.tsx';
import { bindPurchasesPages } from './purchases.routes.tsx';
import { bindSalesPage } from './sales.routes.tsx';
import { bindSetupPages } from './setup.routes.tsx';
import { bindSignInPages } from './sign-in.routes.tsx';

/** The vendor's pages, under /admin. */
export const bindVendorPages = (
  app: Express,
  area: VendorArea,
  { publicUrl, log }: { readonly publicUrl: string | null; readonly log: Log },
): void => {
  const cookies = createPageCookies(publicUrl);
  const browser = createBrowserVendor(cookies, area.sessions);
  bindPageArea(
    app,
    { root: adminRoot, publicUrl, log, errorPage: (fault) => <AdminFault {...fault} /> },
    (routes) => {
      bindSignInPages(routes, area, browser);
      bindSetupPages(routes, area, browser);
      bindOverview(routes, area, browser);
      bindLicenseList(routes, area, browser);
      // Before the pages of one license: `new` is no id.
      bindIssuePages(routes, area, browser);
      bindLicensePages(routes, area, browser);
      bindCustomersPages(routes, area, browser);
      bindEventsPages(routes, area, browser);
      bindKeysPages(routes, area, browser);
      bindMailPages(routes, area, browser);
      bindSalesPage(routes, area, browser);
      bindPurchasesPages(routes, area, browser);
      bindAccountsPages(routes, area, browser);
      bindOwnAccountPages(routes, area, browser);
    },
  );
};
