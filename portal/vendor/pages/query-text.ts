/** A query parameter as a text: no list, and no control characters, among them NUL, which Postgres refuses. */
export const queryText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/\p{Cc}/gu, '').trim() : '';
