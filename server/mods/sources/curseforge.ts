import * as z from 'zod';
import type { ModProject } from '#contracts/mods/mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { fileOf, modOf, takesIds, toProject, toVersion } from './curseforge-shapes.ts';
import {
  isSourceFailure,
  type ModSourceClient,
  type ModTarget,
  type SourceFailure,
  type SourceVersion,
  searchPageSize,
} from './mod-source.ts';
import type { SourceHttp } from './source-http.ts';
import { rowsOf } from './source-json.ts';
import { textOfHtml, type WebPlaces } from './source-text.ts';
import { acceptedLoaders, fitsTarget, newestFirst } from './target-fit.ts';

/** https://docs.curseforge.com/rest-api/#pagination-limits */
const mostOfAPage = 50;
const mostReached = 10_000;
/** Changelogs cost one request each, so only versions requested by id get theirs. */
const mostChangelogs = 20;
/** For all the files of a server. */
const mostMatches = 2000;

const numberOf = (game: GameId): number | null => gameOf(game).mods.sourceNumbers.curseforge;
/** Only Minecraft has several: https://docs.curseforge.com/rest-api/#tocS_Category, `classId`. */
const classes = { mods: 6, plugins: 5, packs: 4471 };
/** https://docs.curseforge.com/rest-api/#tocS_ModLoaderType */
const loaderTypes: Readonly<Record<string, number>> = { forge: 1, fabric: 4, quilt: 5, neoforge: 6 };

const page = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: rowsOf(row, mostOfAPage),
    pagination: z.object({ totalCount: z.int().nonnegative() }),
  });
const numberId = z.string().regex(/^\d{1,15}$/);
type File = z.output<typeof fileOf>;
type Mod = z.output<typeof modOf>;

export const createCurseforge = (http: SourceHttp, places: WebPlaces): ModSourceClient => {
  const withChangelogs = async (
    versions: readonly SourceVersion[],
    signal: AbortSignal,
  ): Promise<readonly SourceVersion[]> =>
    await Promise.all(
      versions.map(async (version, position) => {
        if (position >= mostChangelogs) return version;
        const path = `/v1/mods/${version.project}/files/${version.id}/changelog`;
        const answer = await http.ask(path, { schema: z.object({ data: z.string() }), signal });
        // An update does not wait for its changelog.
        if (answer === null || isSourceFailure(answer)) return version;
        return { ...version, changelog: textOfHtml(answer.data, 20_000) };
      }),
    );

  const postIds = async <Row extends z.ZodType>(
    path: string,
    name: string,
    ids: readonly string[],
    row: Row,
    signal: AbortSignal,
  ): Promise<z.output<Row>[] | SourceFailure> => {
    const wanted = [...new Set(ids)].filter((id) => numberId.safeParse(id).success).map(Number);
    const rows: z.output<Row>[] = [];
    for (let from = 0; from < wanted.length; from += mostOfAPage) {
      const body = { [name]: wanted.slice(from, from + mostOfAPage) };
      const answer = await http.ask(path, {
        schema: z.object({ data: rowsOf(row, mostOfAPage) }),
        body,
        signal,
      });
      if (answer === null) continue;
      if (isSourceFailure(answer)) return answer;
      rows.push(...answer.data);
    }
    return rows;
  };
  const askMods = (ids: readonly string[], signal: AbortSignal): Promise<Mod[] | SourceFailure> =>
    postIds('/v1/mods', 'modIds', ids, modOf, signal);
  const askFiles = (ids: readonly string[], signal: AbortSignal): Promise<File[] | SourceFailure> =>
    postIds('/v1/mods/files', 'fileIds', ids, fileOf, signal);

  /** The newest page for each loader whose mods the server takes. */
  const filesOf = async (
    mod: Mod,
    target: ModTarget,
    signal: AbortSignal,
  ): Promise<File[] | SourceFailure> => {
    const files = new Map<number, File>();
    for (const filter of filtersOf(target)) {
      const query = new URLSearchParams({ ...filter, pageSize: String(mostOfAPage), index: '0' });
      const answer = await http.ask(`/v1/mods/${mod.id}/files?${query}`, { schema: page(fileOf), signal });
      if (answer === null) continue;
      if (isSourceFailure(answer)) return answer;
      for (const file of answer.data) files.set(file.id, file);
    }
    return [...files.values()];
  };

  /** Server files instead of those for players, which are useless here. */
  const serverPacks = async (
    mod: Mod,
    files: readonly File[],
    signal: AbortSignal,
  ): Promise<SourceVersion[] | SourceFailure> => {
    const packs = await askFiles(
      files.flatMap(({ serverPackFileId }) => (serverPackFileId ? [String(serverPackFileId)] : [])),
      signal,
    );
    if (isSourceFailure(packs)) return packs;
    return packs.flatMap((pack) => {
      const made = files.find(({ serverPackFileId }) => serverPackFileId === pack.id);
      if (!made || pack.modId !== mod.id) return [];
      const { displayName, gameVersions, releaseType } = made;
      return [
        toVersion({ ...pack, displayName, gameVersions, releaseType, isServerPack: true }, mod, places),
      ];
    });
  };

  const modsOfFiles = async (
    files: readonly File[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, Mod> | SourceFailure> => {
    const mods = await askMods(
      files.map(({ modId }) => String(modId)),
      signal,
    );
    return isSourceFailure(mods) ? mods : new Map(mods.map((mod) => [mod.id, mod]));
  };

  return {
    source: 'curseforge',

    async search(target, { text, offset }, signal) {
      const classIds = classesOf(target);
      // The classes share the page, since the API has a separate list for each.
      const size = Math.floor(searchPageSize / classIds.length);
      const index = Math.floor(offset / classIds.length);
      if (index + size > mostReached) return { rows: [], total: mostReached };
      const [filter = {}] = filtersOf(target);
      const rows: ModProject[] = [];
      let total = 0;
      for (const classId of classIds) {
        const query = new URLSearchParams({
          gameId: String(numberOf(target.game) ?? 0),
          ...(classId === null ? {} : { classId: String(classId) }),
          searchFilter: text.slice(0, 200),
          ...filter,
          // Popularity; with a text, the API still ranks by how well it fits.
          sortField: '2',
          sortOrder: 'desc',
          index: String(index),
          pageSize: String(size),
        });
        const answer = await http.ask(`/v1/mods/search?${query}`, { schema: page(modOf), signal });
        if (answer === null) continue;
        if (isSourceFailure(answer)) return answer;
        rows.push(...answer.data.map((mod) => toProject(mod, places)));
        total = Math.max(total, classIds.length * answer.pagination.totalCount);
      }
      return { rows, total: Math.min(total, mostReached) };
    },

    async projects(ids, signal) {
      const mods = await askMods(ids, signal);
      return isSourceFailure(mods) ? mods : mods.map((mod) => toProject(mod, places));
    },

    async versions(project, target, signal) {
      const mods = await askMods([project], signal);
      if (isSourceFailure(mods)) return mods;
      const [mod] = mods;
      if (!mod || mod.gameId !== numberOf(target.game)) return null;
      const files = await filesOf(mod, target, signal);
      if (isSourceFailure(files)) return files;
      const usable = files.filter((file) => file.isAvailable && !file.isEarlyAccessContent);
      const found =
        mod.classId === classes.packs && !takesIds(mod)
          ? await serverPacks(mod, usable, signal)
          : usable.filter((file) => !isClientOnly(file)).map((file) => toVersion(file, mod, places));
      if (isSourceFailure(found)) return found;
      const fitting = found.filter((version) => fitsTarget(version, target)).sort(newestFirst);
      // The game always downloads the newest version by mod id.
      return takesIds(mod) ? fitting.slice(0, 1) : fitting;
    },

    async versionsById(ids, signal) {
      const files = await askFiles(ids, signal);
      if (isSourceFailure(files)) return files;
      const mods = await modsOfFiles(files, signal);
      if (isSourceFailure(mods)) return mods;
      const versions = files
        .filter((file) => file.isAvailable && !isClientOnly(file))
        .flatMap((file) => {
          const mod = mods.get(file.modId);
          return mod ? [toVersion(file, mod, places)] : [];
        });
      return await withChangelogs(versions, signal);
    },

    async identify(game, files, signal) {
      const known = new Map<string, SourceVersion>();
      const asked = files.filter(({ fingerprint }) => fingerprint !== null);
      if (asked.length === 0) return known;
      const answer = await http.ask(`/v1/fingerprints/${numberOf(game)}`, {
        schema: z.object({
          data: z.object({ exactMatches: rowsOf(z.object({ file: fileOf }), mostMatches) }),
        }),
        body: { fingerprints: asked.map(({ fingerprint }) => fingerprint) },
        signal,
      });
      if (answer === null) return known;
      if (isSourceFailure(answer)) return answer;
      const matches = answer.data.exactMatches.map(({ file }) => file);
      const mods = await modsOfFiles(matches, signal);
      if (isSourceFailure(mods)) return mods;
      for (const { path, fingerprint, sha1 } of asked) {
        // Two files can have the same 32 bits; their sha1 tells them apart.
        const match = matches.find(
          (file) =>
            file.fileFingerprint === fingerprint &&
            (sha1 === null || (file.hashes.find(({ algo }) => algo === 1)?.value ?? sha1) === sha1),
        );
        const mod = match && mods.get(match.modId);
        if (mod) known.set(path, toVersion(match, mod, places));
      }
      return known;
    },
  };
};

/** Null: all classes of the game. */
const classesOf = ({ game, loader, forms }: ModTarget): readonly [number | null, ...(number | null)[]] => {
  if (gameOf(game).mods.ids !== null) return [null];
  const isPlugins = loader === 'paper' || loader === 'velocity';
  const own = isPlugins ? classes.plugins : classes.mods;
  return forms.includes('pack') && !isPlugins ? [own, classes.packs] : [own];
};

/** `modLoaderType` requires `gameVersion`; plugins have no loader there. */
const filtersOf = (target: ModTarget): readonly Readonly<Record<string, string>>[] => {
  const { gameVersion } = target;
  if (!gameVersion) return [{}];
  const types = acceptedLoaders(target).flatMap((loader) => loaderTypes[loader] ?? []);
  return types.length === 0
    ? [{ gameVersion }]
    : types.map((type) => ({ gameVersion, modLoaderType: String(type) }));
};

/**
 * Authors mark where a file runs with two of its game versions, `Client` and `Server`, of the type `environment` in
 * CurseForge's Upload API:
 * https://support.curseforge.com/en/support/solutions/articles/9000197321-curseforge-upload-api
 */
const isClientOnly = ({ gameVersions }: File): boolean =>
  gameVersions.includes('Client') && !gameVersions.includes('Server');
