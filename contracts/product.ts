/** Names and numbers that every part of Castellan agrees on. */

export const product = {
  name: 'Castellan',
  /** The desktop's, as packages and Windows know it. */
  appId: 'app.castellan.desktop',
  /** `iss` claim of every license token. */
  issuer: 'castellan-portal',
  /** `aud` claim of every license token. */
  audience: 'castellan-api',
  apiPort: 3001,
  portalPort: 3100,
  /** The embedded Postgres of the stack; outside the ephemeral ranges of Windows and Linux. */
  postgresPort: 5440,
  portalPostgresPort: 5441,
} as const;

/** Raised when a request or an answer of the local API changes in a way that an older panel cannot read. */
export const contractVersion = 1;

/** The Postgres role of `castellan sql`: the supervisor makes it, the API grants it what it may read. */
export const operatorRole = 'castellan_operator';
