import { Problem } from '#runtime/problem.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Badge, Card, Moment, Notice, Section, Table } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import type { PageAnswer, PageRoutes } from '../../pages/page-area.ts';
import { useWords } from '../../pages/reader.ts';
import type { AccountView } from '../accounts/account-view.ts';
import { type Invitation, initialPasswordDays } from '../accounts/accounts.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { accountsWords } from './accounts.words.ts';
import { AdminNotice, AdminPage, adminRoot, CancelLink, withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';

const path = `${adminRoot}/accounts`;
const tones = { active: 'good', invited: 'warn', lapsed: 'bad', disabled: 'bad' } as const;

const stepTones = { disable: 'danger', enable: 'primary', reset: 'danger' } as const;
type Step = keyof typeof stepTones;
const isStep = (name: string): name is Step => Object.hasOwn(stepTones, name);
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
    if (!account) throw new Problem('NOT_FOUND');
    return account;
  };

  routes.get(
    '/accounts',
    browser.signedIn(({ request }, vendor) => listPage(vendor, request.query.notice)),
  );
  routes.post(
    '/accounts',
    browser.signedIn(async ({ form, language }, vendor) => {
      const name = form.get('name') ?? '';
      const created = await accounts.create(name, vendor.name);
      if (created.outcome === 'invited')
        return { page: <InvitedPage vendor={vendor} invitation={created} /> };
      const message = accountsWords[language].refusals[created.code];
      return listPage(vendor, null, [{ field: 'name', message }], name);
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
    browser.signedIn(async ({ request, language }, vendor) => {
      const step = String(request.params.step);
      if (!isStep(step)) throw new Problem('NOT_FOUND');
      const { id } = await accountOf(request.params.id);
      const done = await accounts[step](id, vendor.name);
      if (done.outcome === 'invited') return { page: <InvitedPage vendor={vendor} invitation={done} /> };
      if (done.outcome === 'changed')
        return { redirect: withNotice(path, step === 'enable' ? 'account-enabled' : 'account-disabled') };
      return listPage(vendor, null, [{ field: null, message: accountsWords[language].refusals[done.code] }]);
    }),
  );
};

const AccountsPage = ({
  vendor,
  accounts,
  notice,
  errors,
  name,
}: {
  readonly vendor: Vendor;
  readonly accounts: readonly AccountView[];
  readonly notice: unknown;
  readonly errors: readonly FieldError[];
  readonly name: string;
}) => {
  const words = useWords(accountsWords);
  return (
    <AdminPage title={words.title} vendor={vendor} place="accounts" hasErrors={errors.length > 0}>
      <AdminNotice code={notice} />
      <ErrorSummary errors={errors} />
      <Table
        caption={words.caption}
        hideCaption
        head={Object.values(words.head)}
        empty={words.empty}
        rows={accounts.map((account) => ({
          key: account.id,
          cells: [
            <bdi key="name">{account.name}</bdi>,
            <Badge key="state" tone={tones[account.state]}>
              {words.states[account.state]}
            </Badge>,
            <Moment key="made" at={account.createdAt} />,
            account.lastSignedInAt ? <Moment key="last" at={account.lastSignedInAt} /> : words.never,
            <span key="steps" className="row">
              {stepsOf(account).map((step) => (
                <a key={step} href={`${path}/${account.id}/${step}`}>
                  {words.steps[step].label} <span className="hidden-visually">{account.name}</span>
                </a>
              ))}
            </span>,
          ],
        }))}
      />
      <Section title={words.another}>
        <p>{words.anotherText}</p>
        <Form action={path} csrf={csrfTokenOf(vendor.token)} submit={words.create} inline>
          <Field name="name" label={words.name} value={name} errors={errors} autoComplete="off" />
        </Form>
      </Section>
    </AdminPage>
  );
};

const InvitedPage = ({ vendor, invitation }: { vendor: Vendor; invitation: Invitation }) => {
  const words = useWords(accountsWords);
  return (
    <AdminPage
      title={words.firstPassword(invitation.account.name)}
      vendor={vendor}
      place="accounts"
      isShownOnce
    >
      <Notice tone="good" live>
        <p>{words.handOver(initialPasswordDays)}</p>
      </Notice>
      <p className="shown-once">{invitation.initialPassword}</p>
      <p>
        <a href={path}>{words.back}</a>
      </p>
    </AdminPage>
  );
};

const StepPage = ({ vendor, account, step }: { vendor: Vendor; account: AccountView; step: Step }) => {
  const { title, act, meaning } = useWords(accountsWords).steps[step];
  return (
    <AdminPage title={title(account.name)} vendor={vendor} place="accounts">
      <Notice tone="warn">
        <p>{meaning}</p>
      </Notice>
      <Card>
        <Form
          action={`${path}/${account.id}/${step}`}
          csrf={csrfTokenOf(vendor.token)}
          submit={act}
          tone={stepTones[step]}
        />
        <CancelLink path={path} />
      </Card>
    </AdminPage>
  );
};
