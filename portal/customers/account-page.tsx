import type { ReactNode } from 'react';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Notice, type Tone } from '../pages/display.tsx';
import { Page } from '../pages/page.tsx';
import type { PageFault } from '../pages/page-area.ts';
import { accountRoot } from './account-paths.ts';
import type { Customer } from './customer-sessions.ts';

const area = 'Customer area';

export interface AccountPageProps {
  readonly title: string;
  readonly heading?: ReactNode;
  readonly customer: Customer | null;
  readonly current?: 'licenses' | 'sessions';
  readonly hasErrors?: boolean;
  readonly children: ReactNode;
}

/** The frame of every page of the customer area. */
export const AccountPage = ({
  title,
  heading,
  customer,
  current,
  hasErrors = false,
  children,
}: AccountPageProps) => (
  <Page
    title={title}
    heading={heading === undefined ? title : heading}
    area={area}
    home={accountRoot}
    hasErrors={hasErrors}
    nav={
      customer
        ? [
            { href: accountRoot, label: 'Licenses', current: current === 'licenses' },
            { href: `${accountRoot}/sessions`, label: 'Sessions', current: current === 'sessions' },
          ]
        : []
    }
    user={
      customer && {
        name: customer.email,
        signOutPath: `${accountRoot}/sign-out`,
        csrf: csrfTokenOf(customer.token),
      }
    }
  >
    {children}
  </Page>
);

export const AccountFault = ({ title, detail, requestId }: PageFault) => (
  <AccountPage title={title} customer={null}>
    <Notice tone="bad">
      <p>{detail}</p>
    </Notice>
    <p className="row">
      <a className="button secondary" href={accountRoot}>
        Back to your licenses
      </a>
    </p>
    <p className="quiet small">If you ask for help, name this request: {requestId}</p>
  </AccountPage>
);

/** What a redirect may say on the page that it leads to, by the `notice` of its address. */
const notices = {
  ended: { tone: 'warn', text: 'Your session has ended. Sign in again.' },
  'signed-out': { tone: 'good', text: 'You are signed out.' },
  'signed-out-everywhere': { tone: 'good', text: 'You are signed out everywhere, in browsers and programs.' },
  'transfer-requested': {
    tone: 'good',
    text: 'The transfer is requested. Now activate the license on the new machine; we have mailed you a confirmation.',
  },
  'transfer-cancelled': { tone: 'good', text: 'The transfer is cancelled. It has cost nothing.' },
} as const satisfies Readonly<Record<string, { tone: Tone; text: string }>>;
export type NoticeCode = keyof typeof notices;

const isNotice = (code: unknown): code is NoticeCode =>
  typeof code === 'string' && Object.hasOwn(notices, code);

export const withNotice = (path: string, code: NoticeCode): string => `${path}?notice=${code}`;

/** @param code as it stood in the address; anything else than one of ours says nothing */
export const AccountNotice = ({ code }: { code: unknown }) =>
  isNotice(code) ? (
    <Notice tone={notices[code].tone} live>
      <p>{notices[code].text}</p>
    </Notice>
  ) : null;
