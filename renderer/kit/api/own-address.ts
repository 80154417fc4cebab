/** Whether the agent accepts it as the API's address. */
export const isApiAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
};

/** The desktop's own pages have no address that another machine could use. */
export const ownAddress = (): string => (isApiAddress(location.origin) ? location.origin : '');

/** Whether an address can only be of one's own network, as far as its text tells: no shop on the internet reaches it. */
export const isLocalAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const host = new URL(text).hostname.replace(/^\[|\]$/g, '');
  if (/^(?:::1|::|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)$/.test(host)) return true;
  if (host.includes(':')) return false;
  if (/^[\d.]+$/.test(host))
    return /^(?:0|10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
      host,
    );
  return !host.includes('.') || /\.(?:local|lan|home|internal|localhost|arpa)$/.test(host);
};
