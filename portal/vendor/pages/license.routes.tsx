import type { Request } from 'express';
import { Problem } from '#runtime/problem.ts';
import type { LicenseView } from '../../licenses/license-view.ts';
import type { PageRoutes } from '../../pages/page-area.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import { exportEvents } from '../csv-export.ts';
import type { VendorArea } from '../vendor-area.ts';
import { withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { isLicenseAction, type LicenseActionName, licenseActions } from './license-actions.ts';
import { licensePath } from './license-list.routes.tsx';
import { LicenseActionPage, LicensePage } from './license-page.tsx';

const eventsPerPage = 50;
const noLicense = () => new Problem('NOT_FOUND', { detail: 'There is no such license.' });

/** An event's id, as it stands in an address; anything else is no position at all. */
export const positionOf = (text: unknown): string | undefined =>
  typeof text === 'string' && /^\d{1,18}$/.test(text) ? text : undefined;

export const bindLicensePages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  const licenseOf = async ({ params }: Request, vendor: Vendor): Promise<LicenseView> => {
    const license = await area.licensesBy(vendor.name).find(String(params.id));
    if (!license) throw noLicense();
    return license;
  };
  const actionOf = ({ params }: Request): LicenseActionName => {
    const name = String(params.action);
    if (!isLicenseAction(name)) throw new Problem('NOT_FOUND');
    return name;
  };

  routes.get(
    '/licenses/:id',
    browser.signedIn(async ({ request }, vendor) => {
      const license = await licenseOf(request, vendor);
      const before = positionOf(request.query.before);
      const rows = await area.events.ofLicenses({ licenseId: license.id, before, limit: eventsPerPage + 1 });
      const transfers = await area.transfersOf(license.id);
      const props = { vendor, license, transfers, notice: request.query.notice, now: area.now() };
      const events = rows.slice(0, eventsPerPage);
      return { page: <LicensePage {...props} events={events} hasMore={rows.length > eventsPerPage} /> };
    }),
  );
  routes.get(
    '/licenses/:id/events.csv',
    browser.signedIn(async ({ request }, vendor) => {
      const { id } = await licenseOf(request, vendor);
      await area.record({ kind: 'exported', by: vendor.name, subject: `events of ${id}` });
      return {
        content: await exportEvents(area.events, id),
        fileName: `events-${id}.csv`,
        contentType: 'text/csv; charset=utf-8',
      };
    }),
  );

  routes.get(
    '/licenses/:id/:action',
    browser.signedIn(async ({ request }, vendor) => {
      const action = actionOf(request);
      // Before the license itself: what happens in between is then refused rather than overlooked.
      const seen = (await area.events.newestChangeOf(String(request.params.id))) ?? '';
      const license = await licenseOf(request, vendor);
      const props = { vendor, license, action, seen, now: area.now() };
      return { page: <LicenseActionPage {...props} /> };
    }),
  );
  routes.post(
    '/licenses/:id/:action',
    browser.signedIn(async ({ request, form }, vendor) => {
      const action = actionOf(request);
      const license = await licenseOf(request, vendor);
      const licenses = area.licensesBy(vendor.name, form.get('seen') ?? '');
      const change = await licenseActions[action].run(licenses, license.id, form);
      const refuse = (status: number, errors: Parameters<typeof LicenseActionPage>[0]['errors']) => {
        const props = { vendor, license, action, form, seen: form.get('seen') ?? '', now: area.now() };
        return { status, page: <LicenseActionPage {...props} {...(errors ? { errors } : {})} /> };
      };
      if (!('outcome' in change)) return refuse(400, change);
      if (change.outcome === 'not-found') throw noLicense();
      if (change.outcome === 'refused') return refuse(409, [{ field: null, message: change.reason }]);
      return { redirect: withNotice(licensePath(license.id), action) };
    }),
  );
};
