import type { Language } from '#contracts/kernel/language.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import type { FieldError } from '../../pages/form.tsx';
import type { PageAnswer, PageRequest, PageRoutes } from '../../pages/page-area.ts';
import type { RateLimited } from '../accounts/attempt-budgets.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { adminWords } from './admin.words.ts';
import { withNotice } from './admin-page.tsx';
import { type BrowserVendor, pathOfStage, signInPath } from './browser-vendor.ts';
import { signInWords } from './sign-in.words.ts';
import { CodePage, EnrolPage, RecoveryCodesPage, SignInPage } from './sign-in-pages.tsx';

export const waitError = ({ retryAfterSeconds }: RateLimited, language: Language): FieldError => ({
  field: null,
  message: adminWords[language].wait(retryAfterSeconds),
});

export const bindSignInPages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  const { signIn, enrolment, firstAccount, sessions } = area;

  const signInPage = async (
    { request, response }: PageRequest,
    refused?: { status: number; errors: readonly FieldError[]; name: string },
  ): Promise<PageAnswer> => ({
    status: refused?.status ?? 200,
    page: (
      <SignInPage
        csrf={csrfTokenOf(browser.visitor(request, response))}
        notice={request.query.notice}
        offersSetup={!(await firstAccount.isDone())}
        {...refused}
      />
    ),
  });

  routes.get('/sign-in', async (page) => {
    const vendor = await browser.current(page.request);
    return vendor ? { redirect: pathOfStage[vendor.stage] } : signInPage(page);
  });
  routes.post('/sign-in', async (page) => {
    browser.checkVisitor(page);
    const { language } = page;
    const words = signInWords[language];
    const name = page.form.get('name') ?? '';
    const answer = await signIn.password(name, page.form.get('password') ?? '', browser.clientOf(page));
    const refuse = (status: number, error: FieldError) => signInPage(page, { status, errors: [error], name });
    switch (answer.outcome) {
      case 'go-on':
        browser.begin(page.response, answer.token);
        return { redirect: pathOfStage[answer.stage] };
      case 'rate-limited':
        page.response.set('Retry-After', String(answer.retryAfterSeconds));
        return refuse(429, waitError(answer, language));
      case 'too-late':
        return refuse(403, { field: null, message: words.tooLate });
      case 'wrong':
        return refuse(401, { field: 'name', message: words.wrongPassword });
    }
  });

  routes.get(
    '/sign-in/code',
    browser.at('code', (_page, vendor) => ({ page: <CodePage vendor={vendor} /> })),
  );
  routes.post(
    '/sign-in/code',
    browser.at('code', async (page, vendor) => {
      const answer = await signIn.code(vendor.token, page.form.get('code') ?? '', browser.clientOf(page));
      const refuse = (status: number, error: FieldError) => ({
        status,
        page: <CodePage vendor={vendor} errors={[error]} />,
      });
      switch (answer.outcome) {
        case 'signed-in':
          browser.enter(page.response, answer);
          return { redirect: pathOfStage.full };
        case 'rate-limited':
          page.response.set('Retry-After', String(answer.retryAfterSeconds));
          return refuse(429, waitError(answer, page.language));
        case 'wrong':
          return refuse(401, {
            field: 'code',
            message: signInWords[page.language].wrongCode(answer.triesLeft),
          });
        case 'gone':
          browser.leave(page.response);
          return { redirect: withNotice(signInPath, 'ended') };
      }
    }),
  );

  const enrolPage = async (vendor: Vendor, error?: FieldError): Promise<PageAnswer> => {
    const offer = await enrolment.offer(vendor.token);
    if (!offer) return { redirect: withNotice(signInPath, 'ended') };
    const page = <EnrolPage vendor={vendor} offer={offer} errors={error ? [error] : []} />;
    return { page, status: error ? 400 : 200 };
  };
  routes.get(
    '/sign-in/enrol',
    browser.at('enrol', (_page, vendor) => enrolPage(vendor)),
  );
  routes.post(
    '/sign-in/enrol',
    browser.at('enrol', async (page, vendor) => {
      const { form, language } = page;
      const words = signInWords[language];
      const wanted = { code: form.get('code') ?? '', password: form.get('password') ?? '' };
      const answer = await enrolment.enrol(vendor.token, wanted, browser.clientOf(page));
      switch (answer.outcome) {
        case 'signed-in':
          browser.enter(page.response, answer);
          return { page: <RecoveryCodesPage codes={answer.recoveryCodes} /> };
        case 'wrong-code':
          return enrolPage(vendor, { field: 'code', message: words.wrongShownCode });
        case 'bad-password':
          return enrolPage(vendor, { field: 'password', message: words.badPassword[answer.code] });
        case 'gone':
          browser.leave(page.response);
          return { redirect: withNotice(signInPath, 'ended') };
      }
    }),
  );

  routes.post(
    '/sign-out',
    async (page) => {
      const vendor = await browser.current(page.request);
      if (!vendor) return { redirect: signInPath };
      return browser.at(vendor.stage, async () => {
        await sessions.end(vendor.token);
        browser.leave(page.response);
        return { redirect: withNotice(signInPath, 'signed-out') };
      })(page);
    },
    pathOfStage.full,
  );
};
