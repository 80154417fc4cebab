/** Names and numbers that all of Castellan shares. */

export const product = {
  name: 'Castellan',
  /** The desktop's id, as packages and Windows know it. */
  appId: 'app.castellan.desktop',
  /** `iss` claim of every license token. */
  issuer: 'castellan-portal',
  /** `aud` claim of every license token. */
  audience: 'castellan-api',
  apiPort: 3001,
  portalPort: 3100,
  /** The stack's embedded Postgres; outside the ephemeral port ranges of Windows and Linux. */
  postgresPort: 5440,
  portalPostgresPort: 5441,
} as const;

/** Incremented when a request or an answer of the local API changes in a way that an older panel cannot read. */
export const contractVersion = 1;

/** The Postgres role of `castellan sql`: the supervisor creates it, the API grants it read access. */
export const operatorRole = 'castellan_operator';
