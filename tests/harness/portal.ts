import { randomBytes, randomUUID } from 'node:crypto';
import { licensesHttp } from '#contracts/license/licenses.ts';
import type { Clock } from '#runtime/clock.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { listen } from '#runtime/http/listen.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { createPortalApp } from '../../portal/app.ts';
import { createContext, type PortalContext } from '../../portal/context.ts';
import { migrations } from '../../portal/database/migrations.ts';
import type { PortalTables } from '../../portal/database/tables.ts';
import type { NewLicense } from '../../portal/licenses/issue-license.ts';
import type { LicenseView } from '../../portal/licenses/license-view.ts';
import { type WebhookSecrets, webhookSecretsOf } from '../../portal/purchases/webhook-secrets.ts';
import { filledDatabase, type TestDatabase } from './database.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any;
}

export interface IssuedLicense extends LicenseView {
  readonly licenseKey: string;
}

export interface TestPortal extends AsyncDisposable {
  readonly url: string;
  readonly masterKey: Secret;
  readonly context: PortalContext;
  /** Sends a license request from a new address, unless a header names one. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  issue(wanted?: Partial<NewLicense>): Promise<IssuedLicense>;
  /** Activates from a new address, unless `from` names one. */
  activate(licenseKey: string, hwid: string, from?: string): Promise<Answer>;
  validate(
    license: Pick<LicenseView, 'tenantId'>,
    token: string,
    hwid: string,
    from?: string,
  ): Promise<Answer>;
}

export interface TestPortalOptions {
  readonly databaseUrl: Secret;
  readonly masterKey?: Secret;
  readonly previousMasterKeys?: readonly Secret[];
  readonly clock?: Clock;
  readonly adminToken?: Secret;
  readonly webhookSecrets?: WebhookSecrets;
  readonly trustProxy?: readonly string[] | false;
  readonly publicUrl?: string | null;
}

export const newMasterKey = (): Secret => new Secret(randomBytes(32).toString('hex'));
export const newHwid = (): string => `sha256:${randomBytes(32).toString('hex')}`;
export const newAddress = (): string => [10, ...randomBytes(3)].join('.');

/** A new database with the portal's schema. */
export const portalDatabase = (): Promise<TestDatabase> => filledDatabase('portal_template', migratePortal);

/** Gives an empty database the portal's schema. */
export const migratePortal = async (url: Secret): Promise<void> => {
  const log = createLog({ component: 'portal', level: 'silent' });
  await using database = openDatabase<PortalTables>({ url, applicationName: 'template', log });
  await migrate({ db: database.db, migrations, log });
};

/** A whole portal in this process, on the test's database. */
export const startTestPortal = async (options: TestPortalOptions): Promise<TestPortal> => {
  const {
    databaseUrl,
    masterKey = newMasterKey(),
    previousMasterKeys = [],
    clock,
    adminToken,
    webhookSecrets = webhookSecretsOf(),
    trustProxy = ['loopback'],
    publicUrl = null,
  } = options;
  await using starting = new AsyncDisposableStack();
  const log = createLog({ component: 'portal', level: 'silent' });
  const context = starting.use(
    await createContext({
      databaseUrl,
      masterKey,
      previousMasterKeys,
      log,
      webhookSecrets,
      adminToken,
      publicUrl,
      ...(clock ? { clock } : {}),
    }),
  );
  const handler = createPortalApp(context, { trustProxy, publicUrl, log });
  const { port } = starting.use(await listen({ handler, host: '127.0.0.1', port: 0 }));
  const url = `http://127.0.0.1:${port}`;
  const resources = starting.move();

  const forwarded = (from: string) => ({ 'X-Forwarded-For': from });
  /** A new address per license request, because each counts against its address. */
  const addressOfItsOwn = (path: string) =>
    path.startsWith('/api/licenses/') ? forwarded(newAddress()) : {};
  const post: TestPortal['post'] = async (path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...addressOfItsOwn(path), ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  return {
    url,
    masterKey,
    context,
    post,
    async issue(wanted = {}) {
      const issued = await context.vendor.issue({
        buyerEmail: 'owner@example.com',
        tier: 'community',
        features: ['*'],
        maxClusters: null,
        expiresAt: null,
        ...wanted,
      });
      if (issued.outcome !== 'issued') throw new Error(issued.reason);
      return { ...issued.license, licenseKey: issued.licenseKey };
    },
    activate: (licenseKey, hwid, from = newAddress()) =>
      post(
        licensesHttp.activate.path,
        { licenseKey, hwid, instanceId: randomUUID(), version: '1.0.0-beta.1' },
        forwarded(from),
      ),
    validate: ({ tenantId }, token, hwid, from = newAddress()) =>
      post(licensesHttp.validate.path, { tenantId, token, hwid }, forwarded(from)),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

/** A clock that stands still until it is moved. */
export const movableClock = (
  start = new Date('2026-03-01T12:00:00Z'),
): Clock & { pass(ms: number): void } => {
  let passedMs = 0;
  return {
    now: () => new Date(start.getTime() + passedMs),
    monotonicMs: () => passedMs,
    pass(ms) {
      passedMs += ms;
    },
  };
};
