import type { ReactNode } from 'react';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Notice, type Tone } from '../../pages/display.tsx';
import { Page } from '../../pages/page.tsx';
import type { PageFault } from '../../pages/page-area.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';

export const adminRoot = '/admin';

const places = {
  overview: { href: adminRoot, label: 'Overview' },
  licenses: { href: `${adminRoot}/licenses`, label: 'Licenses' },
  customers: { href: `${adminRoot}/customers`, label: 'Customers' },
  events: { href: `${adminRoot}/events`, label: 'Events' },
  purchases: { href: `${adminRoot}/purchases`, label: 'Purchases' },
  mail: { href: `${adminRoot}/mail`, label: 'Mail' },
  keys: { href: `${adminRoot}/keys`, label: 'Signing keys' },
  accounts: { href: `${adminRoot}/accounts`, label: 'Accounts' },
  account: { href: `${adminRoot}/account`, label: 'Your account' },
} as const;
export type Place = keyof typeof places;

export interface AdminPageProps {
  readonly title: string;
  readonly heading?: ReactNode;
  /** Null: nobody has signed in yet. */
  readonly vendor: Vendor | null;
  readonly place?: Place;
  readonly hasErrors?: boolean;
  readonly children: ReactNode;
}

/** The frame of every page of the vendor. */
export const AdminPage = ({
  title,
  heading = title,
  vendor,
  place,
  hasErrors = false,
  children,
}: AdminPageProps) => (
  <Page
    title={title}
    heading={heading}
    area="Vendor"
    home={adminRoot}
    hasErrors={hasErrors}
    wide={vendor?.stage === 'full'}
    nav={
      vendor?.stage === 'full'
        ? Object.entries(places).map(([name, { href, label }]) => ({ href, label, current: name === place }))
        : []
    }
    user={
      vendor && {
        name: vendor.name,
        signOutPath: `${adminRoot}/sign-out`,
        csrf: csrfTokenOf(vendor.token),
      }
    }
  >
    {children}
  </Page>
);

export const AdminFault = ({ title, detail, requestId }: PageFault) => (
  <AdminPage title={title} vendor={null}>
    <Notice tone="bad">
      <p>{detail}</p>
    </Notice>
    <p className="row">
      <a className="button secondary" href={adminRoot}>
        Back to the overview
      </a>
    </p>
    <p className="quiet small">The log names this request: {requestId}</p>
  </AdminPage>
);

/** What a redirect may say on the page that it leads to, by the `notice` of its address. */
const notices = {
  ended: { tone: 'warn', text: 'Your session has ended. Sign in again.' },
  'signed-out': { tone: 'good', text: 'You are signed out.' },
  'signed-out-everywhere': { tone: 'good', text: 'You are signed out in all browsers.' },
  'password-changed': { tone: 'good', text: 'Your password is changed; your other sessions have ended.' },
  suspend: { tone: 'good', text: 'The license is suspended.' },
  resume: { tone: 'good', text: 'The license is active again.' },
  revoke: { tone: 'good', text: 'The license is revoked.' },
  extend: { tone: 'good', text: 'The license has more time.' },
  unbind: { tone: 'good', text: 'The license is free: the next machine that activates it binds.' },
  'grant-transfer': { tone: 'good', text: 'One more transfer is granted.' },
  'issued-before': {
    tone: 'warn',
    text: 'This license was issued already; its key was shown then, and is not shown again.',
  },
  retried: { tone: 'good', text: 'It is tried again now.' },
  dismissed: { tone: 'good', text: 'The event is set aside.' },
  'not-dismissed': { tone: 'warn', text: 'The event waits for nobody; there was nothing to set aside.' },
  'not-retried': { tone: 'warn', text: 'There is nothing to try again.' },
  'keys-rotated': { tone: 'good', text: 'The next key signs now.' },
  'key-prepared': {
    tone: 'warn',
    text: 'There was no next key. It is published now and may sign in a while; rotate again then.',
  },
  'rotated-meanwhile': { tone: 'warn', text: 'Somebody else rotated the keys a moment ago.' },
  'key-retired': { tone: 'good', text: 'The key is retired; its private half is destroyed.' },
  'key-struck': { tone: 'good', text: 'The key is struck out. Clients learn of it with their next check.' },
  'account-disabled': { tone: 'good', text: 'The account is disabled, and its sessions have ended.' },
  'account-enabled': { tone: 'good', text: 'The account is enabled.' },
} as const satisfies Readonly<Record<string, { tone: Tone; text: string }>>;
export type NoticeCode = keyof typeof notices;

const isNotice = (code: unknown): code is NoticeCode =>
  typeof code === 'string' && Object.hasOwn(notices, code);

export const withNotice = (path: string, code: NoticeCode): string => `${path}?notice=${code}`;

/** @param code as it stood in the address; anything else than one of ours says nothing */
export const AdminNotice = ({ code }: { code: unknown }) =>
  isNotice(code) ? (
    <Notice tone={notices[code].tone} live>
      <p>{notices[code].text}</p>
    </Notice>
  ) : null;

/** The link to the next page of a list; nothing on the last one. */
export const NextPage = ({
  path,
  query,
}: {
  path: string;
  query: Readonly<Record<string, string | null | undefined>> | null;
}) =>
  query && (
    <p>
      <a className="button secondary" href={`${path}?${searchOf(query)}`}>
        Next page
      </a>
    </p>
  );

/** @returns without a leading question mark; what is absent or empty is left out */
export const searchOf = (query: Readonly<Record<string, string | null | undefined>>): string =>
  new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();
