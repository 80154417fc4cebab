import { posix } from 'node:path';
import * as z from 'zod';
import {
  largestModFile,
  type ModFile,
  type ModLoader,
  modFileName,
  sha1,
  sha512,
} from '#contracts/servers/agent-mods.ts';
import { ArchiveError } from '#runtime/archives/archive.ts';
import { outsideFault, pathFault, refusePath } from '#runtime/archives/check-paths.ts';
import { parseLenientJson } from './lenient-json.ts';

/** Hosts that the format allows: https://support.modrinth.com/en/articles/8802351-modrinth-modpack-format-mrpack */
const packHosts = ['cdn.modrinth.com', 'github.com', 'raw.githubusercontent.com', 'gitlab.com'] as const;

export const mrpackIndexName = 'modrinth.index.json';
export const largestIndex = 16 * 1024 * 1024;

const support = z.enum(['required', 'optional', 'unsupported']).catch('required');
const index = z.object({
  formatVersion: z.literal(1),
  game: z.literal('minecraft'),
  versionId: z.string().max(1000).catch(''),
  name: z.string().max(1000).catch(''),
  files: z
    .array(
      z.object({
        path: z.string().min(1).max(500),
        hashes: z.object({
          sha1: z.string().toLowerCase().pipe(sha1).optional(),
          sha512: z.string().toLowerCase().pipe(sha512),
        }),
        env: z.object({ server: support }).nullish(),
        downloads: z.array(z.string().max(2000)).min(1).max(20),
        fileSize: z.int().nonnegative().max(largestModFile).nullish(),
      }),
    )
    .max(2000),
  dependencies: z.record(z.string(), z.string().max(100)).catch({}),
});

const loaders: readonly (readonly [string, ModLoader])[] = [
  ['neoforge', 'neoforge'],
  ['forge', 'forge'],
  ['quilt-loader', 'quilt'],
  ['fabric-loader', 'fabric'],
];

interface PackDownload {
  /** Relative to the server's folder. */
  readonly path: string;
  readonly host: string;
  readonly file: ModFile;
}

export interface MrpackIndex {
  readonly name: string;
  readonly version: string | null;
  readonly gameVersion: string | null;
  readonly loader: ModLoader | null;
  readonly downloads: readonly PackDownload[];
  readonly clientOnly: number;
  /** Paths of files beside the mods that not every system can hold. */
  readonly unstorable: readonly string[];
}

const refuse = (why: string) => new ArchiveError('damaged', `The pack cannot be used: ${why}.`);

const addressOf = (downloads: readonly string[]): URL | null =>
  downloads
    .map((text) => URL.parse(text))
    .find(
      (url) =>
        url?.protocol === 'https:' &&
        url.port === '' &&
        url.username === '' &&
        url.password === '' &&
        (packHosts as readonly string[]).includes(url.hostname),
    ) ?? null;

/**
 * With slashes, as a program on Windows wrote it with backslashes (modrinth/code#595, itzg/mc-image-helper, pull request 326), and with
 * the name of the folder for mods that a loader on Linux looks for.
 */
export const placeInServer = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replaceAll(/\/(?:\.?\/)+/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/^(mods|plugins)\//i, (folder) => folder.toLowerCase());

/** Its mods are what a pack is for: without one of them it would be another one. */
const isNeeded = (path: string): boolean => /^(?:mods|plugins)\//.test(path);

/** The name by which people see it; settings may begin with a dot. */
const shownName = (path: string): string => posix.basename(path).replace(/^\.+/, '').slice(0, 200);

/** The part of the index that a server uses. @throws {ArchiveError} */
export const readMrpackIndex = (text: string): MrpackIndex => {
  let raw: unknown;
  try {
    raw = parseLenientJson(text);
  } catch (error) {
    throw new ArchiveError('damaged', `The pack cannot be used: its ${mrpackIndexName} is no JSON.`, {
      cause: error,
    });
  }
  const parsed = index.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refuse(`its ${mrpackIndexName} is wrong at ${issue?.path.join('.') || 'its root'}`);
  }
  const { files, dependencies, name, versionId } = parsed.data;
  const ofServer = files.filter(({ env }) => env?.server !== 'unsupported');
  const unstorable: string[] = [];
  const toDownload = ({ path: written, hashes, downloads, fileSize }: (typeof files)[number]) => {
    refusePath(outsideFault(written), written);
    const path = placeInServer(written);
    const fault = pathFault(path, 240);
    if (fault !== null && !isNeeded(path)) {
      unstorable.push(path);
      return [];
    }
    refusePath(fault, path);
    const url = addressOf(downloads);
    if (url === null) throw refuse(`“${path}” is at none of the hosts that packs may download from`);
    const fileName = modFileName.safeParse(isNeeded(path) ? posix.basename(path) : shownName(path));
    if (!fileName.success) throw new ArchiveError('path-name', `“${path}” is no name for a file.`);
    const file: ModFile = {
      name: fileName.data,
      bytes: fileSize ?? null,
      hashes: { sha512: hashes.sha512, ...(hashes.sha1 !== undefined && { sha1: hashes.sha1 }) },
      from: { kind: 'address', url: url.href, key: null },
    };
    return [{ path, host: url.hostname, file }];
  };
  return {
    name: name.slice(0, 200),
    version: versionId.slice(0, 100) || null,
    gameVersion: dependencies.minecraft ?? null,
    loader: loaders.find(([key]) => Object.hasOwn(dependencies, key))?.[1] ?? null,
    downloads: ofServer.flatMap(toDownload),
    clientOnly: files.length - ofServer.length,
    unstorable,
  };
};
