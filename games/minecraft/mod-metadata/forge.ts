import type { ModMetadata } from '#contracts/agent-mods.ts';
import { listOf, member, metadataOf } from '../../metadata-text.ts';
import { parseForgeToml } from './forge-toml.ts';
import { parseLenientJson } from './lenient-json.ts';

const isPlatform = (id: unknown) => ['minecraft', 'forge', 'neoforge', 'java'].includes(id as string);
const isForClient = (dependency: unknown) => String(member(dependency, 'side')).toUpperCase() === 'CLIENT';
const typeOf = (dependency: unknown) => String(member(dependency, 'type') ?? 'required').toLowerCase();

const jarVersionMark = `$\{file.jarVersion}`;
/** What a build tool was to fill in. */
const unfilled = /^\$\{.*\}$/;
const versionOf = (version: unknown, jarVersion: string | null): unknown => {
  if (version === jarVersionMark) return jarVersion;
  return typeof version === 'string' && unfilled.test(version) ? null : version;
};

/**
 * `clientSideOnly` is the mod's own statement (MinecraftForge, pull request 9804); older mods express it by requiring the game only on
 * the client. `displayTest` says nothing of where a mod can load, according to its author (MinecraftForge, pull request 8656): with
 * `IGNORE_ALL_VERSION` it may be missing at either end.
 */
const sideOf = (file: unknown, mod: unknown, dependencies: readonly unknown[]): ModMetadata['side'] => {
  const test = member(mod, 'displayTest');
  const platform = dependencies.filter((dependency) => isPlatform(member(dependency, 'modId')));
  if (
    member(file, 'clientSideOnly') === true ||
    member(mod, 'clientSideOnly') === true ||
    (platform.length > 0 && platform.every(isForClient))
  )
    return 'client';
  if (test === 'IGNORE_ALL_VERSION') return null;
  return test === 'IGNORE_SERVER_VERSION' ? 'server' : 'both';
};

/** META-INF/mods.toml of Forge, and of NeoForge before 1.20.5; META-INF/neoforge.mods.toml since then. */
export const readForge = (
  text: string,
  loader: 'forge' | 'neoforge',
  jarVersion: string | null,
): (ModMetadata | null)[] => {
  const file = parseForgeToml(text);
  return listOf(member(file, 'mods')).map((mod) => {
    const id = member(mod, 'modId');
    const dependencies = listOf(member(member(file, 'dependencies'), String(id)));
    const others = dependencies.filter((one) => !isPlatform(member(one, 'modId')) && !isForClient(one));
    const version = member(mod, 'version');
    return metadataOf({
      id,
      name: member(mod, 'displayName'),
      version: versionOf(version, jarVersion),
      authors: listOf(member(mod, 'authors') ?? member(file, 'authors')),
      loaders: dependencies.some((one) => member(one, 'modId') === 'neoforge') ? ['neoforge'] : [loader],
      side: sideOf(file, mod, dependencies),
      requires: others
        .filter((one) => member(one, 'mandatory') !== false && typeOf(one) === 'required')
        .map((one) => member(one, 'modId')),
      breaks: others.filter((one) => typeOf(one) === 'incompatible').map((one) => member(one, 'modId')),
    });
  });
};

/** mcmod.info of Forge up to 1.12. */
export const readOldForge = (text: string): (ModMetadata | null)[] => {
  const file = parseLenientJson(text);
  return listOf(member(file, 'modList') ?? file).map((mod) =>
    metadataOf({
      id: member(mod, 'modid'),
      name: member(mod, 'name'),
      version: member(mod, 'version'),
      authors: listOf(member(mod, 'authorList') ?? member(mod, 'authors')),
      loaders: ['forge'],
      side: null,
      requires: [],
      breaks: [],
    }),
  );
};

/** The main section of META-INF/MANIFEST.MF, whose lines continue after a line break and a space; a signed jar lists all its files behind it. */
const mainSection = (manifest: string): string =>
  (manifest.split(/\r?\n\r?\n|\r\r/, 1)[0] ?? '').replace(/\r?\n /g, '');

const attributeOf = (manifest: string, name: string): string | null =>
  new RegExp(`^${name}:(.*)$`, 'im').exec(mainSection(manifest))?.[1]?.trim() || null;

export const jarVersionOf = (manifest: string): string | null =>
  attributeOf(manifest, 'Implementation-Version');

/**
 * A jar that Forge or NeoForge loads without a mods.toml: by its `FMLModType` (a language or a library, such as Kotlin for Forge), or up
 * to 1.12 by its `FMLCorePlugin`.
 */
export const readFmlManifest = (manifest: string): (ModMetadata | null)[] => {
  const isOld = attributeOf(manifest, 'FMLCorePlugin') !== null;
  if (!isOld && attributeOf(manifest, 'FMLModType') === null) return [];
  const name = attributeOf(manifest, 'Implementation-Title') ?? attributeOf(manifest, 'Specification-Title');
  return [
    metadataOf({
      id: attributeOf(manifest, 'Automatic-Module-Name') ?? name,
      name,
      version: jarVersionOf(manifest),
      authors: [],
      loaders: isOld ? ['forge'] : ['forge', 'neoforge'],
      side: null,
      requires: [],
      breaks: [],
    }),
  ];
};
