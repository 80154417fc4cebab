import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** The same content gives the same bytes, and so the same hashes, in every run. */
const mtime = new Date('2026-01-01T00:00:00Z');

export const zipOf = async (entries: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(entries))
    zip.addBuffer(Buffer.from(content), path, { mtime, mode: 0o100644 });
  zip.end();
  return await buffer(zip.outputStream);
};

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

export interface FabricMod {
  readonly id: string;
  readonly version: string;
  readonly name?: string;
  readonly environment?: 'client' | 'server' | '*';
  readonly depends?: Readonly<Record<string, string>>;
  readonly breaks?: Readonly<Record<string, string>>;
  /** Other ids of it: Fabric API is `fabric`, too (emilyploszaj/emi#217). */
  readonly provides?: readonly string[];
  /** Jars inside of it, by their paths; they are among `files`. */
  readonly jars?: readonly { readonly file: string }[];
  /** Additional files in the jar. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

/** https://wiki.fabricmc.net/documentation:fabric_mod_json_spec */
export const fabricMod = ({ id, version, files, name = id, ...rest }: FabricMod): Promise<Buffer> =>
  zipOf({ 'fabric.mod.json': json({ schemaVersion: 1, id, version, name, ...rest }), ...files });

/** https://docs.neoforged.net/docs/gettingstarted/modfiles */
export const forgeMod = (mod: {
  readonly id: string;
  readonly version: string;
  readonly loader?: 'forge' | 'neoforge';
  /** Many have line breaks in it, though TOML knows none there (OreCruncher/DynamicSurroundings#687). */
  readonly description?: string;
  readonly clientSideOnly?: boolean;
}): Promise<Buffer> => {
  const { id, version, loader = 'forge', description = 'A mod.\nFor all.', clientSideOnly = false } = mod;
  const toml = `modLoader="javafml"\nloaderVersion="[1,)"\nlicense="MIT"\n${clientSideOnly ? 'clientSideOnly=true\n' : ''}\n[[mods]]\nmodId="${id}"\nversion="${version}"\ndisplayName="${id}"\ndescription="${description}"\n`;
  return zipOf({ [`META-INF/${loader === 'forge' ? 'mods.toml' : 'neoforge.mods.toml'}`]: toml });
};

/** https://docs.papermc.io/paper/dev/plugin-yml */
export const bukkitPlugin = (plugin: {
  readonly name: string;
  readonly version: string;
  readonly depend?: readonly string[];
}): Promise<Buffer> => {
  const { name, version, depend = [] } = plugin;
  return zipOf({
    'plugin.yml': `name: ${name}\nversion: '${version}'\nmain: example.${name}\napi-version: '1.21'\ndepend: [${depend.join(', ')}]\n`,
  });
};

export interface SevenDaysMod {
  /** Name of its folder, and in its ModInfo.xml. */
  readonly name: string;
  readonly version: string;
  /** V1 is the format of mods for versions before 1.0. */
  readonly format?: 1 | 2;
  /** The folder that it is in, such as that of the mod that it is an optional part of (ChrisDKN/Amethyst-Mod-Manager#284). */
  readonly within?: string;
}

/** https://7daystodie.wiki.gg/wiki/ModInfo */
export const sevenDaysMods = (mods: readonly SevenDaysMod[]): Promise<Buffer> =>
  zipOf(
    Object.fromEntries(
      mods.map(({ name, version, format = 2, within }) => [
        `${within === undefined ? '' : `${within}/`}${name}/ModInfo.xml`,
        format === 2
          ? `<?xml version="1.0" encoding="UTF-8" ?>\n<xml>\n\t<Name value="${name}" />\n\t<DisplayName value="${name}" />\n\t<Version value="${version}" />\n\t<Author value="Someone" />\n</xml>\n`
          : `<?xml version="1.0" encoding="UTF-8" ?>\n<xml>\n\t<ModInfo>\n\t\t<Name value="${name}" />\n\t\t<Version value="${version}" />\n\t\t<Author value="Someone" />\n\t</ModInfo>\n</xml>\n`,
      ]),
    ),
  );

export interface PackFile {
  /** With backslashes where a program on Windows wrote the pack (modrinth/code#595). */
  readonly path: string;
  readonly hashes: { readonly sha1: string; readonly sha512: string };
  readonly downloads: readonly string[];
  readonly fileSize: number;
  readonly env?: {
    readonly client: 'required' | 'optional' | 'unsupported';
    readonly server: 'required' | 'optional' | 'unsupported';
  };
}

/** https://support.modrinth.com/en/articles/8802351-modrinth-modpack-format-mrpack */
export const modrinthPack = (pack: {
  readonly name: string;
  readonly version: string;
  /** Such as `{ minecraft: '1.21.1', 'fabric-loader': '0.16.9' }`. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly files: readonly PackFile[];
  /** Such as `overrides/config/a.toml`. */
  readonly overrides?: Readonly<Record<string, string | Buffer>>;
}): Promise<Buffer> =>
  zipOf({
    'modrinth.index.json': json({
      formatVersion: 1,
      game: 'minecraft',
      versionId: pack.version,
      name: pack.name,
      files: pack.files,
      dependencies: pack.dependencies,
    }),
    ...pack.overrides,
  });
