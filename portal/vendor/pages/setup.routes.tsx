import type { Language } from '#contracts/kernel/language.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import type { FieldError } from '../../pages/form.tsx';
import type { PageAnswer, PageRequest, PageRoutes } from '../../pages/page-area.ts';
import type { VendorArea } from '../vendor-area.ts';
import { adminRoot } from './admin-page.tsx';
import { type BrowserVendor, signInPath } from './browser-vendor.ts';
import { waitError } from './sign-in.routes.tsx';
import { signInWords } from './sign-in.words.ts';
import { RecoveryCodesPage, SetupAccountPage, SetupTokenPage } from './sign-in-pages.tsx';

const setupPath = `${adminRoot}/setup`;

const faultOf = (field: 'name' | 'password' | 'code', language: Language): string => {
  const { badName, badPassword, wrongShownCode } = signInWords[language];
  return { name: badName, password: badPassword.length, code: wrongShownCode }[field];
};

/** Creates the first account; closed for good once there is one. */
export const bindSetupPages = (
  routes: PageRoutes,
  { firstAccount }: VendorArea,
  browser: BrowserVendor,
): void => {
  const tokenPage = (
    { request, response }: PageRequest,
    status = 200,
    errors: readonly FieldError[] = [],
  ) => ({
    status,
    page: (
      <SetupTokenPage
        csrf={csrfTokenOf(browser.visitor(request, response))}
        hasToken={firstAccount.hasToken}
        errors={errors}
      />
    ),
  });

  routes.get('/setup', async (page) =>
    (await firstAccount.isDone()) ? { redirect: signInPath } : tokenPage(page),
  );
  routes.post('/setup', async (page): Promise<PageAnswer> => {
    browser.checkVisitor(page);
    const opened = await firstAccount.open(page.form.get('token') ?? '', browser.clientOf(page).address);
    switch (opened.outcome) {
      case 'opened':
        browser.givePermit(page.response, opened.permit);
        return { redirect: `${setupPath}/account` };
      case 'done-before':
        return { redirect: signInPath };
      case 'rate-limited':
        page.response.set('Retry-After', String(opened.retryAfterSeconds));
        return tokenPage(page, 429, [waitError(opened, page.language)]);
      case 'wrong':
        return tokenPage(page, 401, [{ field: 'token', message: signInWords[page.language].wrongToken }]);
    }
  });

  const accountPage = (
    { request, response, form }: PageRequest,
    errors: readonly FieldError[] = [],
  ): PageAnswer => {
    const offer = firstAccount.offer(browser.permit(request));
    if (!offer) return { redirect: setupPath };
    const csrf = csrfTokenOf(browser.visitor(request, response));
    const page = <SetupAccountPage csrf={csrf} offer={offer} errors={errors} name={form.get('name') ?? ''} />;
    return { page, status: errors.length > 0 ? 400 : 200 };
  };
  routes.get('/setup/account', async (page) =>
    (await firstAccount.isDone()) ? { redirect: signInPath } : accountPage(page),
  );
  routes.post('/setup/account', async (page): Promise<PageAnswer> => {
    browser.checkVisitor(page);
    const field = (name: string) => page.form.get(name) ?? '';
    const answer = await firstAccount.create(
      browser.permit(page.request),
      { name: field('name'), password: field('password'), code: field('code') },
      browser.clientOf(page),
    );
    switch (answer.outcome) {
      case 'signed-in':
        browser.enter(page.response, answer);
        return { page: <RecoveryCodesPage codes={answer.recoveryCodes} /> };
      case 'gone':
        return { redirect: setupPath };
      case 'refused':
        return accountPage(page, [{ field: answer.field, message: faultOf(answer.field, page.language) }]);
    }
  });
};
