import type { CustomerLicense } from '#contracts/portal/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Facts, Notice, Section } from '../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../pages/form.tsx';
import { useFormat, useReader, useWords } from '../pages/reader.ts';
import { freeTransferDays } from '../transfers/transfer-rules.ts';
import { AccountPage } from './account-page.tsx';
import type { Customer } from './customer-sessions.ts';
import { licensePath, useBackToLicense, whyNotTransferable } from './license-pages.tsx';
import { transferWords } from './transfer.words.ts';

interface TransferPageProps {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  /** As typed. */
  readonly hwid?: string;
  readonly errors?: readonly FieldError[];
}

/** The page "Transfer HWID" of a license. */
export const TransferPage = (props: TransferPageProps) => {
  const obstacle = whyNotTransferable(props.license, useReader().language);
  return obstacle === null ? <RequestPage {...props} /> : <ObstaclePage {...props} obstacle={obstacle} />;
};

const ObstaclePage = ({ customer, license, obstacle }: TransferPageProps & { readonly obstacle: string }) => (
  <AccountPage
    title={useWords(transferWords).title}
    customer={customer}
    current="licenses"
    back={useBackToLicense(license)}
  >
    <Notice tone="warn">
      <p>{obstacle}</p>
    </Notice>
  </AccountPage>
);

const RequestPage = ({ customer, license, hwid = '', errors = [] }: TransferPageProps) => {
  const words = useWords(transferWords);
  const { machine, transfer } = license;
  return (
    <AccountPage
      title={words.title}
      customer={customer}
      current="licenses"
      back={useBackToLicense(license)}
      hasErrors={errors.length > 0}
    >
      <ErrorSummary errors={errors} />
      <Standing license={license} />
      <div className="beside">
        <Section title={words.newMachine}>
          <Form
            action={`${licensePath(license.id)}/transfer`}
            csrf={csrfTokenOf(customer.token)}
            submit={transfer.pending ? words.correct : words.submit}
          >
            <input type="hidden" name="replaces" value={transfer.pending?.id ?? ''} />
            <Field
              name="hwid"
              label={words.hwid}
              hint={words.hwidHint}
              look="mono"
              autoComplete="off"
              spellCheck={false}
              value={hwid}
              errors={errors}
            />
          </Form>
          <Facts
            facts={{
              [words.requested]: transfer.pending ? <code>{transfer.pending.toHwid}</code> : null,
              [words.oldHwid]: machine ? <code>{machine.hwid}</code> : words.none,
            }}
          />
        </Section>
        <Section title={words.next}>
          <ol className="steps">
            <li>{words.steps.mail}</li>
            <li>{words.steps.activate}</li>
            <li>{words.steps.done}</li>
          </ol>
        </Section>
      </div>
    </AccountPage>
  );
};

/** Whether a transfer is free now. */
const Standing = ({ license }: { license: CustomerLicense }) => {
  const words = useWords(transferWords);
  const { moment } = useFormat();
  const { pending, nextFreeAt, extra } = license.transfer;
  if (pending)
    return (
      <Notice>
        <p>{words.pending}</p>
      </Notice>
    );
  if (nextFreeAt === null)
    return (
      <Notice tone="good">
        <p>{words.free(freeTransferDays)}</p>
      </Notice>
    );
  return (
    <Notice tone={extra > 0 ? 'good' : 'warn'}>
      <p>
        {words.nextFree(moment(nextFreeAt))} {extra > 0 ? words.extra(extra) : words.askVendor}
      </p>
    </Notice>
  );
};
