/**
 * The panel's current address, kept in the fragment: `#/servers?game=minecraft`. No server has to know the panel's
 * addresses, so they also load while an unlicensed API serves nothing but files, and from the desktop's own files.
 */
interface PanelLocation {
  /** Begins with a slash. */
  readonly path: string;
  /** Without its question mark. */
  readonly search: string;
}

export const parseHash = (hash: string): PanelLocation => {
  const [path = '', ...search] = hash.replace(/^#?\/?/, '').split('?');
  return { path: `/${path}`, search: search.join('?') };
};

/** An address of the panel as an `href`. */
export const hrefOf = (to: string): string => `#${to.startsWith('/') ? to : `/${to}`}`;
