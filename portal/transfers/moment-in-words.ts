const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** `3 March 2026 at 12:00 UTC` */
export const momentInWords = (at: Date): string => `${format.format(at)} UTC`;
