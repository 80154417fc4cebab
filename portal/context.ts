import type { Kysely } from 'kysely';
import type pg from 'pg';
import { migrate } from '#runtime/database/migrate.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import { type Clock, systemClock } from './clock.ts';
import { migrations } from './database/migrations.ts';
import type { PortalTables } from './database/tables.ts';
import { createActivation } from './licenses/activation.ts';
import { createLicenseKeyVault } from './licenses/license-key-vault.ts';
import { createLicenseTokens } from './licenses/license-token.ts';
import type { LicenseFeature } from './licenses/licenses.routes.ts';
import { createValidation } from './licenses/validation.ts';
import { createVendorLicenses, type VendorLicenses } from './licenses/vendor-licenses.ts';
import { type KeyRing, loadKeyRing } from './signing-keys/key-ring.ts';

export interface PortalOptions {
  readonly databaseUrl: Secret;
  readonly masterKey: Secret;
  readonly log: Log;
  readonly clock?: Clock;
}

/** Everything that the portal is made of, built once a process. */
export interface PortalContext extends AsyncDisposable {
  readonly db: Kysely<PortalTables>;
  readonly pool: pg.Pool;
  readonly keyRing: KeyRing;
  readonly licenses: LicenseFeature;
  readonly vendor: VendorLicenses;
}

/** Any request is answered in much less; clients wait hardly longer. */
const holdDeadlineMs = 5000;

/** Opens the database, brings its schema up to date and wires the features. */
export const createContext = async (options: PortalOptions): Promise<PortalContext> => {
  const { databaseUrl, masterKey, log, clock = systemClock } = options;
  await using opened = new AsyncDisposableStack();
  const access = { url: databaseUrl, applicationName: 'castellan-portal', log };
  await bringUpToDate(access);
  const database: Database<PortalTables> = opened.use(openDatabase({ ...access, holdDeadlineMs }));
  const { db, pool } = database;
  const vault = createLicenseKeyVault(masterKey);
  const keyRing = await loadKeyRing({ db, box: vault.box, now: clock.now(), log });
  const tokens = createLicenseTokens(keyRing);
  const kept = opened.move();
  return {
    db,
    pool,
    keyRing,
    licenses: {
      activate: createActivation({ pool, db, vault, tokens, clock }),
      validate: createValidation({ pool, tokens, clock }),
    },
    vendor: createVendorLicenses({ db, vault, clock }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
};

/** On a connection of its own: a migration may take longer than a request. */
const bringUpToDate = async (access: DatabaseOptions): Promise<void> => {
  await using database = openDatabase<PortalTables>(access);
  await migrate({ db: database.db, migrations, log: access.log });
};
