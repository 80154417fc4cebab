import type * as z from 'zod';
import { tenantIdSchema } from '#contracts/licenses.ts';
import {
  buyerEmailSchema,
  countSchema,
  featuresSchema,
  momentSchema,
  orderIdSchema,
  tierSchema,
} from '#contracts/vendor.ts';
import { newId } from '../../database/new-id.ts';
import type { NewLicense } from '../../licenses/issue-license.ts';
import type { LicenseView } from '../../licenses/license-view.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Card, Facts, Moment, Notice } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminPage, adminRoot, withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { licensePath } from './license-list.routes.tsx';

const issuePath = `${adminRoot}/licenses/new`;

const labels = {
  email: "Buyer's e-mail address",
  tier: 'Tier',
  features: 'Features',
  clusters: 'Largest number of clusters',
  expires: 'Last day',
  order: 'Order id',
} as const;
type FieldName = keyof typeof labels;

export const bindIssuePages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/licenses/new',
    browser.signedIn((_page, vendor) => ({
      page: (
        <IssuePage
          vendor={vendor}
          form={new URLSearchParams({ id: newId(), tier: 'standard', features: '*' })}
        />
      ),
    })),
  );
  routes.post(
    '/licenses/new',
    browser.signedIn(async ({ form }, vendor) => {
      const wanted = readIssue(form, area.now());
      const refuse = (status: number, errors: readonly FieldError[]) => ({
        status,
        page: <IssuePage vendor={vendor} form={form} errors={errors} />,
      });
      if (!('buyerEmail' in wanted)) return refuse(400, wanted);
      const issued = await area.licensesBy(vendor.name).issue(wanted);
      if (issued.outcome === 'issued') {
        const { license, licenseKey } = issued;
        const mailed = wanted.mailKey === true;
        return {
          page: <IssuedPage vendor={vendor} license={license} licenseKey={licenseKey} mailed={mailed} />,
        };
      }
      if (issued.licenseId) return { redirect: withNotice(licensePath(issued.licenseId), 'issued-before') };
      return refuse(409, [{ field: 'order', message: issued.reason }]);
    }),
  );
};

/** What the form asks for, or all that is wrong with it. */
const readIssue = (form: URLSearchParams, now: Date): NewLicense | readonly FieldError[] => {
  const errors: FieldError[] = [];
  const read = <T,>(field: FieldName, schema: z.ZodType<T>): T | null => {
    const result = schema.safeParse((form.get(field) ?? '').trim());
    if (result.success) return result.data;
    errors.push({ field, message: `${labels[field]}: ${result.error.issues[0]?.message}.` });
    return null;
  };
  const optional = <T,>(field: FieldName, schema: z.ZodType<T>): T | null =>
    (form.get(field) ?? '').trim() === '' ? null : read(field, schema);

  const buyerEmail = read('email', buyerEmailSchema);
  const tier = read('tier', tierSchema);
  const features = read('features', featuresSchema);
  const maxClusters = optional('clusters', countSchema);
  const expiresAt = optional('expires', momentSchema);
  const purchaseId = optional('order', orderIdSchema) ?? undefined;
  const id = tenantIdSchema.safeParse(form.get('id'));
  if (expiresAt !== null && expiresAt <= now)
    errors.push({ field: 'expires', message: 'The last day has passed already.' });
  if (!id.success) errors.push({ field: null, message: 'Load the page anew.' });
  if (errors.length > 0 || buyerEmail === null || tier === null || features === null) return errors;
  const mailKey = form.get('mail') === 'yes';
  return { id: id.data, buyerEmail, tier, features, maxClusters, expiresAt, purchaseId, mailKey };
};

interface IssuePageProps {
  readonly vendor: Vendor;
  readonly form: URLSearchParams;
  readonly errors?: readonly FieldError[];
}

const IssuePage = ({ vendor, form, errors = [] }: IssuePageProps) => {
  const field = (name: FieldName) => ({ name, label: labels[name], value: form.get(name) ?? '', errors });
  return (
    <AdminPage title="Issue a license" vendor={vendor} place="licenses" hasErrors={errors.length > 0}>
      <ErrorSummary errors={errors} />
      <Card>
        <Form action={issuePath} csrf={csrfTokenOf(vendor.token)} submit="Issue the license">
          <input type="hidden" name="id" value={form.get('id') ?? ''} />
          <Field {...field('email')} type="email" autoComplete="off" />
          <Field {...field('tier')} spellCheck={false} />
          <Field {...field('features')} hint="Comma-separated names, or * for all." spellCheck={false} />
          <Field {...field('clusters')} hint="Empty: no cap." inputMode="numeric" required={false} />
          <Field
            {...field('expires')}
            hint="YYYY-MM-DD, until midnight UTC at its end. Empty: never."
            required={false}
          />
          <Field
            {...field('order')}
            hint="At the payment gateway. Empty: one is made."
            required={false}
            spellCheck={false}
          />
          <div className="choice">
            <input
              id="field-mail"
              type="checkbox"
              name="mail"
              value="yes"
              defaultChecked={form.get('mail') === 'yes'}
            />
            <label htmlFor="field-mail">Mail the key to the buyer</label>
          </div>
        </Form>
      </Card>
    </AdminPage>
  );
};

interface IssuedPageProps {
  readonly vendor: Vendor;
  readonly license: LicenseView;
  readonly licenseKey: string;
  readonly mailed: boolean;
}

const IssuedPage = ({ vendor, license, licenseKey, mailed }: IssuedPageProps) => (
  <AdminPage title="License issued" vendor={vendor} place="licenses">
    <Notice tone="good" live>
      <p>
        The license is issued. Its key is shown this one time only
        {mailed ? '; it is on its way to the buyer by mail.' : '; copy it now.'}
      </p>
    </Notice>
    <p className="shown-once">{licenseKey}</p>
    <Card>
      <Facts
        facts={{
          Buyer: license.buyerEmail,
          Tier: license.tier,
          Order: license.purchaseId,
          Expires: license.expiresAt ? <Moment at={license.expiresAt} /> : 'never',
        }}
      />
      <p>
        <a href={licensePath(license.id)}>Go to the license</a>
      </p>
    </Card>
  </AdminPage>
);
