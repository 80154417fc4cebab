import { resolve } from 'node:path';
import * as z from 'zod';
import { Secret } from '../secret.ts';
import type { OutsideSettings } from './outside.ts';
import { proxySecrets, readProxyAddress } from './proxy-address.ts';

export const proxyField = z
  .string()
  .refine((text) => readProxyAddress(text) !== null, {
    error: 'must be the address of an HTTP proxy, such as http://proxy.example:8080',
  })
  .transform((text) => new Secret(text));

/** The variables of `.env` that lead outside, for the schema of each program's settings. */
export const outsideFields = {
  /** Certificates that are trusted in addition to Node's and the system's. A relative path starts at the data folder. */
  TRUSTED_CA_FILE: z.string().optional(),
  /** The proxy to everything outside this network: http://name:password@host:port. */
  HTTPS_PROXY: proxyField.optional(),
  /** What is reached without it, between commas. */
  NO_PROXY: z.string().optional(),
};

/** @param folder where relative paths start */
export const outsideSettings = (
  env: z.output<z.ZodObject<typeof outsideFields>>,
  folder: string,
): OutsideSettings => ({
  trustedCaFile: env.TRUSTED_CA_FILE && resolve(folder, env.TRUSTED_CA_FILE),
  proxy: env.HTTPS_PROXY,
  noProxy: env.NO_PROXY ?? '',
});

export const outsideSecrets = ({ proxy }: Pick<OutsideSettings, 'proxy'>): readonly Secret[] =>
  proxy ? proxySecrets(proxy.reveal()) : [];
