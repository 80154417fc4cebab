import { newId } from '../../database/new-id.ts';
import type { LicenseView } from '../../licenses/license-view.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Card, Facts, Moment, Notice } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import { useWords } from '../../pages/reader.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { adminWords } from './admin.words.ts';
import { AdminPage, adminRoot, withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { CheckboxesField, DateField, SelectField } from './fields.tsx';
import { issueWords } from './issue.words.ts';
import { licenseWords } from './license.words.ts';
import { licensePath } from './license-list.routes.tsx';
import { allFeatures, choicesOf, type IssueChoices, noPlan, readIssue } from './read-issue.ts';

const issuePath = `${adminRoot}/licenses/new`;

export const bindIssuePages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  const { calendar } = area;
  const formPage = async (vendor: Vendor, form: URLSearchParams, errors: readonly FieldError[] = []) => {
    const choices = choicesOf(await area.plans.list());
    const today = await calendar.today(vendor.timeZone);
    return <IssuePage vendor={vendor} form={form} errors={errors} choices={choices} today={today} />;
  };

  routes.get(
    '/licenses/new',
    browser.signedIn(async (_page, vendor) => {
      const plans = await area.plans.list();
      const plan = plans.length === 1 ? (plans[0]?.id ?? '') : plans.length === 0 ? noPlan : '';
      return { page: await formPage(vendor, new URLSearchParams({ id: newId(), plan })) };
    }),
  );
  routes.post(
    '/licenses/new',
    browser.signedIn(async ({ form, language }, vendor) => {
      const words = issueWords[language];
      const choices = choicesOf(await area.plans.list());
      const { timeZone } = vendor;
      const wanted = await readIssue({ form, choices, words, calendar, timeZone, now: area.now() });
      const refuse = async (status: number, errors: readonly FieldError[]) => ({
        status,
        page: await formPage(vendor, form, errors),
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
      if (issued.code === 'issued-before')
        return { redirect: withNotice(licensePath(issued.licenseId ?? ''), 'issued-before') };
      return refuse(409, [{ field: 'order', message: words.faults[issued.code] }]);
    }),
  );
};

const IssuePage = ({
  vendor,
  form,
  errors,
  choices,
  today,
}: {
  readonly vendor: Vendor;
  readonly form: URLSearchParams;
  readonly errors: readonly FieldError[];
  readonly choices: IssueChoices;
  /** In the vendor's time zone. */
  readonly today: string;
}) => {
  const words = useWords(issueWords);
  const field = (name: string) => ({ name, value: form.get(name) ?? '', errors });
  return (
    <AdminPage title={words.title} vendor={vendor} place="licenses" hasErrors={errors.length > 0}>
      <ErrorSummary errors={errors} />
      <Form action={issuePath} csrf={csrfTokenOf(vendor.token)} submit={words.submit}>
        <input type="hidden" name="id" value={form.get('id') ?? ''} />
        <Field {...field('email')} label={words.email} type="email" autoComplete="off" />
        <Field
          {...field('name')}
          label={words.name}
          hint={words.nameHint}
          required={false}
          autoComplete="off"
        />
        <div className="plan-choice field">
          <SelectField
            {...field('plan')}
            label={words.plan}
            hint={words.planHint}
            choices={[
              { value: '', label: words.choosePlan },
              ...choices.plans.map(({ id, tier, maxClusters, durationDays }) => ({
                value: id,
                label: `${id}: ${[tier, words.clusters(maxClusters), words.lasts(durationDays)].join(', ')}`,
              })),
              { value: noPlan, label: words.noPlan },
            ]}
          />
        </div>
        <WithoutPlan form={form} errors={errors} choices={choices} />
        <DateField
          {...field('expires')}
          label={words.expires}
          hint={words.expiresHint(vendor.timeZone)}
          min={today}
        />
        <Field
          {...field('order')}
          label={words.order}
          hint={words.orderHint}
          required={false}
          spellCheck={false}
          autoComplete="off"
        />
        <div className="choice">
          <input
            id="field-mail"
            type="checkbox"
            name="mail"
            value="yes"
            defaultChecked={form.get('mail') === 'yes'}
          />
          <label htmlFor="field-mail">{words.mail}</label>
        </div>
      </Form>
    </AdminPage>
  );
};

/** Hidden by the stylesheet while a plan is chosen, unless submitted values contradict the plan. */
const WithoutPlan = ({
  form,
  errors,
  choices,
}: {
  readonly form: URLSearchParams;
  readonly errors: readonly FieldError[];
  readonly choices: IssueChoices;
}) => {
  const words = useWords(issueWords);
  const field = (name: string) => ({ name, value: form.get(name) ?? '', errors });
  const known: Readonly<Record<string, string>> = words.feature;
  const isContradicting = errors.some(({ message }) => message === words.faults.planAndMore);
  return (
    <fieldset className={isContradicting ? 'without-plan' : 'without-plan hidden-by-plan'}>
      <legend>{words.withoutPlan}</legend>
      <SelectField
        {...field('tier')}
        label={words.tier}
        choices={[
          { value: '', label: words.chooseTier },
          ...choices.tiers.map((value) => ({ value, label: value })),
        ]}
      />
      <CheckboxesField
        name="feature"
        label={words.features}
        errors={errors}
        values={form.getAll('feature')}
        choices={[
          { value: allFeatures, label: words.allFeatures },
          ...choices.features.map((value) => ({ value, label: known[value] ?? value })),
        ]}
      />
      <Field
        {...field('clusters')}
        label={words.maxClusters}
        hint={words.maxClustersHint}
        inputMode="numeric"
        required={false}
      />
    </fieldset>
  );
};

const IssuedPage = ({
  vendor,
  license,
  licenseKey,
  mailed,
}: {
  readonly vendor: Vendor;
  readonly license: LicenseView;
  readonly licenseKey: string;
  readonly mailed: boolean;
}) => {
  const words = useWords(issueWords);
  const { facts } = useWords(licenseWords);
  const { never } = useWords(adminWords);
  return (
    <AdminPage
      title={words.issued}
      vendor={vendor}
      place="licenses"
      isShownOnce
      actions={
        <a className="button" href={licensePath(license.id)}>
          {words.toLicense}
        </a>
      }
    >
      <Notice tone="good" live>
        <p>{mailed ? words.mailed : words.shownOnce}</p>
      </Notice>
      <p className="shown-once">{licenseKey}</p>
      <Card>
        <Facts
          facts={{
            [facts.buyer]: license.buyerEmail,
            [facts.tier]: license.tier,
            [facts.order]: license.purchaseId,
            [facts.expires]: license.expiresAt ? <Moment at={license.expiresAt} /> : never,
          }}
        />
      </Card>
    </AdminPage>
  );
};
