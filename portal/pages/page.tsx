import type { ReactNode } from 'react';
import { product } from '#contracts/kernel/product.ts';
import { lightColour } from './design-tokens.ts';
import { firstFontPath } from './fonts.ts';
import { CsrfField } from './form.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { pagesWords } from './pages.words.ts';
import { useReader, useWords } from './reader.ts';
import { stylesheetPath } from './stylesheet.ts';

/** A tower in a square of the accent colour, as in the panel. */
const towerPath = 'M8 9h4v3h2V9h4v3h2V9h4v7l-2 2v6h-4v-3a2 2 0 0 0-4 0v3h-4v-6l-2-2z';

/** The product's logo and name. */
const Mark = () => (
  <>
    <svg className="mark" width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d={towerPath} />
    </svg>
    {product.name}
  </>
);

const markSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>${product.name}</title><rect width="32" height="32" rx="7" fill="${lightColour('--accent')}"/><path fill="#fff" d="${towerPath}"/></svg>`;

interface NavEntry {
  readonly href: string;
  readonly label: string;
  readonly current?: boolean;
}

interface SignedInUser {
  /** An e-mail address, or the name of a vendor account. */
  readonly name: string;
  /** The target of the sign-out form. */
  readonly signOutPath: string;
  readonly csrf: string;
}

/** The head of a page, in addition to its heading. */
export interface PageHead {
  /** The parent page. */
  readonly back?: { readonly href: string; readonly label: string };
  /** A state in a word, next to the heading. */
  readonly mark?: ReactNode;
  /** A sentence below the heading. */
  readonly about?: ReactNode;
  /** Links and buttons; one of them is primary. */
  readonly actions?: ReactNode;
}

/** A whole document: the frame of every page of the portal. */
export const Page = (
  props: PageHead & {
    /** The title of the document and, unless `heading` says otherwise, of the first heading; null if the page has its own. */
    readonly title: string;
    readonly heading?: ReactNode;
    /** The part of the portal, shown next to the product's name. */
    readonly area: string;
    /** Where the product's name links to. */
    readonly home: string;
    readonly nav?: readonly NavEntry[];
    readonly user?: SignedInUser | null;
    /** A form on this page was refused; the title says so first, and a screen reader announces it. */
    readonly hasErrors?: boolean;
    /** The page shows a secret that cannot be shown again: the language switch, which loads another page, is left out. */
    readonly isShownOnce?: boolean;
    /** For long tables. */
    readonly wide?: boolean;
    readonly children: ReactNode;
  },
) => {
  const { title, heading = title, area, home, nav = [], user = null, children } = props;
  const { hasErrors, isShownOnce, wide } = props;
  const { back, mark, about, actions } = props;
  const { language } = useReader();
  const words = useWords(pagesWords);
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${hasErrors ? words.refusedTitle(title) : title} – ${product.name}`}</title>
        <link rel="preload" href={firstFontPath} as="font" type="font/woff2" crossOrigin="" />
        <link rel="stylesheet" href={stylesheetPath} />
        <link rel="icon" href={iconHref} />
      </head>
      <body className={wide ? 'wide' : undefined}>
        <a className="skip" href="#content">
          {words.skip}
        </a>
        <header className="top">
          <div className="top-row">
            <a className="brand" href={home}>
              <Mark />
              <span className="quiet">{area}</span>
            </a>
            {nav.length > 0 && <Nav entries={nav} />}
            {user && <Who user={user} />}
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          {heading !== null && (
            <div className="head">
              {back && (
                <a className="back small" href={back.href}>
                  <span aria-hidden="true">← </span>
                  {back.label}
                </a>
              )}
              <div className="row apart">
                <div className="row">
                  <h1>{heading}</h1>
                  {mark}
                </div>
                {actions && <div className="row actions">{actions}</div>}
              </div>
              {about && <p className="quiet prose">{about}</p>}
            </div>
          )}
          {children}
        </main>
        <footer className="foot">
          <span>
            {product.name} · {area}
          </span>
          {!isShownOnce && <LanguageSwitch />}
        </footer>
      </body>
    </html>
  );
};

const Nav = ({ entries }: { entries: readonly NavEntry[] }) => (
  <nav className="nav" aria-label={useWords(pagesWords).main}>
    <ul>
      {entries.map(({ href, label, current }) => (
        <li key={href}>
          <a href={href} aria-current={current ? 'page' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const Who = ({ user }: { user: SignedInUser }) => (
  <div className="who">
    <span className="quiet small">{user.name}</span>
    <form method="post" action={user.signOutPath}>
      <CsrfField token={user.csrf} />
      <button className="button secondary small" type="submit">
        {useWords(pagesWords).signOut}
      </button>
    </form>
  </div>
);

const iconHref = `data:image/svg+xml,${encodeURIComponent(markSvg)}`;
