import { signInCodeMinutes } from '#contracts/portal/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Card } from '../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../pages/form.tsx';
import { useWords } from '../pages/reader.ts';
import { AccountNotice, AccountPage } from './account-page.tsx';
import { signInPath } from './account-paths.ts';
import type { AskedCode } from './sign-in.ts';
import { signInWords } from './sign-in.words.ts';

interface SignInPageProps {
  /** The visitor's secret, to which forms are bound. */
  readonly visitor: string;
  readonly notice?: unknown;
  readonly email?: string;
  readonly errors?: readonly FieldError[];
}

export const SignInPage = ({ visitor, notice, email = '', errors = [] }: SignInPageProps) => {
  const words = useWords(signInWords);
  return (
    <AccountPage title={words.title} customer={null} heading={null} hasErrors={errors.length > 0}>
      <div className="narrow stack">
        <h1>{words.title}</h1>
        <AccountNotice code={notice} />
        <ErrorSummary errors={errors} />
        <Card>
          <p>{words.about}</p>
          <Form action={signInPath} csrf={csrfTokenOf(visitor)} submit={words.mailCode}>
            <Field
              name="email"
              label={words.email}
              hint={words.emailHint}
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
};

interface CodePageProps {
  readonly visitor: string;
  readonly asked: AskedCode;
  readonly errors?: readonly FieldError[];
}

export const CodePage = ({ visitor, asked: { email, isShared }, errors = [] }: CodePageProps) => {
  const words = useWords(signInWords);
  return (
    <AccountPage title={words.codeTitle} customer={null} heading={null} hasErrors={errors.length > 0}>
      <div className="narrow stack">
        <h1>{words.codeTitle}</h1>
        <ErrorSummary errors={errors} />
        <Card>
          <p>{words.codeSent(email, signInCodeMinutes)}</p>
          {isShared && <p>{words.shared}</p>}
          <Form action={`${signInPath}/code`} csrf={csrfTokenOf(visitor)} submit={words.signIn}>
            <Field
              name="code"
              label={words.code}
              hint={words.codeHint}
              autoComplete="one-time-code"
              spellCheck={false}
              look="code"
              errors={errors}
            />
          </Form>
        </Card>
        <p className="quiet">
          {words.noMail} <a href={signInPath}>{words.another}</a>.
        </p>
      </div>
    </AccountPage>
  );
};
