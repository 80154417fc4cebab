import type { ReactNode } from 'react';
import { product } from '#contracts/product.ts';
import { CsrfField } from './form.tsx';
import { stylesheetPath } from './stylesheet.ts';

export interface NavEntry {
  readonly href: string;
  readonly label: string;
  readonly current?: boolean;
}

export interface SignedInUser {
  /** An e-mail address, or the name of a vendor account. */
  readonly name: string;
  /** Where the sign-out form is sent. */
  readonly signOutPath: string;
  readonly csrf: string;
}

export interface PageProps {
  /** Of the document and, unless `heading` says otherwise, the first heading; null where the page has it inside. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** Which part of the portal: it stands beside the name of the product. */
  readonly area: string;
  /** Where the name of the product leads. */
  readonly home: string;
  readonly nav?: readonly NavEntry[];
  readonly user?: SignedInUser | null;
  /** A form on this page was refused; the title says so first, which a screen reader reads out. */
  readonly hasErrors?: boolean;
  /** For long tables. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A whole document: the frame that every page of the portal stands in. */
export const Page = (props: PageProps) => {
  const { title, heading = title, area, home, nav = [], user = null, hasErrors, wide, children } = props;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${hasErrors ? 'Error: ' : ''}${title} – ${product.name}`}</title>
        <link rel="stylesheet" href={stylesheetPath} />
        <link rel="icon" href={iconHref} />
      </head>
      <body className={wide ? 'wide' : undefined}>
        <a className="skip" href="#content">
          Skip to the content
        </a>
        <header className="top">
          <div className="top-row">
            <a className="brand" href={home}>
              <Tower />
              {product.name} <span className="quiet">{area}</span>
            </a>
            {nav.length > 0 && <Nav entries={nav} />}
            {user && <Who user={user} />}
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          {heading !== null && <h1>{heading}</h1>}
          {children}
        </main>
        <footer className="foot">
          {product.name} · {area}
        </footer>
      </body>
    </html>
  );
};

const Nav = ({ entries }: { entries: readonly NavEntry[] }) => (
  <nav className="nav" aria-label="Main">
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
        Sign out
      </button>
    </form>
  </div>
);

const towerPath = 'M4 22V9H2V3h4v3h3V3h6v3h3V3h4v6h-2v13h-6v-5a2 2 0 0 0-4 0v5z';

const Tower = () => (
  <svg width="24" height="24" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <path d={towerPath} />
  </svg>
);

const iconHref = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#2b93ad"><path d="${towerPath}"/></svg>`,
)}`;
