/** What an address holds, as a text: no list, and no control character, of which Postgres takes no NUL. */
export const queryText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/\p{Cc}/gu, '').trim() : '';
