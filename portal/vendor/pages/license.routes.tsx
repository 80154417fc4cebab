import type { Request } from 'express';
import { Problem } from '#runtime/problem.ts';
import type { LicenseView } from '../../licenses/license-view.ts';
import type { FieldError } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import { exportEvents } from '../csv-export.ts';
import type { VendorArea } from '../vendor-area.ts';
import { withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { licenseWords } from './license.words.ts';
import { actionOf, isLicenseAction, type LicenseActionName } from './license-actions.ts';
import { licensePath } from './license-list.routes.tsx';
import { LicenseActionPage, LicensePage } from './license-page.tsx';

const eventsPerPage = 50;

/** An event's id from an address; any other text is no position. */
export const positionOf = (text: unknown): string | undefined =>
  typeof text === 'string' && /^\d{1,18}$/.test(text) ? text : undefined;

export const bindLicensePages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  const { calendar } = area;
  const licenseOf = async ({ params }: Request, vendor: Vendor): Promise<LicenseView> => {
    const license = await area.licensesBy(vendor.name).find(String(params.id));
    if (!license) throw new Problem('NOT_FOUND');
    return license;
  };
  const nameOf = ({ params }: Request): LicenseActionName => {
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

  const actionPage = async (
    asked: { vendor: Vendor; license: LicenseView; action: LicenseActionName; seen: string },
    refused?: { form: URLSearchParams; errors: readonly FieldError[] },
  ) => {
    const today = await calendar.today(asked.vendor.timeZone);
    return <LicenseActionPage {...asked} {...refused} today={today} now={area.now()} />;
  };

  routes.get(
    '/licenses/:id/:action',
    browser.signedIn(async ({ request }, vendor) => {
      const action = nameOf(request);
      // Read before the license itself: changes in between are then refused rather than overlooked.
      const seen = (await area.events.newestChangeOf(String(request.params.id))) ?? '';
      const license = await licenseOf(request, vendor);
      return { page: await actionPage({ vendor, license, action, seen }) };
    }),
  );
  routes.post(
    '/licenses/:id/:action',
    browser.signedIn(async ({ request, form, language }, vendor) => {
      const action = nameOf(request);
      const license = await licenseOf(request, vendor);
      const seen = form.get('seen') ?? '';
      const words = licenseWords[language];
      const sent = { form, words, calendar, timeZone: vendor.timeZone };
      const change = await actionOf(action).run(area.licensesBy(vendor.name, seen), license.id, sent);
      const refuse = async (status: number, errors: readonly FieldError[]) => ({
        status,
        page: await actionPage({ vendor, license, action, seen }, { form, errors }),
      });
      if (!('outcome' in change)) return refuse(400, change);
      if (change.outcome === 'not-found') throw new Problem('NOT_FOUND');
      if (change.outcome === 'refused')
        return refuse(409, [{ field: null, message: words.refusals[change.code] }]);
      return { redirect: withNotice(licensePath(license.id), action) };
    }),
  );
};
