import { customerEmailSchema, signInCodeMinutes } from '#contracts/portal/customers.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Card } from '../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../pages/form.tsx';
import type { PageRequest, PageRoutes } from '../pages/page-area.ts';
import { useWords } from '../pages/reader.ts';
import { AccountNotice, AccountPage, withNotice } from './account-page.tsx';
import { accountRoot, signInPath } from './account-paths.ts';
import type { BrowserCustomer } from './browser-customer.ts';
import { codeError, tooManyRequests } from './code-errors.ts';
import type { CustomerArea } from './customer-area.ts';
import type { AskedCode } from './sign-in.ts';
import { signInWords } from './sign-in.words.ts';

const SignInPage = ({
  visitor,
  notice,
  email = '',
  errors = [],
}: {
  /** The visitor's secret, to which forms are bound. */
  readonly visitor: string;
  readonly notice?: unknown;
  readonly email?: string;
  readonly errors?: readonly FieldError[];
}) => {
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

const CodePage = ({
  visitor,
  asked: { email, isShared },
  errors = [],
}: {
  readonly visitor: string;
  readonly asked: AskedCode;
  readonly errors?: readonly FieldError[];
}) => {
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

const codePath = `${signInPath}/code`;

export const bindSignInPages = (routes: PageRoutes, area: CustomerArea, browser: BrowserCustomer): void => {
  const { signIn, sessions } = area;

  routes.get('/sign-in', async ({ request, response }) => {
    if (await browser.current(request)) return { redirect: accountRoot };
    const visitor = browser.visitor(request, response);
    return { page: <SignInPage visitor={visitor} notice={request.query.notice} /> };
  });

  routes.post('/sign-in', async (page) => {
    const visitor = browser.visitorOfForm(page);
    const { language } = page;
    const typed = page.form.get('email') ?? '';
    const email = customerEmailSchema.safeParse(typed.trim());
    if (!email.success) {
      const errors = [{ field: 'email', message: signInWords[language].emailFault }];
      return { status: 400, page: <SignInPage visitor={visitor} email={typed} errors={errors} /> };
    }
    const asker = { address: addressOf(page), device: browser.device(page.request), language };
    const answer = await signIn.requestCode(email.data, visitor, asker);
    if (answer.outcome === 'asked') return { redirect: codePath };
    page.response.set('Retry-After', String(answer.retryAfterSeconds));
    const errors = [tooManyRequests('email', answer, language)];
    return { status: 429, page: <SignInPage visitor={visitor} email={typed} errors={errors} /> };
  });

  routes.get('/sign-in/code', async ({ request, response }) => {
    const visitor = browser.visitor(request, response);
    const asked = await signIn.askedFor(visitor);
    if (asked === null) return { redirect: signInPath };
    return { page: <CodePage visitor={visitor} asked={asked} /> };
  });

  routes.post('/sign-in/code', async (page) => {
    const visitor = browser.visitorOfForm(page);
    const { request, response, form, language } = page;
    // Before the code is used: afterwards there is none.
    const asked = await signIn.askedFor(visitor);
    const client = {
      kind: 'browser',
      address: addressOf(page),
      userAgent: request.get('User-Agent') ?? '',
    } as const;
    const previous = { token: browser.sessionToken(request), device: browser.device(request) };
    const answer = await signIn.signIn(visitor, form.get('code') ?? '', client, previous);
    if (answer.outcome === 'signed-in') {
      browser.begin(response, answer);
      return { redirect: accountRoot };
    }
    const errors = [codeError(answer, language)];
    if (asked === null || answer.outcome === 'gone') {
      const again = errors.map(({ message }) => ({ field: 'email', message }));
      const page = <SignInPage visitor={visitor} email={asked?.email ?? ''} errors={again} />;
      return { status: 400, page };
    }
    return { status: 400, page: <CodePage visitor={visitor} asked={asked} errors={errors} /> };
  });

  routes.post(
    '/sign-out',
    browser.signedIn(async ({ response }, { token }) => {
      await sessions.end(token);
      browser.leave(response);
      return { redirect: withNotice(signInPath, 'signed-out') };
    }),
    accountRoot,
  );
};

const addressOf = ({ request, address }: PageRequest): string =>
  countedAddress(address, request.socket.remoteAddress);
