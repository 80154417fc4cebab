/** Whether the agent accepts it as the API's address. */
export const isApiAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
};

/** The desktop's own pages have no address that another machine could use. */
export const ownAddress = (): string => (isApiAddress(location.origin) ? location.origin : '');
