import type { Language } from '#contracts/kernel/language.ts';
import type { CustomerLicense } from '#contracts/portal/customers.ts';
import { Badge, Section, type Tone } from '../pages/display.tsx';
import { useFormat, useWords } from '../pages/reader.ts';
import { AccountNotice, AccountPage } from './account-page.tsx';
import { accountRoot } from './account-paths.ts';
import type { Customer } from './customer-sessions.ts';
import { licensesWords } from './licenses.words.ts';
import { wordsOfRefusal } from './transfer-words.ts';

/** Enough for customers to tell their licenses apart. */
export const licenseEnding = ({ maskedKey }: CustomerLicense): string => maskedKey.slice(-4);

/** Why the license cannot be transferred to any machine at the moment; null if it can. */
export const whyNotTransferable = (
  { status, machine, transfer }: CustomerLicense,
  language: Language,
): string | null => {
  if (status !== 'active') return wordsOfRefusal({ reason: status }, language);
  return machine || transfer.pending ? null : wordsOfRefusal({ reason: 'not-bound' }, language);
};

export const licensePath = (id: string): string => `${accountRoot}/licenses/${id}`;

const tones: Readonly<Record<CustomerLicense['status'], Tone>> = {
  active: 'good',
  expired: 'warn',
  suspended: 'warn',
  revoked: 'bad',
};

/** The back link of pages about one license. */
export const useBackToLicense = (license: CustomerLicense) => ({
  href: licensePath(license.id),
  label: useWords(licensesWords).name(licenseEnding(license)),
});

export const StatusBadge = ({ status }: { status: CustomerLicense['status'] }) => (
  <Badge tone={tones[status]}>{useWords(licensesWords).statuses[status]}</Badge>
);

const useExpiry = ({ expiresAt }: CustomerLicense): string => {
  const words = useWords(licensesWords);
  const { day } = useFormat();
  return expiresAt === null ? words.unlimited : words.until(day(expiresAt));
};

export const LicensesPage = ({
  customer,
  licenses,
  notice,
}: {
  readonly customer: Customer;
  readonly licenses: readonly CustomerLicense[];
  readonly notice: unknown;
}) => {
  const words = useWords(licensesWords);
  return (
    <AccountPage title={words.title} customer={customer} current="licenses">
      <AccountNotice code={notice} />
      {licenses.length === 0 ? (
        <Section>
          <p>{words.none(customer.email)}</p>
          <p className="quiet">{words.noneHelp}</p>
        </Section>
      ) : (
        <ul className="rows">
          {licenses.map((license) => (
            <LicenseRow key={license.id} license={license} />
          ))}
        </ul>
      )}
    </AccountPage>
  );
};

const LicenseRow = ({ license }: { license: CustomerLicense }) => {
  const words = useWords(licensesWords);
  const { machine, transfer } = license;
  return (
    <li className="row-of-list">
      <div>
        <h2>
          <a href={licensePath(license.id)}>{license.tier}</a>
        </h2>
        <code className="quiet small">{license.maskedKey}</code>
      </div>
      <div className="row">
        <StatusBadge status={license.status} />
        {transfer.pending && <Badge tone="warn">{words.waits}</Badge>}
      </div>
      <div className="quiet small">
        {machine ? (
          <>
            {words.machine} <code>{machine.hwid.slice(0, 15)}…</code>
          </>
        ) : (
          words.notBound
        )}
      </div>
      <div className="quiet small">{useExpiry(license)}</div>
    </li>
  );
};
