import { type CustomerLicense, revealCodeMinutes } from '#contracts/portal/customers.ts';
import { Problem } from '#runtime/problem.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Notice, Section } from '../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../pages/form.tsx';
import type { PageRoutes } from '../pages/page-area.ts';
import { useWords } from '../pages/reader.ts';
import { licenseOfPath } from './account.routes.tsx';
import { AccountPage } from './account-page.tsx';
import type { BrowserCustomer } from './browser-customer.ts';
import { codeError, tooManyRequests } from './code-errors.ts';
import type { CustomerArea } from './customer-area.ts';
import type { Customer } from './customer-sessions.ts';
import { licensePath, useBackToLicense } from './license-pages.tsx';
import { revealWords } from './reveal.words.ts';

const RevealPage = ({
  customer,
  license,
  isCodeSent,
  errors = [],
}: {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  /** A code was mailed; otherwise one is offered. */
  readonly isCodeSent: boolean;
  readonly errors?: readonly FieldError[];
}) => {
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

const KeyPage = ({
  customer,
  license,
  licenseKey,
}: {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  readonly licenseKey: string;
}) => {
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

export const bindRevealPages = (routes: PageRoutes, area: CustomerArea, browser: BrowserCustomer): void => {
  const { reveal } = area;

  routes.get(
    '/licenses/:id/reveal',
    browser.signedIn(async (asked, customer) => {
      const license = await licenseOfPath(area, customer, asked);
      const isCodeSent = asked.request.query.step === 'code';
      return { page: <RevealPage customer={customer} license={license} isCodeSent={isCodeSent} /> };
    }),
  );
  routes.post(
    '/licenses/:id/reveal/code',
    browser.signedIn(async (asked, customer) => {
      const { response, language } = asked;
      const license = await licenseOfPath(area, customer, asked);
      const answer = await reveal.requestCode(customer, license.id, language);
      if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
      if (answer.outcome === 'asked') return { redirect: `${licensePath(license.id)}/reveal?step=code` };
      response.set('Retry-After', String(answer.retryAfterSeconds));
      const errors = [tooManyRequests(null, answer, language)];
      const page = <RevealPage customer={customer} license={license} isCodeSent={false} errors={errors} />;
      return { status: 429, page };
    }),
    `${licensePath(':id')}/reveal`,
  );
  // No redirect: the key must not appear in an address. A reload sends a used-up code, and shows nothing.
  routes.post(
    '/licenses/:id/reveal',
    browser.signedIn(async (asked, customer) => {
      const { form, language } = asked;
      const license = await licenseOfPath(area, customer, asked);
      const answer = await reveal.reveal(customer, license.id, form.get('code') ?? '');
      if (answer.outcome === 'not-found') throw new Problem('NOT_FOUND');
      if (answer.outcome === 'revealed')
        return { page: <KeyPage customer={customer} license={license} licenseKey={answer.licenseKey} /> };
      const errors = [codeError(answer, language)];
      return {
        status: 400,
        page: <RevealPage customer={customer} license={license} isCodeSent errors={errors} />,
      };
    }),
  );
};
