import { join } from 'node:path';
import { type Database, openDatabase, ping } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { discordTokenColumn } from '../discord/discord-token.ts';
import { totpSecretColumn } from '../identity/admins/second-factor.ts';
import { createBringUp } from '../kernel/database/bring-up.ts';
import { type DatabaseLatency, watchDatabaseLatency } from '../kernel/database/latency.ts';
import type { migrations as allMigrations } from '../kernel/database/migrations.ts';
import {
  listenConnections,
  type Notifications,
  openNotifications,
} from '../kernel/database/notifications.ts';
import { createSchemaUpgrade } from '../kernel/database/schema-upgrade.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { createEventRecorder, type EventRecorder } from '../kernel/events/event-recorder.ts';
import type { DescribedColumn } from '../kernel/secrets/sealed-column.ts';
import { createSecrets, type Secrets } from '../kernel/secrets/secrets.ts';
import { settingsSecrets } from '../operations/settings/settings-secrets.ts';
import { createSettings, type Settings } from '../operations/settings.ts';
import { agentSecretColumn } from '../servers/agents/agent-proof.ts';
import { agentCommandColumn } from '../servers/agents/command-rows.ts';
import { enrolmentCodeColumn } from '../servers/agents/enrolment/enrolments.ts';
import { rconPasswordColumn } from '../servers/game-servers/rcon-password.ts';
import { shopSecretColumn } from '../storefronts/shops/shop-secrets.ts';

/** Every column with sealed values: what is counted and re-encrypted, and nothing else can be sealed. */
const sealedColumns: readonly DescribedColumn[] = [
  settingsSecrets,
  totpSecretColumn,
  rconPasswordColumn,
  discordTokenColumn,
  agentSecretColumn,
  enrolmentCodeColumn,
  agentCommandColumn,
  shopSecretColumn,
];

/** The database, and what all features read and write there in common. */
export interface Storage {
  readonly database: Database<Tables>;
  readonly latency: DatabaseLatency;
  /** Why the database cannot be used, in words; null when it can. */
  readonly obstacle: () => string | null;
  /** The migrations that only a newer version knows, which has run here before. */
  readonly newerMigrations: () => readonly string[];
  readonly notifications: Notifications;
  readonly events: EventRecorder;
  readonly secrets: Secrets;
  readonly sealedColumns: readonly DescribedColumn[];
  readonly settings: Settings;
}

interface OpenedStorage extends AsyncDisposable {
  readonly storage: Storage;
  /** Its holder disposes it before what it prepares. */
  readonly bringUp: AsyncDisposable & {
    /** Starts, in the background, to reach the database, to upgrade its schema, and then to prepare what uses it. */
    begin(prepare: () => Promise<void>): void;
  };
}

export const openStorage = ({
  config,
  home,
  migrations,
  log,
}: {
  readonly config: StackConfig;
  readonly home: string;
  readonly migrations: typeof allMigrations;
  readonly log: Log;
}): OpenedStorage => {
  const owned = new AsyncDisposableStack();

  const database = owned.use(
    openDatabase<Tables>({
      url: config.databaseUrl,
      applicationName: 'castellan-api',
      log,
      reservedConnections: listenConnections,
    }),
  );
  const { pool, db } = database;
  const bringUp = createBringUp(log);
  const { obstacle } = bringUp;
  const events = owned.use(createEventRecorder(db, obstacle, log));
  const latency = owned.use(
    watchDatabaseLatency(pool, log, ({ since, detail }) =>
      events.record('database.recovered', { unreachableSince: since.toISOString(), fault: detail }),
    ),
  );
  const notifications = owned.use(openNotifications(config.databaseUrl, log));
  const secrets = createSecrets([config.configEncryptionKey, ...config.previousKeys], sealedColumns);
  const settings = createSettings({ db, secrets, notifications });
  const upgradeSchema = createSchemaUpgrade({
    pool,
    migrations,
    folders: { data: join(home, 'postgres', 'data'), backups: join(home, 'backups') },
    log,
  });

  let newer: readonly string[] = [];

  return {
    storage: {
      database,
      latency,
      obstacle,
      newerMigrations: () => newer,
      notifications,
      events,
      secrets,
      sealedColumns,
      settings,
    },
    bringUp: {
      begin(prepare) {
        bringUp.begin({
          reach: () => ping(db),
          async prepare() {
            newer = await upgradeSchema();
            await prepare();
          },
        });
      },
      [Symbol.asyncDispose]: () => bringUp[Symbol.asyncDispose](),
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
