import type { ReactNode } from 'react';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Notice, type Tone } from '../../pages/display.tsx';
import { Page, type PageHead } from '../../pages/page.tsx';
import type { PageFault } from '../../pages/page-fault.ts';
import { useWords } from '../../pages/reader.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import { adminWords } from './admin.words.ts';

export const adminRoot = '/admin';

const places = {
  overview: adminRoot,
  licenses: `${adminRoot}/licenses`,
  customers: `${adminRoot}/customers`,
  sales: `${adminRoot}/sales`,
  purchases: `${adminRoot}/purchases`,
  events: `${adminRoot}/events`,
  mail: `${adminRoot}/mail`,
  keys: `${adminRoot}/keys`,
  accounts: `${adminRoot}/accounts`,
  account: `${adminRoot}/account`,
} as const;
type Place = keyof typeof places;

/** The frame of every vendor page. */
export const AdminPage = ({
  title,
  vendor,
  place,
  hasErrors = false,
  children,
  ...head
}: PageHead & {
  readonly title: string;
  /** Null: no one has signed in yet. */
  readonly vendor: Vendor | null;
  readonly place?: Place;
  readonly hasErrors?: boolean;
  readonly isShownOnce?: boolean;
  readonly children: ReactNode;
}) => {
  const words = useWords(adminWords);
  const isSignedIn = vendor?.stage === 'full';
  return (
    <Page
      {...head}
      title={title}
      area={words.area}
      home={adminRoot}
      hasErrors={hasErrors}
      wide={isSignedIn}
      nav={
        isSignedIn
          ? (Object.keys(places) as Place[]).map((name) => ({
              href: places[name],
              label: words.places[name],
              current: name === place,
            }))
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
};

export const AdminFault = ({ title, detail, requestId }: PageFault) => {
  const words = useWords(adminWords);
  return (
    <AdminPage title={title} vendor={null}>
      <Notice tone="bad">
        <p>{detail}</p>
      </Notice>
      <p className="row">
        <a className="button secondary" href={adminRoot}>
          {words.toOverview}
        </a>
      </p>
      <p className="quiet small">{words.request(requestId)}</p>
    </AdminPage>
  );
};

/** The notices that a redirect may pass to its target page, as `notice` in the address. */
type NoticeCode = keyof (typeof adminWords)['en']['notices'];

const warnings: ReadonlySet<NoticeCode> = new Set([
  'ended',
  'issued-before',
  'not-dismissed',
  'not-retried',
  'key-prepared',
  'rotated-meanwhile',
]);

const isNotice = (code: unknown): code is NoticeCode =>
  typeof code === 'string' && Object.hasOwn(adminWords.en.notices, code);

export const withNotice = (path: string, code: NoticeCode): string => `${path}?notice=${code}`;

/** @param code from the address; unknown codes show nothing */
export const AdminNotice = ({ code }: { code: unknown }) => {
  const { notices } = useWords(adminWords);
  if (!isNotice(code)) return null;
  const tone: Tone = warnings.has(code) ? 'warn' : 'good';
  return (
    <Notice tone={tone} live>
      <p>{notices[code]}</p>
    </Notice>
  );
};

/** The link to the next page of a list; none on the last page. */
export const NextPage = ({
  path,
  query,
}: {
  path: string;
  query: Readonly<Record<string, string | null | undefined>> | null;
}) => {
  const words = useWords(adminWords);
  return (
    query && (
      <p>
        <a className="button secondary" href={`${path}?${searchOf(query)}`}>
          {words.next}
        </a>
      </p>
    )
  );
};

/** The way back from a confirmation page. */
export const CancelLink = ({ path }: { path: string }) => (
  <p>
    <a href={path}>{useWords(adminWords).cancel}</a>
  </p>
);

/** @returns without a leading question mark; absent and empty values are left out */
export const searchOf = (query: Readonly<Record<string, string | null | undefined>>): string =>
  new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])),
  ).toString();
