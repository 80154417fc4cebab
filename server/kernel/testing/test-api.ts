import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog, type Log } from '#runtime/log.ts';
import { nothingSet } from '#runtime/outside/outside.ts';
import { Secret } from '#runtime/secret.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { type Api, startApi } from '../../api.ts';
import type { ContextOptions, Overrides } from '../../composition/context.ts';
import { type TestLicense, testLicense } from './test-license.ts';

/** The least that Argon2 allows: `password-hash.test.ts` checks the cost of hashes in use. */
const cheapest = { memoryKib: 8, passes: 1, parallelism: 1 };

export const testBotSecret = 'a-secret-that-the-bot-alone-knows';

export const testAgentSecret = 'a-secret-of-the-game-agents';

/** What the supervisor would have passed: a caller that presents it is the owner of the machine. */
export const testDesktopCredential = 'a-credential-that-the-supervisor-made-up';
export const testDesktopUser = 'tester';

type DiscordConfig = Pick<StackConfig, 'discordBotToken' | 'clientId' | 'guildId' | 'discordApiUrl'>;

export interface TestApiOptions extends Overrides {
  readonly databaseUrl: Secret;
  /** A temporary one by default. */
  readonly home?: string;
  readonly programsFolder?: string;
  readonly license?: TestLicense;
  readonly log?: Log;
  readonly trustProxy?: StackConfig['trustProxy'];
  readonly tls?: StackConfig['tls'];
  readonly apiHosts?: StackConfig['apiHosts'];
  readonly auditRetentionDays?: number;
  /** As `.env` would have it. */
  readonly discord?: Partial<DiscordConfig>;
  /** As `.env` would have it. */
  readonly modSourceUrls?: Partial<StackConfig['modSourceUrls']>;
  /** Any free one by default. */
  readonly port?: number;
  readonly process?: ContextOptions['process'];
}

export interface TestApi extends Api {
  readonly license: TestLicense;
}

/** The real API on a free port, with a license whose state the test chooses. */
export const startTestApi = async (options: TestApiOptions): Promise<TestApi> => {
  await using making = new AsyncDisposableStack();
  const { databaseUrl, programsFolder = '/nonexistent', ...others } = options;
  const home = options.home ?? making.use(await temporaryFolder('api')).path;
  const { log = createLog({ component: 'api', level: 'silent' }), ...configured } = others;
  const {
    trustProxy = false,
    tls,
    apiHosts = ['127.0.0.1'],
    port = 0,
    process,
    discord,
    modSourceUrls,
    ...rest
  } = configured;
  const { auditRetentionDays: auditLogRetentionDays = 30, ...overrides } = rest;
  const license = options.license ?? testLicense();
  const api = making.use(
    await startApi({
      config: {
        ...testConfig(databaseUrl),
        trustProxy,
        tls,
        apiHosts,
        auditLogRetentionDays,
        modSourceUrls: { modrinth: undefined, curseforge: undefined, steam: undefined, ...modSourceUrls },
        ...discord,
      },
      home,
      programsFolder,
      port,
      process,
      log,
      localOwner: () => ({ credential: new Secret(testDesktopCredential), user: testDesktopUser }),
      overrides: { passwordCost: cheapest, passphraseCost: 4, ...overrides, license },
    }),
  );
  const owned = making.move();
  return { ...api, license, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};

const testConfig = (databaseUrl: Secret): StackConfig => ({
  configEncryptionKey: new Secret('0'.repeat(64)),
  previousKeys: [],
  recordedKeyIds: [],
  keyRecordFault: null,
  databaseUrl,
  apiHosts: ['127.0.0.1'],
  apiPort: 0,
  apiOrigin: 'http://127.0.0.1',
  apiUrl: 'http://127.0.0.1',
  trustProxy: false,
  tls: undefined,
  logLevel: 'silent',
  auditLogRetentionDays: 30,
  eventLogRetentionDays: 90,
  licenseGracePeriodDays: 7,
  licenseServerUrl: 'http://127.0.0.1:1',
  licenseServerPublicKey: 'A'.repeat(43),
  instanceId: '00000000-0000-4000-8000-000000000000',
  internalApiSecret: new Secret(testBotSecret),
  gameAgentSecret: new Secret(testAgentSecret),
  licenseProxy: undefined,
  outside: nothingSet,
  discordBotToken: undefined,
  clientId: undefined,
  guildId: undefined,
  discordApiUrl: undefined,
  discordGatewayUrl: undefined,
  discordCdnUrl: undefined,
  modSourceUrls: { modrinth: undefined, curseforge: undefined, steam: undefined },
});
