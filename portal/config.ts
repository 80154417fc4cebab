import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { product } from '#contracts/kernel/product.ts';
import {
  ConfigError,
  type EnvFile,
  integerField,
  meantFaults,
  openEnvFile,
  portField,
  readEnv,
  trustProxyField,
} from '#runtime/env.ts';
import { homeFolder } from '#runtime/home.ts';
import { type LogLevel, logLevels } from '#runtime/log.ts';
import { Secret, secretField } from '#runtime/secret.ts';
import type { MailSender } from './mail/mail-address.ts';
import { mailFromField, smtpUrlField } from './mail/mail-settings.ts';
import { type WebhookSecrets, webhookSecretsField, webhookSecretsOf } from './purchases/webhook-secrets.ts';

const masterKeyPattern = /^[0-9a-f]{64}$/i;

const masterKeyField = secretField(
  z.string().regex(masterKeyPattern, 'must be 32 bytes in hexadecimal: 64 hex digits'),
);

/** Older keys, comma-separated; they open what they once sealed, and seal nothing new. */
const previousKeysField = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine((keys) => keys.every((key) => masterKeyPattern.test(key)), {
    error: 'must be a comma-separated list of keys of 64 hex digits each',
  })
  .transform((keys) => keys.map((key) => new Secret(key)));

/** More frequent rotation would, within a few years, make the chain that clients follow longer than allowed. */
const minRotationDays = 30;

/** Longer than any load balancer takes to check /ready twice. */
export const maxDrainSeconds = 30;

/** For activations, validations and a probe at the same time; with fewer, they would wait for one another. */
const minConnectionLimit = 2;
const maxConnectionLimit = 1000;

/** Every percent sign is followed by two hexadecimal digits, and the bytes are UTF-8. */
const decodes = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

const databaseUrlFault = (text: string): string | null => {
  if (!URL.canParse(text)) return 'must be a connection string: postgresql://role:password@host:5432/name';
  const { protocol, hostname, username, password, pathname, searchParams } = new URL(text);
  if (!/^postgres(?:ql)?:$/.test(protocol)) return 'must begin with postgresql://';
  if (!/^\/[^/]+$/.test(pathname)) return 'must name a database';
  if (![username, password, hostname, pathname].every(decodes))
    return 'must write a percent sign of the role, password, host or name as %25';
  const limit = Number(searchParams.get('connection_limit') ?? minConnectionLimit);
  if (!Number.isInteger(limit) || limit < minConnectionLimit || limit > maxConnectionLimit)
    return `connection_limit must be a whole number from ${minConnectionLimit} to ${maxConnectionLimit}`;
  return null;
};

const databaseUrlField = secretField(
  z.string().superRefine((text, context) => {
    const fault = databaseUrlFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  }),
);

/** The portal's variables, from the environment or `<PORTAL_HOME>/.env`. */
export const portalEnv = z.object({
  /** Absent: the portal runs its own Postgres in its data folder. */
  PORTAL_DATABASE_URL: databaseUrlField.optional(),
  PORTAL_MASTER_KEY: masterKeyField.optional(),
  PORTAL_MASTER_KEY_PREVIOUS: previousKeysField.optional(),
  /** Absent: signing keys are rotated by hand only. */
  PORTAL_KEY_ROTATION_DAYS: integerField(minRotationDays, 3650).optional(),
  PORTAL_HOST: z
    .string()
    .refine((host) => host === 'localhost' || isIP(host) !== 0, { error: 'must be an IP address' })
    .default('127.0.0.1'),
  /** 0 uses any free port. */
  PORTAL_PORT: integerField(0, 65_535).default(product.portalPort),
  /** For the page that creates the first vendor account; useless after that. */
  PORTAL_ADMIN_TOKEN: secretField(z.string().min(32, 'must have at least 32 characters')).optional(),
  PORTAL_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  PORTAL_POSTGRES_PORT: portField.optional(),
  /** Absent: mails become files in the data folder. */
  SMTP_URL: smtpUrlField.optional(),
  MAIL_FROM: mailFromField.optional(),
  /** Certificates that are trusted in addition to Node's and the system's. A relative path starts at the home. */
  TRUSTED_CA_FILE: z.string().optional(),
  /** For each gateway without a secret under its own name. */
  PURCHASE_WEBHOOK_SECRET: webhookSecretsField.optional(),
  PURCHASE_WEBHOOK_SECRET_GENERIC: webhookSecretsField.optional(),
  PURCHASE_WEBHOOK_SECRET_STRIPE: webhookSecretsField.optional(),
  TRUST_PROXY: trustProxyField.optional(),
  /** Absent: metrics can be read on this machine only. */
  PORTAL_METRICS_TOKEN: secretField(z.string().min(32, 'must have at least 32 characters')).optional(),
  /** How long a stopping portal still accepts requests, so that load balancers notice that it is not ready. */
  PORTAL_DRAIN_SECONDS: integerField(0, maxDrainSeconds).default(0),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});

/** Several processes may share such a database; one with a key of its own could not read the others' data. */
const externalDatabaseEnv = portalEnv.extend({ PORTAL_MASTER_KEY: masterKeyField });

export interface PortalConfig {
  readonly home: string;
  readonly envFile: string;
  /** Null: the embedded Postgres. */
  readonly databaseUrl: Secret | null;
  /** Null until the first start has created one. */
  readonly masterKey: Secret | null;
  readonly previousMasterKeys: readonly Secret[];
  /** Null: signing keys are rotated by hand only. */
  readonly keyRotationDays: number | null;
  readonly host: string;
  readonly port: number;
  /** Null: the first vendor account is created on the command line. */
  readonly adminToken: Secret | null;
  /** The address at which clients reach the portal; null if unknown. */
  readonly publicUrl: string | null;
  /** The port of the embedded Postgres; null until the first start has chosen one. */
  readonly postgresPort: number | null;
  /** Absolute. */
  readonly trustedCaFile: string | undefined;
  /** Null: mails become files in the data folder. */
  readonly smtpUrl: Secret | null;
  readonly mailFrom: MailSender | undefined;
  readonly webhookSecrets: WebhookSecrets;
  readonly trustProxy: number | readonly string[] | false;
  /** Null: metrics can be read on this machine only. */
  readonly metricsToken: Secret | null;
  readonly drainSeconds: number;
  readonly logLevel: LogLevel;
}

type Variables = Readonly<Record<string, string | undefined>>;

export const portalHome = (variables: Variables): string =>
  homeFolder('Castellan-Portal', 'PORTAL_HOME', variables);

/**
 * Without the variable that a mistyped name means, a portal would use another database or send no mail. Other programs' variables
 * stand in the environment, so names there count only if they look like ours.
 */
const demandKnownNames = (source: string, file: EnvFile, variables: Variables, values: Variables): void => {
  const isForeign = (name: string) => !(name in portalEnv.shape) && name !== 'PORTAL_HOME';
  const foreign = (from: Variables) =>
    Object.entries(from).filter(([name, value]) => isForeign(name) && value);
  const inEnvironment = foreign(variables).filter(([name]) => /^PORTAL_/i.test(name));
  const candidates = Object.fromEntries([...foreign(file.values), ...inEnvironment]);
  const unset = Object.keys(portalEnv.shape).filter((name) => !values[name]);
  const meant = meantFaults(portalEnv, { ...file, values: candidates }, unset);
  const unknown = foreign(file.values)
    .filter(([name]) => name.startsWith('PORTAL_') && !meant.some(({ message }) => message.includes(name)))
    .map(([variable]) => ({ variable, message: 'is not known; check the spelling' }));
  if (meant.length + unknown.length > 0) throw new ConfigError(source, [...meant, ...unknown]);
};

/** The environment wins over the file; an empty variable counts as absent. @throws {ConfigError} names every fault */
export const readPortalConfig = async (variables: Variables): Promise<PortalConfig> => {
  const home = portalHome(variables);
  const envFile = join(home, '.env');
  const given = Object.entries(variables).filter(([name, value]) => name in portalEnv.shape && value);
  const file = await openEnvFile(envFile);
  const values = { ...file.values, ...Object.fromEntries(given) };
  const base = values.PORTAL_DATABASE_URL ? externalDatabaseEnv : portalEnv;
  // A mail server accepts no mail without a sender that it knows.
  const schema = values.SMTP_URL ? base.extend({ MAIL_FROM: mailFromField }) : base;
  const source = `The environment, or ${envFile},`;
  const env = readEnv(schema, values, source, file.strayLines);
  demandKnownNames(source, file, variables, values);
  return {
    home,
    envFile,
    databaseUrl: env.PORTAL_DATABASE_URL ?? null,
    masterKey: env.PORTAL_MASTER_KEY ?? null,
    previousMasterKeys: env.PORTAL_MASTER_KEY_PREVIOUS ?? [],
    keyRotationDays: env.PORTAL_KEY_ROTATION_DAYS ?? null,
    host: env.PORTAL_HOST,
    port: env.PORTAL_PORT,
    adminToken: env.PORTAL_ADMIN_TOKEN ?? null,
    publicUrl: env.PORTAL_PUBLIC_URL ?? null,
    postgresPort: env.PORTAL_POSTGRES_PORT ?? null,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM,
    trustedCaFile: env.TRUSTED_CA_FILE && resolve(home, env.TRUSTED_CA_FILE),
    webhookSecrets: webhookSecretsOf(env.PURCHASE_WEBHOOK_SECRET, {
      generic: env.PURCHASE_WEBHOOK_SECRET_GENERIC,
      stripe: env.PURCHASE_WEBHOOK_SECRET_STRIPE,
    }),
    trustProxy: env.TRUST_PROXY ?? false,
    metricsToken: env.PORTAL_METRICS_TOKEN ?? null,
    drainSeconds: env.PORTAL_DRAIN_SECONDS,
    logLevel: env.LOG_LEVEL,
  };
};
