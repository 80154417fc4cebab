import { type CustomerLicense, type CustomerSession, pastedHwidSchema } from '#contracts/portal/customers.ts';
import { Problem } from '#runtime/problem.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Badge, Moment, Section } from '../pages/display.tsx';
import { Form } from '../pages/form.tsx';
import type { PageRequest, PageRoutes } from '../pages/page-area.ts';
import { PageProblem } from '../pages/page-problem.ts';
import { useReader, useWords } from '../pages/reader.ts';
import { accountWords } from './account.words.ts';
import { AccountPage, withNotice } from './account-page.tsx';
import { accountRoot, signInPath } from './account-paths.ts';
import type { BrowserCustomer } from './browser-customer.ts';
import { tooManyRequests } from './code-errors.ts';
import type { CustomerArea } from './customer-area.ts';
import type { Customer } from './customer-sessions.ts';
import { deviceName } from './device-name.ts';
import { LicensePage } from './license-page.tsx';
import { LicensesPage, licensePath } from './license-pages.tsx';
import { sessionsWords } from './sessions.words.ts';
import { transferWords } from './transfer.words.ts';
import { TransferPage } from './transfer-page.tsx';
import { wordsOfRefusal } from './transfer-words.ts';

const SessionsPage = ({
  customer,
  sessions,
}: {
  readonly customer: Customer;
  readonly sessions: readonly CustomerSession[];
}) => {
  const words = useWords(sessionsWords);
  return (
    <AccountPage title={words.title} about={words.about} customer={customer} current="sessions">
      <ul className="rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <Section title={words.everywhere}>
        <p className="prose">{words.everywhereHelp}</p>
        <Form
          action={`${accountRoot}/sessions/end-all`}
          csrf={csrfTokenOf(customer.token)}
          submit={words.everywhere}
          tone="danger"
        />
      </Section>
    </AccountPage>
  );
};

const SessionRow = ({ session }: { session: CustomerSession }) => {
  const words = useWords(sessionsWords);
  const { language } = useReader();
  return (
    <li className="row-of-list">
      <div>
        <h2>{deviceName(session.userAgent, language)}</h2>
        <span className="quiet small">
          {words.kinds[session.kind]} · {words.address} <code>{session.address}</code>
        </span>
      </div>
      <div className="row">{session.current && <Badge tone="good">{words.current}</Badge>}</div>
      <div className="quiet small">
        {words.signedIn} <Moment at={session.createdAt} />
      </div>
      <div className="quiet small">
        {words.lastUsed} <Moment at={session.lastUsedAt} />
      </div>
    </li>
  );
};

/** The license in the address. @throws {Problem} if it does not exist or belongs to someone else */
export const licenseOfPath = async (
  { licenses }: CustomerArea,
  { tenantId }: Customer,
  { request, language }: PageRequest,
): Promise<CustomerLicense> => {
  const license = await licenses.find(tenantId, String(request.params.id));
  if (!license) throw new PageProblem('NOT_FOUND', accountWords[language].noSuchLicense);
  return license;
};

export const bindAccountPages = (routes: PageRoutes, area: CustomerArea, browser: BrowserCustomer): void => {
  const { licenses, transfers, sessions } = area;

  routes.get(
    '/',
    browser.signedIn(async ({ request }, customer) => {
      const own = await licenses.list(customer.tenantId);
      return { page: <LicensesPage customer={customer} licenses={own} notice={request.query.notice} /> };
    }),
  );
  routes.get(
    '/licenses/:id',
    browser.signedIn(async (asked, customer) => {
      const license = await licenseOfPath(area, customer, asked);
      const history = await licenses.history(license.id, asked.language);
      const { notice } = asked.request.query;
      return {
        page: <LicensePage customer={customer} license={license} history={history} notice={notice} />,
      };
    }),
  );

  routes.get(
    '/licenses/:id/transfer',
    browser.signedIn(async (asked, customer) => {
      const license = await licenseOfPath(area, customer, asked);
      return { page: <TransferPage customer={customer} license={license} /> };
    }),
  );
  routes.post(
    '/licenses/:id/transfer',
    browser.signedIn(async (asked, customer) => {
      const { response, form, language } = asked;
      const license = await licenseOfPath(area, customer, asked);
      const typed = form.get('hwid') ?? '';
      const refuse = (status: number, field: string | null, message: string) => {
        const errors = [{ field, message }];
        const page = <TransferPage customer={customer} license={license} hwid={typed} errors={errors} />;
        return { status, page };
      };
      const hwid = pastedHwidSchema.safeParse(typed);
      if (!hwid.success) return refuse(400, 'hwid', transferWords[language].hwidFault);
      const answer = await transfers.request({
        tenantId: customer.tenantId,
        licenseId: license.id,
        hwid: hwid.data,
        replaces: form.get('replaces') || null,
      });
      if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
      if (answer.outcome === 'rate-limited') {
        response.set('Retry-After', String(answer.retryAfterSeconds));
        return refuse(429, null, tooManyRequests(null, answer, language).message);
      }
      if (answer.outcome === 'refused') return refuse(409, 'hwid', wordsOfRefusal(answer.refusal, language));
      return { redirect: withNotice(licensePath(license.id), 'transfer-requested') };
    }),
  );
  routes.post(
    '/licenses/:id/transfer/cancel',
    browser.signedIn(async (asked, customer) => {
      const license = await licenseOfPath(area, customer, asked);
      const outcome = await transfers.cancel(customer.tenantId, license.id);
      const path = licensePath(license.id);
      return { redirect: outcome === 'cancelled' ? withNotice(path, 'transfer-cancelled') : path };
    }),
    licensePath(':id'),
  );

  routes.get(
    '/sessions',
    browser.signedIn(async (_page, customer) => ({
      page: <SessionsPage customer={customer} sessions={await sessions.list(customer)} />,
    })),
  );
  routes.post(
    '/sessions/end-all',
    browser.signedIn(async ({ response }, { tenantId }) => {
      await sessions.endAll(tenantId);
      browser.leave(response);
      return { redirect: withNotice(signInPath, 'signed-out-everywhere') };
    }),
    `${accountRoot}/sessions`,
  );
};
