import { Secret } from '#runtime/secret.ts';

/** What DATABASE_URL says about the embedded Postgres. */
export interface DatabaseTarget {
  readonly port: number;
  readonly role: string;
  readonly password: Secret;
  readonly database: string;
}

const postgresDefaultPort = 5432;

export const readDatabaseUrl = (databaseUrl: Secret): DatabaseTarget => {
  const url = new URL(databaseUrl.reveal());
  return {
    port: Number(url.port || postgresDefaultPort),
    role: decodeURIComponent(url.username),
    password: new Secret(decodeURIComponent(url.password)),
    database: decodeURIComponent(url.pathname.slice(1)),
  };
};
