import * as z from 'zod';
import type { ModProject } from '#contracts/mods/mods.ts';
import { largestModFile, sha1 } from '#contracts/servers/agent-mods.ts';
import { gameIds } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { SourceVersion } from './mod-source.ts';
import { rowsOf } from './source-json.ts';
import { fileNameOf, lineOf, linesOf, sourceTime, type WebPlaces } from './source-text.ts';

// Shapes: https://docs.curseforge.com/rest-api/#schemas

const number = z.int().nonnegative();
/** Per row: dependencies, hashes, versions of the game. */
const mostWords = 5000;

export const fileOf = z.object({
  id: number,
  modId: number,
  isAvailable: z
    .boolean()
    .nullish()
    .transform((is) => is ?? true),
  displayName: z.string(),
  fileName: z.string(),
  releaseType: z.int(),
  hashes: rowsOf(z.object({ value: z.string().toLowerCase(), algo: z.int() }), mostWords),
  fileDate: sourceTime,
  fileLength: number.max(largestModFile),
  /** Null where the author forbids downloads by programs. */
  downloadUrl: z.string().nullish(),
  /** Versions of the game, loaders, and `Client` and `Server`. */
  gameVersions: rowsOf(z.string(), mostWords),
  dependencies: rowsOf(z.object({ modId: number, relationType: z.int() }), mostWords).nullish(),
  isServerPack: z.boolean().nullish(),
  serverPackFileId: number.nullish(),
  isEarlyAccessContent: z.boolean().nullish(),
  fileFingerprint: z.coerce.number().int().nonnegative(),
});

export const modOf = z.object({
  id: number,
  gameId: number,
  name: z.string(),
  slug: z.string(),
  summary: z.string().nullish(),
  links: z.object({ websiteUrl: z.string().nullish() }).nullish(),
  downloadCount: z.number().nonnegative().nullish(),
  classId: number.nullish(),
  authors: rowsOf(z.object({ name: z.string() }), mostWords),
  logo: z.object({ thumbnailUrl: z.string().nullish(), url: z.string().nullish() }).nullish(),
  latestFiles: rowsOf(z.object({ gameVersions: rowsOf(z.string(), mostWords) }), mostWords).nullish(),
  dateModified: z.string().nullish(),
  allowModDistribution: z.boolean().nullish(),
});

const fileGames: ReadonlySet<number> = new Set(
  gameIds.flatMap((id) => {
    const { ids, sourceNumbers } = gameOf(id).mods;
    return ids === null ? (sourceNumbers.curseforge ?? []) : [];
  }),
);

/** The game downloads its mods by their ids. */
export const takesIds = ({ gameId }: Pick<Mod, 'gameId'>): boolean => !fileGames.has(gameId);
const packs = 4471;
const loaderNames = ['Forge', 'Fabric', 'Quilt', 'NeoForge'];
const channels = new Map([
  [2, 'beta'],
  [3, 'alpha'],
] as const);
/** FileRelationType: 4 is a tool, 6 is included in the file. */
const relations = new Map([
  [1, 'embedded'],
  [2, 'optional'],
  [3, 'required'],
  [4, 'optional'],
  [5, 'incompatible'],
  [6, 'embedded'],
] as const);

type Mod = z.output<typeof modOf>;
type File = z.output<typeof fileOf>;

export const toProject = (mod: Mod, places: WebPlaces): ModProject => ({
  source: 'curseforge',
  id: String(mod.id),
  name: lineOf(mod.name, 200),
  summary: linesOf(mod.summary, 2000) ?? '',
  iconUrl: places.ownUrlOf(mod.logo?.thumbnailUrl) ?? places.ownUrlOf(mod.logo?.url),
  author: mod.authors[0] ? lineOf(mod.authors[0].name, 200) : null,
  // The API does not report it.
  license: null,
  page: places.urlOf(mod.links?.websiteUrl),
  downloads:
    mod.downloadCount === null || mod.downloadCount === undefined ? null : Math.floor(mod.downloadCount),
  updatedAt: sourceTime.safeParse(mod.dateModified).data ?? null,
  side: sideOf(mod),
  form: takesIds(mod) ? 'id' : mod.classId === packs ? 'pack' : 'file',
});

export const toVersion = (file: File, mod: Mod, places: WebPlaces): SourceVersion => {
  const website = places.urlOf(mod.links?.websiteUrl);
  const page = website && `${website.replace(/\/+$/, '')}/files/${file.id}`;
  const isId = takesIds(mod);
  const url = mod.allowModDistribution === false ? null : places.urlOf(file.downloadUrl);
  const hash = file.hashes.find(({ algo, value }) => algo === 1 && sha1.safeParse(value).success)?.value;
  const isPack = file.isServerPack === true || mod.classId === packs;
  // When a person has to download the file, no program requests it, so the page's address is used instead.
  const from = url ?? page;
  return {
    id: String(file.id),
    project: String(file.modId),
    name: lineOf(file.displayName, 100, file.fileName),
    channel: channels.get(file.releaseType as 2 | 3) ?? 'release',
    publishedAt: file.fileDate,
    gameVersions: file.gameVersions
      .filter((text) => /^\d/.test(text))
      .slice(0, 500)
      .map((text) => lineOf(text, 50)),
    loaders: file.gameVersions.filter((text) => loaderNames.includes(text)).map((text) => text.toLowerCase()),
    bytes: file.fileLength,
    changelog: null,
    isByHand: !isId && url === null,
    page,
    form: isId ? 'id' : isPack ? 'pack' : 'file',
    file:
      isId || !from
        ? null
        : {
            name: fileNameOf(file.fileName, `${file.id}.${isPack ? 'zip' : 'jar'}`),
            bytes: file.fileLength,
            hashes: hash ? { sha1: hash } : {},
            // The key is sent only to CurseForge's own hosts.
            from: { kind: 'address', url: from, key: places.ownUrlOf(url) ? 'curseforge' : null },
          },
    dependencies: (file.dependencies ?? []).slice(0, 200).flatMap(({ modId, relationType }) => {
      const kind = relations.get(relationType as 1);
      return kind ? [{ kind, project: String(modId), version: null }] : [];
    }),
  };
};

/** `Client` and `Server` among the versions of its newest files; many authors give neither. */
const sideOf = ({ latestFiles }: Mod): ModProject['side'] => {
  const told = (latestFiles ?? [])
    .map(({ gameVersions }) => [gameVersions.includes('Client'), gameVersions.includes('Server')] as const)
    .filter(([client, server]) => client || server);
  if (told.length === 0) return null;
  if (told.every(([, server]) => !server)) return 'client';
  if (told.every(([client]) => !client)) return 'server';
  return 'both';
};
