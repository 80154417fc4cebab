import { csrfTokenOf } from '../../pages/csrf.ts';
import { Card } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import { useWords } from '../../pages/reader.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminNotice, AdminPage, adminRoot, withNotice } from './admin-page.tsx';
import { type BrowserVendor, signInPath } from './browser-vendor.ts';
import { SelectField } from './fields.tsx';
import { ownAccountWords } from './own-account.words.ts';
import { queryText } from './query-text.ts';
import { waitError } from './sign-in.routes.tsx';
import { RecoveryCodesPage } from './sign-in-pages.tsx';

const path = `${adminRoot}/account`;
const fieldOf = { length: 'password', wrong: 'current', 'changed-meanwhile': 'current' } as const;

export const bindOwnAccountPages = (
  routes: PageRoutes,
  { own }: VendorArea,
  browser: BrowserVendor,
): void => {
  const refuse = (vendor: Vendor, status: number, error: FieldError) => ({
    status,
    page: <OwnAccountPage vendor={vendor} errors={[error]} />,
  });

  routes.get(
    '/account',
    browser.signedIn(({ request }, vendor) => ({
      page: <OwnAccountPage vendor={vendor} notice={request.query.notice} />,
    })),
  );
  routes.post(
    '/account/time-zone',
    browser.signedIn(async ({ form, language }, vendor) => {
      if (await own.chooseTimeZone(vendor, queryText(form.get('zone'))))
        return { redirect: withNotice(path, 'zone-changed') };
      return refuse(vendor, 400, { field: 'zone', message: ownAccountWords[language].noZone });
    }),
    path,
  );
  routes.post(
    '/account/password',
    browser.signedIn(async ({ form, language }, vendor) => {
      const change = await own.changePassword(vendor, form.get('current') ?? '', form.get('password') ?? '');
      if (change.outcome === 'changed') return { redirect: withNotice(path, 'password-changed') };
      if (change.outcome === 'rate-limited') return refuse(vendor, 429, waitError(change, language));
      const message = ownAccountWords[language].refusals[change.code];
      return refuse(vendor, 400, { field: fieldOf[change.code], message });
    }),
    path,
  );
  routes.post(
    '/account/recovery-codes',
    browser.signedIn(async ({ form, language }, vendor) => {
      const renewal = await own.renewCodes(vendor, form.get('code') ?? '');
      if (renewal.outcome === 'renewed') return { page: <RecoveryCodesPage codes={renewal.recoveryCodes} /> };
      if (renewal.outcome === 'rate-limited') return refuse(vendor, 429, waitError(renewal, language));
      return refuse(vendor, 400, { field: 'code', message: ownAccountWords[language].wrongCode });
    }),
    path,
  );
  routes.post(
    '/account/sign-out-everywhere',
    browser.signedIn(async ({ response }, vendor) => {
      await own.signOutEverywhere(vendor);
      browser.leave(response);
      return { redirect: withNotice(signInPath, 'signed-out-everywhere') };
    }),
    path,
  );
};

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

const OwnAccountPage = ({
  vendor,
  notice,
  errors = [],
}: {
  readonly vendor: Vendor;
  readonly notice?: unknown;
  readonly errors?: readonly FieldError[];
}) => {
  const words = useWords(ownAccountWords);
  const csrf = csrfTokenOf(vendor.token);
  const known = zones.includes(vendor.timeZone) ? zones : [vendor.timeZone, ...zones];
  return (
    <AdminPage title={words.title} vendor={vendor} place="account" hasErrors={errors.length > 0}>
      <AdminNotice code={notice} />
      <ErrorSummary errors={errors} />
      <div className="pair" id="time-zone">
        <Card title={words.zone}>
          <Form action={`${path}/time-zone`} csrf={csrf} submit={words.saveZone} tone="secondary">
            <SelectField
              name="zone"
              label={words.zoneLabel}
              hint={words.zoneHint}
              errors={errors}
              value={vendor.timeZone}
              choices={known.map((value) => ({ value, label: value }))}
            />
          </Form>
        </Card>
        <Card title={words.password}>
          <Form action={`${path}/password`} csrf={csrf} submit={words.change} tone="secondary">
            <Field
              name="current"
              label={words.present}
              type="password"
              errors={errors}
              autoComplete="current-password"
            />
            <Field
              name="password"
              label={words.new}
              hint={words.newHint}
              type="password"
              errors={errors}
              autoComplete="new-password"
            />
          </Form>
        </Card>
        <Card title={words.recovery}>
          <p>{words.recoveryText}</p>
          <Form action={`${path}/recovery-codes`} csrf={csrf} submit={words.renew} tone="secondary">
            <Field
              name="code"
              label={words.code}
              look="code"
              inputMode="numeric"
              errors={errors}
              autoComplete="one-time-code"
            />
          </Form>
        </Card>
        <Card title={words.sessions}>
          <p>{words.sessionsText}</p>
          <Form
            action={`${path}/sign-out-everywhere`}
            csrf={csrf}
            submit={words.signOutEverywhere}
            tone="secondary"
          />
        </Card>
      </div>
    </AdminPage>
  );
};
