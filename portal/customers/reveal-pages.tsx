import { type CustomerLicense, revealCodeMinutes } from '#contracts/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Card, Notice } from '../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../pages/form.tsx';
import { AccountPage } from './account-page.tsx';
import type { Customer } from './customer-sessions.ts';
import { BackToLicense, licensePath } from './license-pages.tsx';

export interface RevealPageProps {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  /** A code was mailed; else it is offered. */
  readonly isCodeSent: boolean;
  readonly errors?: readonly FieldError[];
}

export const RevealPage = ({ customer, license, isCodeSent, errors = [] }: RevealPageProps) => {
  const path = licensePath(license.id);
  const csrf = csrfTokenOf(customer.token);
  return (
    <AccountPage title="Show the key" customer={customer} current="licenses" hasErrors={errors.length > 0}>
      <BackToLicense license={license} />
      <ErrorSummary errors={errors} />
      {isCodeSent && (
        <Card title="Enter the code">
          <p>
            We have mailed a code to <strong>{customer.email}</strong>. It is good for {revealCodeMinutes}{' '}
            minutes and once.
          </p>
          <Form action={`${path}/reveal`} csrf={csrf} submit="Show the key">
            <Field
              name="code"
              label="Code from the mail"
              autoComplete="one-time-code"
              spellCheck={false}
              look="code"
              errors={errors}
            />
          </Form>
        </Card>
      )}
      <Card title={isCodeSent ? 'No mail?' : 'A code first'}>
        <p>
          Whoever has the key can activate the license, so we show it for a fresh code only, even to you.
          {isCodeSent ? ' Another code replaces the one before.' : ''}
        </p>
        <Form
          action={`${path}/reveal/code`}
          csrf={csrf}
          submit={isCodeSent ? 'Mail me another code' : 'Mail me a code'}
          tone={isCodeSent ? 'secondary' : 'primary'}
        />
      </Card>
    </AccountPage>
  );
};

export interface KeyPageProps {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  readonly licenseKey: string;
}

export const KeyPage = ({ customer, license, licenseKey }: KeyPageProps) => (
  <AccountPage title="Your license key" customer={customer} current="licenses">
    <Notice tone="warn">
      <p>
        Shown this once: when you leave or reload this page, you need a new code. Keep the key to yourself.
      </p>
    </Notice>
    <Card title="Key">
      <p className="shown-once">{licenseKey}</p>
    </Card>
    <BackToLicense license={license} />
  </AccountPage>
);
