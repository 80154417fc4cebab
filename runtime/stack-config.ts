import { join, resolve } from 'node:path';
import * as z from 'zod';
import { discordId, pastedDiscordToken } from '#contracts/discord/discord-application.ts';
import { product } from '#contracts/kernel/product.ts';
import { integerField, openEnvFile, portField, readEnv, trustProxyField } from './env.ts';
import { canonicalAddress } from './ip-address.ts';
import { type KeyRecord, readKeyRecord } from './key-record.ts';
import { logLevels } from './log.ts';
import type { OutsideSettings } from './outside/outside.ts';
import { outsideFields, outsideSecrets, outsideSettings, usableProxy } from './outside/outside-fields.ts';
import { Secret, secretField } from './secret.ts';
import { keyIdOf } from './secret-box.ts';

const thisMachine = '127.0.0.1';

const encryptionKeyPattern = /^[0-9a-f]{64}$/i;
const encryptionKeyRule = 'must be 32 bytes in hexadecimal: 64 hex digits';

/** Shorter ones could be guessed, and the log's redaction would skip them. */
const sharedSecret = secretField(z.string().min(16, 'must have at least 16 characters'));

const webUrl = z.string().pipe(z.url({ protocol: /^https?$/, error: 'must be an http or https address' }));

/** Together with the supervisor's own connections this stays below max_connections of the embedded Postgres. */
const maxConnectionLimit = 50;

/** Null where a percent sign is not followed by two hexadecimal digits, or where the bytes are not UTF-8. */
const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** Parameters that the driver prefers to the address itself (pg-connection-string); other parts of the program read the address. */
const movingParameters = ['host', 'hostaddr', 'port', 'user', 'password', 'dbname', 'database', 'db'];

const databaseUrlFault = (text: string): string | null => {
  if (!URL.canParse(text))
    return 'must be a connection string: postgresql://role:password@127.0.0.1:5440/name';
  const { protocol, hostname, username, password, pathname, searchParams } = new URL(text);
  if (!/^postgres(?:ql)?:$/.test(protocol)) return 'must begin with postgresql://';
  if (hostname !== '127.0.0.1' && hostname !== 'localhost')
    return 'must name the embedded Postgres on 127.0.0.1';
  if (!username || !password) return 'must carry a role and a password';
  if ([username, password, pathname].some((part) => decoded(part) === null))
    return 'must write a percent sign of the role, password or name as %25';
  if (decoded(username) === 'postgres') return "must not name Postgres's superuser";
  if (!/^\/[^/]+$/.test(pathname)) return 'must name a database';
  const moved = movingParameters.find((name) => searchParams.has(name));
  if (moved !== undefined) return `must not move it by ${moved}=; write that before the question mark`;
  const limit = searchParams.get('connection_limit') ?? '1';
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > maxConnectionLimit)
    return `connection_limit must be a whole number from 1 to ${maxConnectionLimit}`;
  return null;
};

const databaseUrlField = secretField(
  z.string().superRefine((text, context) => {
    const fault = databaseUrlFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  }),
);

const tlsPair = [
  ['TLS_CERT_FILE', 'TLS_KEY_FILE'],
  ['TLS_KEY_FILE', 'TLS_CERT_FILE'],
] as const;

/** The stack's `.env`, variable by variable. */
export const stackEnv = z
  .object({
    CONFIG_ENCRYPTION_KEY: secretField(z.string().regex(encryptionKeyPattern, encryptionKeyRule)),
    /** Older keys, comma-separated; they open what they once sealed, and seal nothing. */
    CONFIG_ENCRYPTION_KEY_PREVIOUS: z
      .string()
      .transform((text) => text.split(',').map((key) => key.trim()))
      .refine((keys) => keys.every((key) => encryptionKeyPattern.test(key)), {
        error: 'must be a comma-separated list of keys of 64 hex digits each',
      })
      .transform((keys) => keys.map((key) => new Secret(key)))
      .optional(),
    DATABASE_URL: databaseUrlField,
    API_HOST: z
      .string()
      .transform((host) => (host === 'localhost' ? thisMachine : canonicalAddress(host)))
      .refine((host) => host !== null, { error: 'must be an IP address' })
      .default(thisMachine),
    API_PORT: portField.default(product.apiPort),
    TRUST_PROXY: trustProxyField.optional(),
    /** PEM or DER files; with them the API also speaks TLS. A relative path starts at the data folder. */
    TLS_CERT_FILE: z.string().optional(),
    TLS_KEY_FILE: z.string().optional(),
    LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
    AUDIT_LOG_RETENTION_DAYS: integerField(1, 36_500).default(365),
    EVENT_LOG_RETENTION_DAYS: integerField(7, 730).default(90),
    LICENSE_GRACE_PERIOD_DAYS: integerField(0, 30).default(7),
    LICENSE_SERVER_URL: webUrl,
    /** Raw Ed25519 public key: 32 bytes are 43 characters of base64url. */
    LICENSE_SERVER_PUBLIC_KEY: z
      .string()
      .regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url: 43 characters'),
    ...outsideFields,
    INSTANCE_ID: z.string().pipe(z.guid('must be a UUID')),
    INTERNAL_API_SECRET: sharedSecret,
    GAME_AGENT_SECRET: sharedSecret,
    /** Default: the API's own port on this machine. */
    API_URL: webUrl.optional(),
    DISCORD_BOT_TOKEN: secretField(z.string().overwrite(pastedDiscordToken)).optional(),
    CLIENT_ID: discordId.optional(),
    GUILD_ID: discordId.optional(),
    /** Replaces the real Discord, such as https://discord.example/api. */
    DISCORD_API_URL: webUrl.optional(),
    /** Default: the one that Discord names. */
    DISCORD_GATEWAY_URL: z.url({ protocol: /^wss?$/, error: 'must be a ws or wss address' }).optional(),
    DISCORD_CDN_URL: webUrl.optional(),
    /** Base URLs of the sources of mods, without the version of their APIs; the real ones by default. */
    MODRINTH_API_URL: webUrl.optional(),
    CURSEFORGE_API_URL: webUrl.optional(),
    STEAM_API_URL: webUrl.optional(),
  })
  .check(({ value, issues }) => {
    for (const [given, missing] of tlsPair)
      if (value[given] && !value[missing])
        issues.push({
          code: 'custom',
          path: [missing],
          message: `is needed beside ${given}`,
          input: undefined,
        });
  });

export interface StackConfig {
  readonly configEncryptionKey: Secret;
  /** They open what they once sealed, and seal nothing: those of `.env`, then those that only the key record has. */
  readonly previousKeys: readonly Secret[];
  /** Ids of those that only the key record has. */
  readonly recordedKeyIds: readonly string[];
  readonly keyRecordFault: KeyRecord['fault'];
  readonly databaseUrl: Secret;
  /** Addresses to listen on; one of them is, or includes, 127.0.0.1. */
  readonly apiHosts: readonly [string, ...string[]];
  readonly apiPort: number;
  /** Where the API is reached on this machine, such as http://127.0.0.1:3001. */
  readonly apiOrigin: string;
  /** Where the bot reaches the API; its origin on this machine unless API_URL says otherwise. */
  readonly apiUrl: string;
  readonly trustProxy: number | readonly string[] | false;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly logLevel: (typeof logLevels)[number];
  readonly auditLogRetentionDays: number;
  readonly eventLogRetentionDays: number;
  readonly licenseGracePeriodDays: number;
  readonly licenseServerUrl: string;
  readonly licenseServerPublicKey: string;
  readonly licenseProxy: Secret | undefined;
  readonly outside: OutsideSettings;
  readonly instanceId: string;
  readonly internalApiSecret: Secret;
  readonly gameAgentSecret: Secret;
  readonly discordBotToken: Secret | undefined;
  readonly clientId: string | undefined;
  readonly guildId: string | undefined;
  readonly discordApiUrl: string | undefined;
  readonly discordGatewayUrl: string | undefined;
  readonly discordCdnUrl: string | undefined;
  readonly modSourceUrls: Readonly<Record<'modrinth' | 'curseforge' | 'steam', string | undefined>>;
}

export const stackEnvPath = (home: string): string => join(home, '.env');

/** Reads `<home>/.env` and the key record beside it. @throws {ConfigError} naming every fault of `.env`, without a value */
export const readStackConfig = async (home: string): Promise<StackConfig> => {
  const path = stackEnvPath(home);
  const { values, strayLines } = await openEnvFile(path);
  const env = readEnv(stackEnv, values, path, strayLines);
  const inEnv = [env.CONFIG_ENCRYPTION_KEY, ...(env.CONFIG_ENCRYPTION_KEY_PREVIOUS ?? [])].map(keyIdOf);
  const { keys, fault } = await readKeyRecord(home);
  const recorded = keys.filter((key) => !inEnv.includes(keyIdOf(key)));
  return toStackConfig(env, { keys: recorded, fault }, home);
};

/** These include 127.0.0.1; `::` does, since Node also listens on IPv4 there. */
const reachThisMachine: ReadonlySet<string> = new Set([thisMachine, '0.0.0.0', '::']);

/** Requests that need no credential are answered only to this machine, so the API always listens there too. */
const hostsOf = (host: string): StackConfig['apiHosts'] =>
  reachThisMachine.has(host) ? [host] : [host, thisMachine];

const originOf = (port: number): string => `http://${thisMachine}:${port}`;

/** @param record without the keys that `.env` has */
const toStackConfig = (env: z.output<typeof stackEnv>, record: KeyRecord, home: string): StackConfig => ({
  configEncryptionKey: env.CONFIG_ENCRYPTION_KEY,
  previousKeys: [...(env.CONFIG_ENCRYPTION_KEY_PREVIOUS ?? []), ...record.keys],
  recordedKeyIds: record.keys.map(keyIdOf),
  keyRecordFault: record.fault,
  databaseUrl: env.DATABASE_URL,
  apiHosts: hostsOf(env.API_HOST),
  apiPort: env.API_PORT,
  apiOrigin: originOf(env.API_PORT),
  apiUrl: env.API_URL ?? originOf(env.API_PORT),
  trustProxy: env.TRUST_PROXY ?? false,
  tls:
    env.TLS_CERT_FILE && env.TLS_KEY_FILE
      ? { certFile: resolve(home, env.TLS_CERT_FILE), keyFile: resolve(home, env.TLS_KEY_FILE) }
      : undefined,
  logLevel: env.LOG_LEVEL,
  auditLogRetentionDays: env.AUDIT_LOG_RETENTION_DAYS,
  eventLogRetentionDays: env.EVENT_LOG_RETENTION_DAYS,
  licenseGracePeriodDays: env.LICENSE_GRACE_PERIOD_DAYS,
  licenseServerUrl: env.LICENSE_SERVER_URL,
  licenseServerPublicKey: env.LICENSE_SERVER_PUBLIC_KEY,
  licenseProxy: usableProxy(env.LICENSE_PROXY),
  outside: outsideSettings(env, home),
  instanceId: env.INSTANCE_ID,
  internalApiSecret: env.INTERNAL_API_SECRET,
  gameAgentSecret: env.GAME_AGENT_SECRET,
  discordBotToken: env.DISCORD_BOT_TOKEN,
  clientId: env.CLIENT_ID,
  guildId: env.GUILD_ID,
  discordApiUrl: env.DISCORD_API_URL,
  discordGatewayUrl: env.DISCORD_GATEWAY_URL,
  discordCdnUrl: env.DISCORD_CDN_URL,
  modSourceUrls: {
    modrinth: env.MODRINTH_API_URL,
    curseforge: env.CURSEFORGE_API_URL,
    steam: env.STEAM_API_URL,
  },
});

const passwordOf = (url: Secret): Secret => new Secret(decodeURIComponent(new URL(url.reveal()).password));

/** All values that no log may show. */
export const stackSecrets = (config: StackConfig): readonly Secret[] => [
  config.configEncryptionKey,
  ...config.previousKeys,
  config.databaseUrl,
  passwordOf(config.databaseUrl),
  config.internalApiSecret,
  config.gameAgentSecret,
  ...outsideSecrets({ proxy: config.licenseProxy }),
  ...outsideSecrets(config.outside),
  ...(config.discordBotToken ? [config.discordBotToken] : []),
];
