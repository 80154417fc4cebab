import type { NetworkAsked } from '#contracts/desktop/desktop-network.ts';
import { product } from '#contracts/kernel/product.ts';
import type { EnvChanges } from '#runtime/env-file.ts';
import { apiHostOf } from '../first-start/ports-check.ts';

/** What `.env` says about how the stack is reached, as text; null where it says nothing. */
interface NetworkVariables {
  readonly API_HOST: string | null;
  readonly API_PORT: string | null;
  readonly DATABASE_URL: string | null;
  readonly API_URL: string | null;
}

export const networkVariables = (values: NodeJS.Dict<string>): NetworkVariables => ({
  API_HOST: values.API_HOST || null,
  API_PORT: values.API_PORT || null,
  DATABASE_URL: values.DATABASE_URL || null,
  API_URL: values.API_URL || null,
});

/** Whether other machines can reach a program that listens there. */
export const isOpenHost = (host: string): boolean => host !== '::1' && !host.startsWith('127.');

/**
 * What must be written for the wanted ports and openness, and the old values. An address that a person wrote stays as long
 * as it is as open as wanted.
 */
export const networkChanges = (
  present: NetworkVariables,
  wanted: NetworkAsked,
): { readonly changes: EnvChanges; readonly before: EnvChanges } => {
  const host = present.API_HOST === 'localhost' || !present.API_HOST ? apiHostOf(false) : present.API_HOST;
  const port = present.API_PORT ?? String(product.apiPort);
  const wantedPort = String(wanted.apiPort);
  const all: NetworkVariables = {
    API_HOST: isOpenHost(host) === wanted.isOpen ? present.API_HOST : apiHostOf(wanted.isOpen),
    API_PORT: port === wantedPort ? present.API_PORT : wantedPort,
    DATABASE_URL: present.DATABASE_URL && atPort(present.DATABASE_URL, wanted.postgresPort),
    API_URL: present.API_URL && followPort(present.API_URL, port, wantedPort),
  };
  const names = (Object.keys(all) as (keyof NetworkVariables)[]).filter(
    (name) => all[name] !== present[name],
  );
  const pick = (from: NetworkVariables) => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { changes: pick(all), before: pick(present) };
};

const databaseHost = /@(127\.0\.0\.1|localhost)(?::(\d+))?(?=\/)/;

/** The embedded Postgres's own port where none is written. */
const usualDatabasePort = 5432;

const atPort = (url: string, port: number): string =>
  url.replace(databaseHost, (whole, host: string, was: string | undefined) =>
    Number(was ?? usualDatabasePort) === port ? whole : `@${host}:${port}`,
  );

/** If the bot was told the API's own port on this machine, it is told the new one. */
const followPort = (url: string, port: string, wanted: string): string =>
  url.replace(/^(http:\/\/(?:127\.0\.0\.1|localhost)):(\d+)/, (whole, origin: string, was: string) =>
    was === port ? `${origin}:${wanted}` : whole,
  );
