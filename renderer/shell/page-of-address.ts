/** Whether an address is a page's own, or one below it. */
export const isWithin = (address: string, path: string): boolean =>
  address === path || (path !== '/' && address.startsWith(`${path}/`));
