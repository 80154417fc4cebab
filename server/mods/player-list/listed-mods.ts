import type { ModProject } from '#contracts/mods/mods.ts';
import type { InstalledMod, ModFile, ModsList } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { CheckFindings } from '../../kernel/database/stored-values.ts';
import { serves } from '../sources/mod-source.ts';

/** A mod that players need, without any detail of how the server has it. */
export interface ListedMod {
  readonly name: string;
  readonly versionName: string | null;
  readonly page: string | null;
  readonly isOptional: boolean;
  /** Null: a pack may not contain it. */
  readonly file: ModFile | null;
}

/** By name, without plugins and server-only mods. */
export const listedMods = (
  {
    game,
    list,
    findings,
  }: {
    readonly name: string;
    readonly game: GameId;
    readonly list: ModsList | null;
    readonly findings: Pick<CheckFindings, 'projects' | 'known'> | null;
  },
  packHosts: readonly string[],
): ListedMod[] => {
  if (list === null) return [];
  const inPack = (file: ModFile | null) => (file !== null && isAllowedInPacks(file, packHosts) ? file : null);
  const installed = list.installed.flatMap((mod): ListedMod[] => {
    const project = findings?.projects[mod.key] ?? null;
    const side = project?.side ?? mod.metadata?.side ?? null;
    if (mod.folder === 'plugins' || side === 'server') return [];
    return [
      {
        name: project?.name ?? mod.name,
        versionName: mod.versionName,
        page: pageOf(mod, project),
        isOptional: side === 'client',
        file: mod.form === 'file' ? inPack(mod.file) : null,
      },
    ];
  });
  const found = list.found.flatMap(({ path, sha512, metadata }): ListedMod[] => {
    if (path.startsWith('plugins/')) return [];
    const known = sha512 === null ? undefined : findings?.known[sha512];
    const side = known?.project.side ?? metadata?.side ?? null;
    // A file that no source knows and that declares no name is known only by its name on that machine.
    const name = known?.project.name ?? metadata?.name ?? metadata?.id;
    if (side === 'server' || name === undefined) return [];
    return [
      {
        name,
        versionName: known?.versionName ?? metadata?.version ?? null,
        page: webAddress(known?.project.page ?? null),
        isOptional: side === 'client',
        file: known ? inPack(known.file) : null,
      },
    ];
  });
  const ids = list.foundIds.map(
    (id): ListedMod => ({
      name: id,
      versionName: null,
      page: serves('steam', game) ? workshopPage(id) : null,
      isOptional: false,
      file: null,
    }),
  );
  return [...installed, ...found, ...ids].sort(
    (one, other) => compareText(one.name, other.name) || compareText(one.page ?? '', other.page ?? ''),
  );
};

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const workshopPage = (id: string): string | null =>
  /^\d{1,20}$/.test(id) ? `https://steamcommunity.com/sharedfiles/filedetails/?id=${id}` : null;

const pageOf = (
  { source, project }: Pick<InstalledMod, 'source' | 'project'>,
  facts: ModProject | null,
): string | null => {
  const told = webAddress(facts?.page ?? null);
  if (told !== null || project === null || !/^[\w-]{1,100}$/.test(project)) return told;
  if (source === 'steam') return workshopPage(project);
  if (source === 'modrinth') return `https://modrinth.com/project/${project}`;
  if (source === 'curseforge') return `https://www.curseforge.com/projects/${project}`;
  return null;
};

/** Sources report any text as a page: only what a browser opens as a page is passed on. */
const webAddress = (address: string | null): string | null => {
  const url = address === null ? null : URL.parse(address);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
};

/** A launcher can download it without a key and verify that it is the right file. */
const isAllowedInPacks = ({ bytes, hashes, from }: ModFile, hosts: readonly string[]): boolean =>
  from.kind === 'address' &&
  from.key === null &&
  bytes !== null &&
  hashes.sha1 !== undefined &&
  hashes.sha512 !== undefined &&
  isPlainAddress(URL.parse(from.url), hosts);

/** Everyone may read it: it contains no password and no token. */
const isPlainAddress = (url: URL | null, hosts: readonly string[]): boolean =>
  url?.protocol === 'https:' &&
  url.username === '' &&
  url.password === '' &&
  url.search === '' &&
  hosts.includes(url.hostname);
