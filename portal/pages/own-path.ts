const here = 'http://portal.invalid';
/** Longer than any of our addresses. */
const maxLength = 2000;

/** Path and query of a received address, wherever it points to, so that a redirect never leaves the portal. */
export const ownPath = (address: string, otherwise: string): string => {
  if (address.length > maxLength || !URL.canParse(address, here)) return otherwise;
  const { pathname, search } = new URL(address, here);
  // Two slashes would begin the name of another host; without any slash, as in `mailto:`, it is no path.
  return /^\/(?!\/)/.test(pathname) ? `${pathname}${search}` : otherwise;
};
