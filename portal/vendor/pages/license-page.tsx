import { maxReason } from '#contracts/portal/vendor.ts';
import type { LicenseView } from '../../licenses/license-view.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Card, Facts, Moment, Notice, Section } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import { useFormat, useWords } from '../../pages/reader.ts';
import type { TransferStanding } from '../../transfers/transfer-facts.ts';
import { nextFreeTransfer } from '../../transfers/transfer-rules.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { LicenseEventView } from '../event-log.ts';
import { adminWords } from './admin.words.ts';
import { AdminNotice, AdminPage, adminRoot, CancelLink, NextPage } from './admin-page.tsx';
import { EventTable } from './event-table.tsx';
import { DateField, TextField } from './fields.tsx';
import { licenseWords } from './license.words.ts';
import { actionOf, type LicenseActionName, licenseActions } from './license-actions.ts';
import { licensePath, StatusBadge } from './license-list.routes.tsx';

export const LicensePage = (props: {
  readonly vendor: Vendor;
  readonly license: LicenseView;
  readonly transfers: TransferStanding;
  readonly events: readonly LicenseEventView[];
  readonly hasMore: boolean;
  readonly notice: unknown;
  readonly now: Date;
}) => {
  const { vendor, license, transfers, events, hasMore, notice, now } = props;
  const words = useWords(licenseWords);
  const path = licensePath(license.id);
  const offered = (Object.keys(licenseActions) as LicenseActionName[]).filter((name) =>
    actionOf(name).offeredFor(license),
  );
  const [first, ...others] = offered.filter((name) => actionOf(name).tone === 'primary');
  const restricting = offered.filter((name) => actionOf(name).tone === 'danger');
  return (
    <AdminPage
      title={words.license(license.maskedKey)}
      vendor={vendor}
      place="licenses"
      back={{ href: `${adminRoot}/licenses`, label: words.licenses }}
      mark={<StatusBadge license={license} now={now} />}
      actions={
        first && (
          <>
            {others.map((name) => (
              <a key={name} className="button secondary" href={`${path}/${name}`}>
                {words.actions[name].label}
              </a>
            ))}
            <a className="button" href={`${path}/${first}`}>
              {words.actions[first].label}
            </a>
          </>
        )
      }
    >
      <AdminNotice code={notice} />
      {license.statusReason && (
        <Notice tone="warn">
          <h2>{words.facts.reason}</h2>
          <p>
            <bdi>{license.statusReason}</bdi>
          </p>
        </Notice>
      )}
      <div className="pair">
        <LicenseFacts license={license} />
        <MachineFacts license={license} transfers={transfers} now={now} />
      </div>
      <Section title={words.events}>
        <EventTable events={events} ofLicense />
        <NextPage path={path} query={hasMore ? { before: events.at(-1)?.id } : null} />
        <p>
          <a href={`${path}/events.csv`}>{words.downloadEvents}</a>
        </p>
      </Section>
      {restricting.length > 0 && (
        <Section title={words.restrict}>
          <ul className="acts">
            {restricting.map((name) => (
              <li key={name}>
                <p className="quiet">{words.actions[name].meaning}</p>
                <a className="button danger-quiet" href={`${path}/${name}`}>
                  {words.actions[name].label}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </AdminPage>
  );
};

const Buyer = ({ license: { buyerName, buyerEmail } }: { license: LicenseView }) => (
  <>
    {buyerName && (
      <>
        <bdi>{buyerName}</bdi>
        <br />
      </>
    )}
    {buyerEmail}
  </>
);

const LicenseFacts = ({ license }: { license: LicenseView }) => {
  const words = useWords(licenseWords);
  const { never } = useWords(adminWords);
  const { features, maxClusters } = license;
  return (
    <Section title={words.license(license.maskedKey.slice(-4))}>
      <Facts
        facts={{
          [words.facts.buyer]: <Buyer license={license} />,
          [words.facts.expires]: license.expiresAt ? <Moment at={license.expiresAt} /> : never,
          [words.facts.tier]: license.tier,
          [words.facts.features]: features.includes('*') ? words.allFeatures : features.join(', '),
          [words.facts.clusters]: maxClusters === null ? words.noCap : words.atMost(maxClusters),
          [words.facts.order]: license.purchaseId,
          [words.facts.customer]: (
            <a href={`${adminRoot}/customers/${license.tenantId}`}>{license.tenantId}</a>
          ),
          [words.facts.issued]: <Moment at={license.createdAt} />,
          [words.facts.id]: <code>{license.id}</code>,
        }}
      />
    </Section>
  );
};

const MachineFacts = ({
  license: { machine },
  transfers,
  now,
}: {
  readonly license: LicenseView;
  readonly transfers: TransferStanding;
  readonly now: Date;
}) => {
  const words = useWords(licenseWords);
  const { number, moment } = useFormat();
  const { pending, lastFreeAt, grants } = transfers;
  const nextFree = nextFreeTransfer(lastFreeAt, now);
  const bound = machine && {
    [words.facts.hwid]: <code>{machine.hwid}</code>,
    [words.facts.instance]: <code>{machine.instanceId}</code>,
    [words.facts.version]: machine.version,
    [words.facts.bound]: <Moment at={machine.boundAt} />,
    [words.facts.check]: machine.lastValidatedAt ? <Moment at={machine.lastValidatedAt} /> : words.noCheck,
  };
  return (
    <Section title={words.machine}>
      {machine === null && <p className="quiet">{words.notBound}</p>}
      <Facts
        facts={{
          ...bound,
          [words.facts.transfer]: pending && words.transferTo(pending.toHwid, moment(pending.requestedAt)),
          [words.facts.nextFree]: nextFree ? <Moment at={nextFree} /> : words.now,
          [words.facts.extra]: number(grants),
        }}
      />
    </Section>
  );
};

/** Asks for confirmation, and says what will happen. */
export const LicenseActionPage = (props: {
  readonly vendor: Vendor;
  readonly license: LicenseView;
  readonly action: LicenseActionName;
  readonly errors?: readonly FieldError[];
  readonly form?: URLSearchParams;
  /** The newest change when this page was made. */
  readonly seen: string;
  /** In the vendor's time zone. */
  readonly today: string;
  readonly now: Date;
}) => {
  const { vendor, license, action, errors = [], form, seen, today, now } = props;
  const words = useWords(licenseWords);
  const { never } = useWords(adminWords);
  const { label, meaning } = words.actions[action];
  const { tone, asks } = actionOf(action);
  const path = licensePath(license.id);
  const field = (name: string) => ({ name, errors, value: form?.get(name) ?? '' });
  return (
    <AdminPage title={label} vendor={vendor} place="licenses" hasErrors={errors.length > 0}>
      <ErrorSummary errors={errors} />
      <Notice {...(tone === 'danger' ? { tone: 'warn' as const } : {})}>
        <p>{meaning}</p>
      </Notice>
      <Card>
        <Facts
          facts={{
            [words.head.key]: <code>{license.maskedKey}</code>,
            [words.facts.buyer]: <Buyer license={license} />,
            [words.status]: <StatusBadge license={license} now={now} />,
            [words.facts.expires]: license.expiresAt ? <Moment at={license.expiresAt} /> : never,
            [words.facts.machine]: license.machine ? <code>{license.machine.hwid}</code> : words.noMachine,
          }}
        />
        <Form action={`${path}/${action}`} csrf={csrfTokenOf(vendor.token)} submit={label} tone={tone}>
          <input type="hidden" name="seen" value={seen} />
          {asks === 'reason' && (
            <TextField
              {...field('reason')}
              label={words.reason}
              hint={words.reasonHint(maxReason)}
              maxLength={maxReason}
            />
          )}
          {asks === 'extension' && (
            <>
              <Field
                {...field('days')}
                label={words.days}
                hint={words.daysHint}
                inputMode="numeric"
                required={false}
              />
              <DateField
                {...field('until')}
                label={words.until}
                hint={words.untilHint(vendor.timeZone)}
                min={today}
              />
            </>
          )}
        </Form>
        <CancelLink path={path} />
      </Card>
    </AdminPage>
  );
};
