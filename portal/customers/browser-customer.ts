import type { Request, Response } from 'express';
import { customerSessionMaxDays } from '#contracts/portal/customers.ts';
import type { Cookies } from '#runtime/auth/cookies.ts';
import { csrfFieldName, isCsrfToken } from '../pages/csrf.ts';
import type { PageAnswer, PageHandler, PageRequest } from '../pages/page-area.ts';
import { PageProblem } from '../pages/page-problem.ts';
import { accountWords } from './account.words.ts';
import { signInPath } from './account-paths.ts';
import { customerDeviceMaxAgeMs } from './customer-devices.ts';
import type { Customer, CustomerSessions } from './customer-sessions.ts';
import type { SignIn } from './sign-in.ts';

const sessionCookie = 'castellan_customer';
/** For a visitor who is about to sign in: forms and codes are bound to it. */
const visitorCookie = 'castellan_visitor';
/** For a browser that has signed in before. */
const deviceCookie = 'castellan_customer_device';

const dayMs = 86_400_000;
const visitorShape = /^pend_[\w-]{43}$/;

/** A page for signed-in customers. */
type CustomerPageHandler = (page: PageRequest, customer: Customer) => PageAnswer | Promise<PageAnswer>;

/** Identifies the customer behind a browser. */
export interface BrowserCustomer {
  /** Refuses a form whose token is not the session's; sends visitors without a session to the sign-in page. */
  signedIn(handler: CustomerPageHandler): PageHandler;
  current(request: Request): Promise<Customer | null>;
  /** The visitor's secret, created if there is none. */
  visitor(request: Request, response: Response): string;
  /** The same for a submitted form. @throws {Problem} if the form is not bound to it */
  visitorOfForm(page: PageRequest): string;
  begin(response: Response, signedIn: { readonly token: string; readonly device: string | null }): void;
  leave(response: Response): void;
  /** Of any session of this browser, active or not. */
  sessionToken(request: Request): string | null;
  /** The secret that the browser got at its last sign-in. */
  device(request: Request): string | null;
}

const staleForm = ({ language }: PageRequest) =>
  new PageProblem('CROSS_ORIGIN', accountWords[language].staleForm);

export const createBrowserCustomer = (
  cookies: Cookies,
  sessions: CustomerSessions,
  signIn: Pick<SignIn, 'newPending'>,
): BrowserCustomer => {
  const readVisitor = (request: Request): string | null => {
    const secret = cookies.read(request, visitorCookie);
    return secret !== null && visitorShape.test(secret) ? secret : null;
  };
  const current = async (request: Request): Promise<Customer | null> => {
    const token = cookies.read(request, sessionCookie);
    return token === null ? null : sessions.find(token, 'browser');
  };
  return {
    current,
    signedIn: (handler) => async (page) => {
      const customer = await current(page.request);
      const isForm = page.request.method === 'POST';
      if (!customer) return { redirect: isForm ? `${signInPath}?notice=ended` : signInPath };
      if (isForm && !isCsrfToken(page.form.get(csrfFieldName) ?? '', customer.token)) throw staleForm(page);
      if (customer.language !== page.language) await sessions.noteLanguage(customer, page.language);
      return handler(page, customer);
    },
    visitor(request, response) {
      const secret = readVisitor(request) ?? signIn.newPending();
      cookies.set(response, visitorCookie, secret, dayMs);
      return secret;
    },
    visitorOfForm(page) {
      const { request, form } = page;
      const secret = readVisitor(request);
      if (secret === null || !isCsrfToken(form.get(csrfFieldName) ?? '', secret)) throw staleForm(page);
      return secret;
    },
    begin(response, { token, device }) {
      cookies.clear(response, visitorCookie);
      if (device !== null) cookies.set(response, deviceCookie, device, customerDeviceMaxAgeMs);
      cookies.set(response, sessionCookie, token, customerSessionMaxDays * dayMs);
    },
    leave: (response) => cookies.clear(response, sessionCookie),
    sessionToken: (request) => cookies.read(request, sessionCookie),
    device: (request) => cookies.read(request, deviceCookie),
  };
};
