import { resolve } from 'node:path';
import * as z from 'zod';
import { Secret, secretField } from '../secret.ts';
import type { OutsideSettings } from './outside.ts';
import { proxySecrets, readProxyAddress, type UnusedProxy } from './proxy-address.ts';

/** Where a proxy is set for the first time: what cannot be used is refused. */
export const proxyField = z
  .string()
  .refine((text) => readProxyAddress(text) !== null, {
    error: 'must be the address of an HTTP proxy, such as http://proxy.example:8080',
  })
  .transform((text) => new Secret(text));

/**
 * The variables of `.env` that lead outside, for the schema of each program's settings. A proxy that cannot be used does not keep the
 * program from starting: the line may have been written for other programs, or for a version that did not know it.
 */
export const outsideFields = {
  /** Proxy to the license portal alone, in place of HTTPS_PROXY. */
  LICENSE_PROXY: secretField(z.string()).optional(),
  /** Certificates that are trusted in addition to Node's and the system's. A relative path starts at the data folder. */
  TRUSTED_CA_FILE: z.string().optional(),
  /** The proxy to everything outside this network: http://name:password@host:port. */
  HTTPS_PROXY: secretField(z.string()).optional(),
  /** What is reached without it, between commas. */
  NO_PROXY: z.string().optional(),
};

/** @returns undefined also for one that cannot be used */
export const usableProxy = (proxy: Secret | undefined): Secret | undefined =>
  proxy && readProxyAddress(proxy.reveal()) ? proxy : undefined;

/** @param folder where relative paths start */
export const outsideSettings = (
  env: z.output<z.ZodObject<typeof outsideFields>>,
  folder: string,
): OutsideSettings => ({
  trustedCaFile: env.TRUSTED_CA_FILE && resolve(folder, env.TRUSTED_CA_FILE),
  proxy: usableProxy(env.HTTPS_PROXY),
  noProxy: env.NO_PROXY ?? '',
  unused: (['HTTPS_PROXY', 'LICENSE_PROXY'] as const).flatMap((setting): readonly UnusedProxy[] => {
    const value = env[setting];
    return value && !usableProxy(value) ? [{ setting, value }] : [];
  }),
});

export const outsideSecrets = ({
  proxy,
  unused = [],
}: Pick<OutsideSettings, 'proxy' | 'unused'>): readonly Secret[] =>
  [...(proxy ? [proxy] : []), ...unused.map(({ value }) => value)].flatMap((each) =>
    proxySecrets(each.reveal()),
  );
