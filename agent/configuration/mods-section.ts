import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';

/** How mod files are downloaded and stored: set only on the game's machine. */
export interface ModsConfig {
  /** Shared by all servers of the machine. */
  readonly cacheFolder: string;
  readonly cacheMegabytes: number;
  /** `host:port`, in lower case: plain HTTP and private addresses are allowed for exactly these. */
  readonly allowHosts: readonly string[];
  /** For ARK: Survival Evolved: tries to download a Workshop item before the game is stopped. Null: only the game downloads them. */
  readonly steamcmd: string | null;
}

const megabytes = 'must be a whole number from 100 to 10000000, without quotes';
const host = 'must be a host with its port, such as "mirror.local:8080"';

/** Spelled as in URLs; null when the text is not a host with a port. */
const spelled = (text: string): string | null => {
  const [, name, port] = /^([^\s/@?#\\]+):(\d{1,5})$/.exec(text) ?? [];
  if (name === undefined || Number(port) < 1 || Number(port) > 65_535) return null;
  if (!URL.canParse(`http://${name}`) || new URL(`http://${name}`).port !== '') return null;
  return `${new URL(`http://${name}`).hostname}:${Number(port)}`;
};

export const modsSection = z.strictObject(
  {
    cacheFolder: z
      .string('must be the path of a folder, in quotes')
      .min(1, 'is empty: leave it out')
      .optional(),
    steamcmd: z.string('must be the path of steamcmd, in quotes').min(1, 'is empty: leave it out').optional(),
    cacheMegabytes: z.int(megabytes).min(100, megabytes).max(10_000_000, megabytes).optional(),
    allowHosts: z
      .array(
        z.string(host).transform((text, context) => {
          const found = spelled(text);
          if (found === null) context.addIssue(host);
          return found ?? z.NEVER;
        }),
        'must be a list: ["mirror.local:8080"]',
      )
      .max(100, 'must name at most 100 hosts')
      .optional(),
  },
  'must be a group: { "cacheMegabytes": 5000, … }',
);

export const modsConfig = (
  section: z.output<typeof modsSection> | undefined,
  configFolder: string,
  stateFolder: string,
): ModsConfig => {
  const { cacheFolder, cacheMegabytes = 5000, allowHosts = [], steamcmd } = section ?? {};
  return {
    cacheFolder:
      cacheFolder === undefined
        ? usualCacheFolder(configFolder, stateFolder)
        : resolve(configFolder, cacheFolder),
    cacheMegabytes,
    allowHosts,
    steamcmd: steamcmd === undefined ? null : resolve(configFolder, steamcmd),
  };
};

/** An installed agent keeps its servers below `servers` in its data folder; they share one cache there. */
const usualCacheFolder = (configFolder: string, stateFolder: string): string => {
  const servers = dirname(configFolder);
  return join(basename(servers) === 'servers' ? dirname(servers) : stateFolder, 'mod-files');
};
