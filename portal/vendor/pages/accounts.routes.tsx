import { Problem } from '#runtime/problem.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Badge, Card, Moment, Notice, Table } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import type { PageAnswer, PageRoutes } from '../../pages/page-area.ts';
import type { AccountView } from '../accounts/account-view.ts';
import { type Invitation, initialPasswordDays } from '../accounts/accounts.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminNotice, AdminPage, adminRoot, withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';

const path = `${adminRoot}/accounts`;
const tones = { active: 'good', invited: 'warn', lapsed: 'bad', disabled: 'bad' } as const;

const steps = {
  disable: {
    label: 'Disable',
    meaning: 'Nobody signs in with this account any more, and its sessions end now. It can be enabled again.',
    tone: 'danger',
  },
  enable: {
    label: 'Enable',
    meaning: 'The account works again, with its password and authenticator.',
    tone: 'primary',
  },
  reset: {
    label: 'Reset',
    meaning:
      'The account gets a new first password, which is shown once. Its password, authenticator and recovery codes are gone, and its sessions end now.',
    tone: 'danger',
  },
} as const;
type Step = keyof typeof steps;
const isStep = (name: string): name is Step => Object.hasOwn(steps, name);
const stepsOf = ({ state }: AccountView): readonly Step[] =>
  state === 'disabled' ? ['enable', 'reset'] : ['disable', 'reset'];

export const bindAccountsPages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  const { accounts } = area;
  const listPage = async (
    vendor: Vendor,
    notice: unknown,
    errors: readonly FieldError[] = [],
    name = '',
  ): Promise<PageAnswer> => {
    const props = { vendor, notice, errors, name, accounts: await accounts.list() };
    return { status: errors.length > 0 ? 409 : 200, page: <AccountsPage {...props} /> };
  };
  const accountOf = async (id: unknown): Promise<AccountView> => {
    const account = (await accounts.list()).find((known) => known.id === id);
    if (!account) throw new Problem('NOT_FOUND', { detail: 'There is no such account.' });
    return account;
  };

  routes.get(
    '/accounts',
    browser.signedIn(({ request }, vendor) => listPage(vendor, request.query.notice)),
  );
  routes.post(
    '/accounts',
    browser.signedIn(async ({ form }, vendor) => {
      const name = form.get('name') ?? '';
      const created = await accounts.create(name, vendor.name);
      if (created.outcome === 'refused')
        return listPage(vendor, null, [{ field: 'name', message: created.reason }], name);
      return { page: <InvitedPage vendor={vendor} invitation={created} /> };
    }),
  );

  routes.get(
    '/accounts/:id/:step',
    browser.signedIn(async ({ request }, vendor) => {
      const step = String(request.params.step);
      if (!isStep(step)) throw new Problem('NOT_FOUND');
      return { page: <StepPage vendor={vendor} account={await accountOf(request.params.id)} step={step} /> };
    }),
  );
  routes.post(
    '/accounts/:id/:step',
    browser.signedIn(async ({ request }, vendor) => {
      const step = String(request.params.step);
      if (!isStep(step)) throw new Problem('NOT_FOUND');
      const { id } = await accountOf(request.params.id);
      const done = await accounts[step](id, vendor.name);
      if (done.outcome === 'refused') return listPage(vendor, null, [{ field: null, message: done.reason }]);
      if (done.outcome === 'invited') return { page: <InvitedPage vendor={vendor} invitation={done} /> };
      return { redirect: withNotice(path, step === 'enable' ? 'account-enabled' : 'account-disabled') };
    }),
  );
};

interface AccountsPageProps {
  readonly vendor: Vendor;
  readonly accounts: readonly AccountView[];
  readonly notice: unknown;
  readonly errors: readonly FieldError[];
  readonly name: string;
}

const AccountsPage = ({ vendor, accounts, notice, errors, name }: AccountsPageProps) => (
  <AdminPage title="Accounts" vendor={vendor} place="accounts" hasErrors={errors.length > 0}>
    <AdminNotice code={notice} />
    <ErrorSummary errors={errors} />
    <Table
      caption="Accounts of the vendor"
      hideCaption
      head={['Name', 'State', 'Made', 'Last signed in', 'Steps']}
      empty="There is no account."
      rows={accounts.map((account) => ({
        key: account.id,
        cells: [
          account.name,
          <Badge key="state" tone={tones[account.state]}>
            {account.state}
          </Badge>,
          <Moment key="made" at={account.createdAt} />,
          account.lastSignedInAt ? <Moment key="last" at={account.lastSignedInAt} /> : 'never',
          <span key="steps" className="row">
            {stepsOf(account).map((step) => (
              <a key={step} href={`${path}/${account.id}/${step}`}>
                {steps[step].label} <span className="hidden-visually">{account.name}</span>
              </a>
            ))}
          </span>,
        ],
      }))}
    />
    <Card title="Another account">
      <p>Everybody who works with the portal has an account of their own: the event log names it.</p>
      <Form action={path} csrf={csrfTokenOf(vendor.token)} submit="Make the account" inline>
        <Field name="name" label="Name" value={name} errors={errors} autoComplete="off" />
      </Form>
    </Card>
  </AdminPage>
);

const InvitedPage = ({ vendor, invitation }: { vendor: Vendor; invitation: Invitation }) => (
  <AdminPage title={`First password of ${invitation.account.name}`} vendor={vendor} place="accounts">
    <Notice tone="good" live>
      <p>
        Hand this password over in person. It is shown this one time only, is good for {initialPasswordDays}{' '}
        days and for the first sign-in, which asks for another one.
      </p>
    </Notice>
    <p className="shown-once">{invitation.initialPassword}</p>
    <p>
      <a href={path}>Back to the accounts</a>
    </p>
  </AdminPage>
);

const StepPage = ({ vendor, account, step }: { vendor: Vendor; account: AccountView; step: Step }) => {
  const { label, meaning, tone } = steps[step];
  return (
    <AdminPage title={`${label} the account ${account.name}`} vendor={vendor} place="accounts">
      <Notice tone="warn">
        <p>{meaning}</p>
      </Notice>
      <Card>
        <Form
          action={`${path}/${account.id}/${step}`}
          csrf={csrfTokenOf(vendor.token)}
          submit={`${label} the account`}
          tone={tone}
        />
        <p>
          <a href={path}>Back, without doing anything</a>
        </p>
      </Card>
    </AdminPage>
  );
};
