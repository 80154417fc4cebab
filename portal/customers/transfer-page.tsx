import type { CustomerLicense } from '#contracts/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Card, Facts, Moment, Notice } from '../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../pages/form.tsx';
import { freeTransferDays } from '../transfers/transfer-rules.ts';
import { AccountPage } from './account-page.tsx';
import type { Customer } from './customer-sessions.ts';
import { BackToLicense, licensePath, whyNotTransferable } from './license-pages.tsx';

export interface TransferPageProps {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  /** As it was typed. */
  readonly hwid?: string;
  readonly errors?: readonly FieldError[];
}

/** License, Transfer HWID. */
export const TransferPage = (props: TransferPageProps) => {
  const obstacle = whyNotTransferable(props.license);
  return obstacle === null ? <RequestPage {...props} /> : <ObstaclePage {...props} obstacle={obstacle} />;
};

const ObstaclePage = ({ customer, license, obstacle }: TransferPageProps & { readonly obstacle: string }) => (
  <AccountPage title="Transfer HWID" customer={customer} current="licenses">
    <BackToLicense license={license} />
    <Notice tone="warn">
      <p>{obstacle}</p>
    </Notice>
  </AccountPage>
);

const RequestPage = ({ customer, license, hwid = '', errors = [] }: TransferPageProps) => {
  const { machine, transfer } = license;
  const path = licensePath(license.id);
  return (
    <AccountPage title="Transfer HWID" customer={customer} current="licenses" hasErrors={errors.length > 0}>
      <BackToLicense license={license} />
      <ErrorSummary errors={errors} />
      <Standing license={license} />
      <Card title="The new machine">
        <Facts
          facts={{
            'Old machine': machine ? <code>{machine.hwid}</code> : 'none',
            Requested: transfer.pending ? <code>{transfer.pending.toHwid}</code> : null,
          }}
        />
        <Form
          action={`${path}/transfer`}
          csrf={csrfTokenOf(customer.token)}
          submit={transfer.pending ? 'Correct the transfer' : 'Transfer the license'}
        >
          <input type="hidden" name="replaces" value={transfer.pending?.id ?? ''} />
          <Field
            name="hwid"
            label="HWID of the new machine"
            hint="Paste it exactly as the license wizard on the new machine displays it: sha256: and 64 letters and digits."
            look="mono"
            autoComplete="off"
            spellCheck={false}
            value={hwid}
            errors={errors}
          />
        </Form>
      </Card>
      <Card title="What happens then">
        <ol className="stack">
          <li>We mail you a confirmation.</li>
          <li>
            You activate the license on the new machine with the same key. No other machine can be activated
            meanwhile; the old one keeps working.
          </li>
          <li>
            With the activation the transfer is complete. The old machine is refused from its next check on.
          </li>
        </ol>
      </Card>
    </AccountPage>
  );
};

const Standing = ({ license }: { license: CustomerLicense }) => {
  const { pending, nextFreeAt, extra } = license.transfer;
  if (pending)
    return (
      <Notice>
        <p>A transfer is pending already. Another HWID takes its place, at no cost.</p>
      </Notice>
    );
  if (nextFreeAt === null)
    return (
      <Notice tone="good">
        <p>
          A free transfer is available. It is spent only when the new machine has activated; the next one is
          free {freeTransferDays} days later.
        </p>
      </Notice>
    );
  return (
    <Notice tone={extra > 0 ? 'good' : 'warn'}>
      <p>
        Your next free transfer: <Moment at={nextFreeAt} />.{' '}
        {extra > 0
          ? `Your vendor has granted you ${extra === 1 ? 'one more' : `${extra} more`}, to be used at any time.`
          : 'If you cannot wait, ask your vendor to grant one.'}
      </p>
    </Notice>
  );
};
