import { csrfTokenOf } from '../../pages/csrf.ts';
import { Card } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminNotice, AdminPage, adminRoot, withNotice } from './admin-page.tsx';
import { type BrowserVendor, signInPath } from './browser-vendor.ts';
import { waitError } from './sign-in.routes.tsx';
import { RecoveryCodesPage } from './sign-in-pages.tsx';

const path = `${adminRoot}/account`;
const labels = { current: 'The password', password: 'The new password' } as const;

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
    '/account/password',
    browser.signedIn(async ({ form }, vendor) => {
      const change = await own.changePassword(vendor, form.get('current') ?? '', form.get('password') ?? '');
      if (change.outcome === 'changed') return { redirect: withNotice(path, 'password-changed') };
      if (change.outcome === 'rate-limited') return refuse(vendor, 429, waitError(change));
      const { field, reason } = change;
      return refuse(vendor, 400, { field, message: `${labels[field]} ${reason}.` });
    }),
  );
  routes.post(
    '/account/recovery-codes',
    browser.signedIn(async ({ form }, vendor) => {
      const renewal = await own.renewCodes(vendor, form.get('code') ?? '');
      if (renewal.outcome === 'renewed') return { page: <RecoveryCodesPage codes={renewal.recoveryCodes} /> };
      if (renewal.outcome === 'rate-limited') return refuse(vendor, 429, waitError(renewal));
      return refuse(vendor, 400, { field: 'code', message: 'The code is not right, or was used before.' });
    }),
  );
  routes.post(
    '/account/sign-out-everywhere',
    browser.signedIn(async ({ response }, vendor) => {
      await own.signOutEverywhere(vendor);
      browser.leave(response);
      return { redirect: withNotice(signInPath, 'signed-out-everywhere') };
    }),
  );
};

interface OwnAccountProps {
  readonly vendor: Vendor;
  readonly notice?: unknown;
  readonly errors?: readonly FieldError[];
}

const OwnAccountPage = ({ vendor, notice, errors = [] }: OwnAccountProps) => {
  const csrf = csrfTokenOf(vendor.token);
  return (
    <AdminPage title="Your account" vendor={vendor} place="account" hasErrors={errors.length > 0}>
      <AdminNotice code={notice} />
      <ErrorSummary errors={errors} />
      <Card title="Password">
        <Form action={`${path}/password`} csrf={csrf} submit="Change the password">
          <Field
            name="current"
            label="Present password"
            type="password"
            errors={errors}
            autoComplete="current-password"
          />
          <Field
            name="password"
            label="New password"
            hint="At least 10 characters."
            type="password"
            errors={errors}
            autoComplete="new-password"
          />
        </Form>
      </Card>
      <Card title="Recovery codes">
        <p>New ones make the old ones worthless.</p>
        <Form action={`${path}/recovery-codes`} csrf={csrf} submit="Make new recovery codes" tone="secondary">
          <Field
            name="code"
            label="Code from your authenticator"
            look="code"
            inputMode="numeric"
            errors={errors}
            autoComplete="one-time-code"
          />
        </Form>
      </Card>
      <Card title="Sessions">
        <Form
          action={`${path}/sign-out-everywhere`}
          csrf={csrf}
          submit="Sign out everywhere"
          tone="secondary"
        />
      </Card>
    </AdminPage>
  );
};
