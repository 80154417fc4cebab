import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ModLoader, ModsList } from '#contracts/servers/agent-mods.ts';
import type { ListedMod } from './listed-mods.ts';

/** Hosts that the format allows in packs: https://support.modrinth.com/en/articles/8802351-modrinth-modpack-format-mrpack */
export const usualPackHosts: readonly string[] = [
  'cdn.modrinth.com',
  'github.com',
  'raw.githubusercontent.com',
  'gitlab.com',
];

const loaderDependencies: Readonly<Partial<Record<ModLoader, string>>> = {
  fabric: 'fabric-loader',
  quilt: 'quilt-loader',
  forge: 'forge',
  neoforge: 'neoforge',
};

type Loader = Pick<ModsList, 'loader' | 'loaderVersion' | 'gameVersion'>;

/** What a launcher installs the game with; null: a pack cannot express it. */
export const packDependencies = ({
  loader,
  loaderVersion,
  gameVersion,
}: Loader): Readonly<Record<string, string>> | null => {
  const named = loader && loaderDependencies[loader];
  return named && loaderVersion !== null && gameVersion !== null
    ? { minecraft: gameVersion, [named]: loaderVersion }
    : null;
};

/** The earliest time that a zip can store. */
const zipEpoch = new Date(1980, 0, 1);

/** The same mods make the same bytes. */
export const makePack = (
  name: string,
  dependencies: Readonly<Record<string, string>>,
  mods: readonly ListedMod[],
): Readable => {
  const files = mods
    .flatMap(({ file, isOptional }) => {
      if (file?.from.kind !== 'address') return [];
      return [
        {
          path: `mods/${file.name}`,
          hashes: { sha1: file.hashes.sha1, sha512: file.hashes.sha512 },
          env: {
            client: isOptional ? 'optional' : 'required',
            server: isOptional ? 'unsupported' : 'required',
          },
          downloads: [file.from.url],
          fileSize: file.bytes,
        },
      ];
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  // Names that differ only in case are one file on most players' machines.
  const once = [...new Map(files.map((file) => [file.path.toLowerCase(), file])).values()];
  const content = { dependencies, files: once };
  const index = {
    formatVersion: 1,
    game: 'minecraft',
    versionId: createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12),
    name,
    files: once,
    dependencies,
  };
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(index, null, 2)), 'modrinth.index.json', {
    mtime: zipEpoch,
    forceDosTimestamp: true,
  });
  zip.end();
  return zip.outputStream as Readable;
};
