import { type MailState, type MailView, mailStates } from '../../mail/outbox.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Badge, Moment, Table } from '../../pages/display.tsx';
import { CsrfField } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import { useWords } from '../../pages/reader.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { adminWords } from './admin.words.ts';
import { AdminNotice, AdminPage, adminRoot, NextPage, withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { mailWords } from './mail.words.ts';
import { queryText } from './query-text.ts';

const path = `${adminRoot}/mail`;
const pageSize = 50;
const tones = { due: 'warn', sent: 'good', given_up: 'bad' } as const;

export const bindMailPages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/mail',
    browser.signedIn(async ({ request }, vendor) => {
      const { state: wanted, after, notice } = request.query;
      const state = mailStates.find((name) => name === wanted);
      const before = queryText(after) === '' ? {} : { before: queryText(after) };
      const mails = await area.outbox.list({ ...(state ? { state } : {}), ...before, limit: pageSize });
      return { page: <MailPage vendor={vendor} mails={mails} state={state} notice={notice} /> };
    }),
  );
  routes.post(
    '/mail/:id/retry',
    browser.signedIn(async ({ request }, vendor) => {
      const id = queryText(request.params.id);
      const retried = (await area.outbox.retry(id)) === 'retried';
      if (retried) await area.record({ kind: 'mail_retried', by: vendor.name, subject: id });
      return { redirect: withNotice(path, retried ? 'retried' : 'not-retried') };
    }),
    path,
  );
};

const MailPage = ({
  vendor,
  mails,
  state,
  notice,
}: {
  readonly vendor: Vendor;
  readonly mails: readonly MailView[];
  readonly state: MailState | undefined;
  readonly notice: unknown;
}) => {
  const words = useWords(mailWords);
  const { all, none } = useWords(adminWords);
  return (
    <AdminPage title={words.title} vendor={vendor} place="mail">
      <AdminNotice code={notice} />
      <nav aria-label={words.which}>
        <ul className="choices">
          <li>
            <a href={path} aria-current={state === undefined ? 'true' : undefined}>
              {all}
            </a>
          </li>
          {mailStates.map((name) => (
            <li key={name}>
              <a href={`${path}?state=${name}`} aria-current={state === name ? 'true' : undefined}>
                {words.states[name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Table
        caption={words.caption}
        hideCaption
        head={Object.values(words.head)}
        empty={words.empty}
        rows={mails.map((mail) => ({
          key: mail.id,
          cells: [
            <Moment key="made" at={mail.createdAt} />,
            mail.recipient,
            mail.subject,
            <Badge key="state" tone={tones[mail.state]}>
              {words.states[mail.state]}
            </Badge>,
            mail.lastFault ?? none,
            mail.canRetry ? (
              <form key="retry" method="post" action={`${path}/${mail.id}/retry`}>
                <CsrfField token={csrfTokenOf(vendor.token)} />
                <button className="button secondary small" type="submit">
                  {words.retry}
                </button>
              </form>
            ) : (
              none
            ),
          ],
        }))}
      />
      <NextPage path={path} query={mails.length < pageSize ? null : { state, after: mails.at(-1)?.id }} />
    </AdminPage>
  );
};
