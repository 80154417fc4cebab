import { type CustomerLicense, revealCodeMinutes } from '#contracts/portal/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Notice, Section } from '../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../pages/form.tsx';
import { useWords } from '../pages/reader.ts';
import { AccountPage } from './account-page.tsx';
import type { Customer } from './customer-sessions.ts';
import { licensePath, useBackToLicense } from './license-pages.tsx';
import { revealWords } from './reveal.words.ts';

interface RevealPageProps {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  /** A code was mailed; otherwise one is offered. */
  readonly isCodeSent: boolean;
  readonly errors?: readonly FieldError[];
}

export const RevealPage = ({ customer, license, isCodeSent, errors = [] }: RevealPageProps) => {
  const words = useWords(revealWords);
  const path = licensePath(license.id);
  const csrf = csrfTokenOf(customer.token);
  return (
    <AccountPage
      title={words.title}
      customer={customer}
      current="licenses"
      back={useBackToLicense(license)}
      hasErrors={errors.length > 0}
    >
      <ErrorSummary errors={errors} />
      {isCodeSent && (
        <Section>
          <p>{words.codeSent(customer.email, revealCodeMinutes)}</p>
          <Form action={`${path}/reveal`} csrf={csrf} submit={words.show}>
            <Field
              name="code"
              label={words.code}
              autoComplete="one-time-code"
              spellCheck={false}
              look="code"
              errors={errors}
            />
          </Form>
        </Section>
      )}
      <Section {...(isCodeSent ? { title: words.noMail } : {})}>
        <p className="prose">{isCodeSent ? words.noMailHelp : words.why}</p>
        <Form
          action={`${path}/reveal/code`}
          csrf={csrf}
          submit={isCodeSent ? words.another : words.mailCode}
          tone={isCodeSent ? 'secondary' : 'primary'}
        />
      </Section>
    </AccountPage>
  );
};

interface KeyPageProps {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  readonly licenseKey: string;
}

export const KeyPage = ({ customer, license, licenseKey }: KeyPageProps) => {
  const words = useWords(revealWords);
  return (
    <AccountPage
      title={words.keyTitle}
      customer={customer}
      current="licenses"
      isShownOnce
      back={useBackToLicense(license)}
    >
      <Notice tone="warn">
        <p>{words.once}</p>
      </Notice>
      <p className="shown-once">{licenseKey}</p>
    </AccountPage>
  );
};
