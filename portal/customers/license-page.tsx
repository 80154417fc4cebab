import type { CustomerLicense, LicenseHistory } from '#contracts/portal/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Facts, Moment, Notice, Section } from '../pages/display.tsx';
import { Form } from '../pages/form.tsx';
import { useFormat, useReader, useWords } from '../pages/reader.ts';
import { accountWords } from './account.words.ts';
import { AccountNotice, AccountPage } from './account-page.tsx';
import { accountRoot } from './account-paths.ts';
import type { Customer } from './customer-sessions.ts';
import { licenseEnding, licensePath, StatusBadge, whyNotTransferable } from './license-pages.tsx';
import { licensesWords } from './licenses.words.ts';

/** One license: what it allows, which machine uses it, and what happened to it. */
export const LicensePage = ({
  customer,
  license,
  history,
  notice,
}: {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  readonly history: LicenseHistory;
  readonly notice: unknown;
}) => {
  const words = useWords(licensesWords);
  const { language } = useReader();
  const path = licensePath(license.id);
  const obstacle = whyNotTransferable(license, language);
  const { pending } = license.transfer;
  return (
    <AccountPage
      title={words.name(licenseEnding(license))}
      customer={customer}
      current="licenses"
      back={{ href: accountRoot, label: useWords(accountWords).licenses }}
      mark={<StatusBadge status={license.status} />}
      actions={
        <>
          <a className="button secondary" href={`${path}/reveal`}>
            {words.showKey}
          </a>
          {obstacle === null && (
            <a className="button" href={`${path}/transfer`}>
              {pending ? words.correct : words.transfer}
            </a>
          )}
        </>
      }
    >
      <AccountNotice code={notice} />
      {license.reason && <ReasonNotice reason={license.reason} />}
      {pending && <PendingTransfer customer={customer} path={path} pending={pending} />}
      <div className="beside">
        <Machine license={license} obstacle={obstacle} />
        <LicenseFacts license={license} />
        <History history={history} />
      </div>
    </AccountPage>
  );
};

/** The vendor's reason for suspending or revoking the license, in their own words. */
const ReasonNotice = ({ reason }: { reason: string }) => (
  <Notice tone="warn">
    <h2>{useWords(licensesWords).reason}</h2>
    <p>
      <bdi>{reason}</bdi>
    </p>
  </Notice>
);

const LicenseFacts = ({ license }: { license: CustomerLicense }) => {
  const words = useWords(licensesWords);
  const { number } = useFormat();
  const { expiresAt, maxClusters } = license;
  return (
    <Section title={words.license}>
      <Facts
        facts={{
          [words.plan]: license.tier,
          [words.expires]: expiresAt === null ? words.never : <Moment at={expiresAt} dayOnly />,
          [words.clusters]: maxClusters === null ? words.noLimit : number(maxClusters),
          [words.key]: <code>{license.maskedKey}</code>,
          [words.issued]: <Moment at={license.createdAt} dayOnly />,
        }}
      />
    </Section>
  );
};

const Machine = ({ license, obstacle }: { license: CustomerLicense; obstacle: string | null }) => {
  const words = useWords(licensesWords);
  const { machine, transfer } = license;
  return (
    <Section title={words.machine}>
      {machine ? (
        <Facts
          facts={{
            [transfer.pending ? words.oldHwid : words.hwid]: <code>{machine.hwid}</code>,
            [words.version]: machine.version,
            [words.boundSince]: <Moment at={machine.boundAt} />,
            [words.lastCheck]: machine.lastCheckedAt ? <Moment at={machine.lastCheckedAt} /> : words.noCheck,
          }}
        />
      ) : (
        <p>
          {words.notBound}. {words.notBoundHelp}
        </p>
      )}
      {machine && obstacle && <p className="quiet">{obstacle}</p>}
    </Section>
  );
};

const History = ({ history }: { history: LicenseHistory }) => {
  const words = useWords(licensesWords);
  return (
    <Section title={words.history}>
      <ol className="timeline">
        {history.map(({ at, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same in every other way
          <li key={index}>
            <span>{text}</span>
            <Moment at={at} />
          </li>
        ))}
      </ol>
    </Section>
  );
};

const PendingTransfer = ({
  customer,
  path,
  pending,
}: {
  readonly customer: Customer;
  readonly path: string;
  readonly pending: NonNullable<CustomerLicense['transfer']['pending']>;
}) => {
  const words = useWords(licensesWords);
  const { moment } = useFormat();
  return (
    <Notice tone="warn">
      <h2>{words.pendingTitle}</h2>
      <p>
        {words.pendingSince(moment(pending.requestedAt))} <code>{pending.toHwid}</code>
      </p>
      <p>{words.pendingHelp}</p>
      <Form
        action={`${path}/transfer/cancel`}
        csrf={csrfTokenOf(customer.token)}
        submit={words.cancel}
        tone="secondary"
      />
    </Notice>
  );
};
