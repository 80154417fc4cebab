import { signInCodeMinutes } from '#contracts/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Card } from '../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../pages/form.tsx';
import { AccountNotice, AccountPage } from './account-page.tsx';
import { signInPath } from './account-paths.ts';
import type { AskedCode } from './sign-in.ts';

export interface SignInPageProps {
  /** The visitor's secret; forms are bound to it. */
  readonly visitor: string;
  readonly notice?: unknown;
  readonly email?: string;
  readonly errors?: readonly FieldError[];
}

export const SignInPage = ({ visitor, notice, email = '', errors = [] }: SignInPageProps) => (
  <AccountPage title="Sign in" customer={null} heading={null} hasErrors={errors.length > 0}>
    <div className="narrow stack">
      <h1>Sign in</h1>
      <AccountNotice code={notice} />
      <ErrorSummary errors={errors} />
      <Card>
        <p>
          Here you see your licenses, move one to another machine, and have its key shown. We mail you a code;
          there is no password.
        </p>
        <Form action={signInPath} csrf={csrfTokenOf(visitor)} submit="Mail me a code">
          <Field
            name="email"
            label="E-mail address"
            hint="The one that your license was bought with."
            type="email"
            autoComplete="email"
            inputMode="email"
            spellCheck={false}
            value={email}
            errors={errors}
          />
        </Form>
      </Card>
    </div>
  </AccountPage>
);

export interface CodePageProps {
  readonly visitor: string;
  readonly asked: AskedCode;
  readonly errors?: readonly FieldError[];
}

export const CodePage = ({ visitor, asked: { email, isShared }, errors = [] }: CodePageProps) => (
  <AccountPage title="Enter the code" customer={null} heading={null} hasErrors={errors.length > 0}>
    <div className="narrow stack">
      <h1>Enter the code</h1>
      <ErrorSummary errors={errors} />
      <Card>
        <p>
          If <strong>{email}</strong> belongs to a customer, a code is on its way to it. It is good for{' '}
          {signInCodeMinutes} minutes, once, and in this browser only.
        </p>
        {isShared && (
          <p>
            Very many codes were requested for this address. The newest code with three groups, such as
            K7WD-3M9P-Q2XR, works here as well.
          </p>
        )}
        <Form action={`${signInPath}/code`} csrf={csrfTokenOf(visitor)} submit="Sign in">
          <Field
            name="code"
            label="Code from the mail"
            hint="Such as K7WD-3M9P. Capitals and the hyphen do not matter."
            autoComplete="one-time-code"
            spellCheck={false}
            look="code"
            errors={errors}
          />
        </Form>
      </Card>
      <p className="quiet">
        No mail? Look into the spam folder, or <a href={signInPath}>ask for another code</a>.
      </p>
    </div>
  </AccountPage>
);
