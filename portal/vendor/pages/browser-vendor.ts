import type { Request, Response } from 'express';
import type { Cookies } from '#runtime/auth/cookies.ts';
import { newSecretToken } from '#runtime/auth/secret-token.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { Problem } from '#runtime/problem.ts';
import type { SessionRow } from '../../database/rows.ts';
import { csrfFieldName, isCsrfToken } from '../../pages/csrf.ts';
import type { PageAnswer, PageHandler, PageRequest } from '../../pages/page-area.ts';
import { deviceMaxAgeMs } from '../accounts/devices.ts';
import type { SignedIn } from '../accounts/sign-in.ts';
import type { Vendor, VendorClient, VendorSessions } from '../accounts/vendor-sessions.ts';

const sessionCookie = 'castellan_vendor';
/** For a visitor who is about to sign in: the forms are bound to it. */
const visitorCookie = 'castellan_vendor_visitor';
/** For a browser that has signed in before. */
const deviceCookie = 'castellan_vendor_device';
/** Needed to create the first account. */
const permitCookie = 'castellan_vendor_permit';

const halfDayMs = 12 * 3_600_000;
const visitorShape = /^form_[\w-]{43}$/;

/** A page for people at a given stage. */
type VendorPageHandler = (page: PageRequest, vendor: Vendor) => PageAnswer | Promise<PageAnswer>;

/** Identifies the vendor account behind a browser. */
export interface BrowserVendor {
  /** Refuses a form whose token is not the session's; redirects people at another stage to where they belong. */
  at(stage: SessionRow['stage'], handler: VendorPageHandler): PageHandler;
  /** A page for people who have signed in completely. */
  signedIn(handler: VendorPageHandler): PageHandler;
  current(request: Request): Promise<Vendor | null>;
  clientOf(page: PageRequest): VendorClient;
  /** The visitor's secret, created if there is none. */
  visitor(request: Request, response: Response): string;
  /** @throws {Problem} if the submitted form is not bound to the visitor */
  checkVisitor(page: PageRequest): void;
  begin(response: Response, token: string): void;
  enter(response: Response, signedIn: SignedIn): void;
  leave(response: Response): void;
  permit(request: Request): string;
  givePermit(response: Response, permit: string): void;
}

export const signInPath = '/admin/sign-in';
export const pathOfStage = {
  code: '/admin/sign-in/code',
  enrol: '/admin/sign-in/enrol',
  full: '/admin',
} as const;

const staleForm = () =>
  new Problem('CROSS_ORIGIN', { detail: 'This form is too old. Go back, reload the page and try again.' });

export const createBrowserVendor = (cookies: Cookies, sessions: VendorSessions): BrowserVendor => {
  const current = async (request: Request): Promise<Vendor | null> => {
    const token = cookies.read(request, sessionCookie);
    return token === null ? null : sessions.find(token);
  };
  const readVisitor = (request: Request): string | null => {
    const secret = cookies.read(request, visitorCookie);
    return secret !== null && visitorShape.test(secret) ? secret : null;
  };
  const at =
    (stage: SessionRow['stage'], handler: VendorPageHandler): PageHandler =>
    async (page) => {
      const vendor = await current(page.request);
      const isForm = page.request.method === 'POST';
      if (!vendor) return { redirect: isForm ? `${signInPath}?notice=ended` : signInPath };
      if (isForm && !isCsrfToken(page.form.get(csrfFieldName) ?? '', vendor.token)) throw staleForm();
      return vendor.stage === stage ? handler(page, vendor) : { redirect: pathOfStage[vendor.stage] };
    };

  return {
    at,
    signedIn: (handler) => at('full', handler),
    current,
    clientOf: ({ request, address }) => ({
      address: countedAddress(address, request.socket.remoteAddress),
      userAgent: request.get('User-Agent') ?? '',
      device: cookies.read(request, deviceCookie),
    }),
    visitor(request, response) {
      const secret = readVisitor(request) ?? newSecretToken('form');
      cookies.set(response, visitorCookie, secret, halfDayMs);
      return secret;
    },
    checkVisitor({ request, form }) {
      const secret = readVisitor(request);
      if (secret === null || !isCsrfToken(form.get(csrfFieldName) ?? '', secret)) throw staleForm();
    },
    begin: (response, token) => cookies.set(response, sessionCookie, token, halfDayMs),
    enter(response, { token, device }) {
      cookies.set(response, sessionCookie, token, halfDayMs);
      cookies.set(response, deviceCookie, device, deviceMaxAgeMs);
      cookies.clear(response, visitorCookie);
      cookies.clear(response, permitCookie);
    },
    leave: (response) => cookies.clear(response, sessionCookie),
    permit: (request) => cookies.read(request, permitCookie) ?? '',
    givePermit: (response, permit) => cookies.set(response, permitCookie, permit, halfDayMs),
  };
};
