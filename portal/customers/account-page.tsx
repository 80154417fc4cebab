import type { ReactNode } from 'react';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Notice, type Tone } from '../pages/display.tsx';
import { Page, type PageHead } from '../pages/page.tsx';
import type { PageFault } from '../pages/page-fault.ts';
import { useWords } from '../pages/reader.ts';
import { accountWords } from './account.words.ts';
import { accountRoot } from './account-paths.ts';
import type { Customer } from './customer-sessions.ts';

/** The frame of every page of the customer area. */
export const AccountPage = ({
  title,
  heading,
  customer,
  current,
  hasErrors = false,
  children,
  ...head
}: PageHead & {
  readonly title: string;
  readonly heading?: ReactNode;
  readonly customer: Customer | null;
  readonly current?: 'licenses' | 'sessions';
  readonly hasErrors?: boolean;
  readonly isShownOnce?: boolean;
  readonly children: ReactNode;
}) => {
  const words = useWords(accountWords);
  return (
    <Page
      {...head}
      title={title}
      heading={heading === undefined ? title : heading}
      area={words.area}
      home={accountRoot}
      hasErrors={hasErrors}
      nav={
        customer
          ? [
              { href: accountRoot, label: words.licenses, current: current === 'licenses' },
              { href: `${accountRoot}/sessions`, label: words.sessions, current: current === 'sessions' },
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
};

/** What happened, what to do, and a number to give to support. */
export const AccountFault = ({ title, detail, requestId }: PageFault) => {
  const words = useWords(accountWords);
  return (
    <AccountPage title={title} heading={null} customer={null}>
      <div className="narrow stack">
        <h1>{title}</h1>
        <p>{detail}</p>
        <p className="row">
          <a className="button" href={accountRoot}>
            {words.back}
          </a>
        </p>
        <p className="quiet small">{words.help(requestId)}</p>
      </div>
    </AccountPage>
  );
};

/** The tone of each notice that a redirect passes in its address. */
const tones = {
  ended: 'warn',
  'signed-out': 'good',
  'signed-out-everywhere': 'good',
  'transfer-requested': 'good',
  'transfer-cancelled': 'good',
} as const satisfies Readonly<Record<string, Tone>>;
type NoticeCode = keyof typeof tones;

const isNotice = (code: unknown): code is NoticeCode =>
  typeof code === 'string' && Object.hasOwn(tones, code);

export const withNotice = (path: string, code: NoticeCode): string => `${path}?notice=${code}`;

/** @param code from the address; unknown codes show nothing */
export const AccountNotice = ({ code }: { code: unknown }) => {
  const { notices } = useWords(accountWords);
  return isNotice(code) ? (
    <Notice tone={tones[code]} live>
      <p>{notices[code]}</p>
    </Notice>
  ) : null;
};
