import type { ModMetadata } from '#contracts/servers/agent-mods.ts';
import { listOf, member, metadataOf } from '../../metadata-text.ts';
import { parseForgeToml } from './forge-toml.ts';
import { parseLenientJson } from './lenient-json.ts';

const isPlatform = (id: unknown) => ['minecraft', 'forge', 'neoforge', 'java'].includes(id as string);
const isForClient = (dependency: unknown) => String(member(dependency, 'side')).toUpperCase() === 'CLIENT';
const typeOf = (dependency: unknown) => String(member(dependency, 'type') ?? 'required').toLowerCase();

const jarVersionMark = `$\{file.jarVersion}`;
const versionOf = (version: unknown, jarVersion: string | null): unknown =>
  typeof version === 'string' && jarVersion !== null
    ? version.replaceAll(jarVersionMark, () => jarVersion)
    : version;

/** Any version; others are left to the loader, which knows both. */
const isAnyVersion = (range: unknown): boolean =>
  range === undefined || ['', '*', '[0,)', '(,)'].includes(String(range).replaceAll(' ', ''));

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
      breaks: others
        .filter((one) => typeOf(one) === 'incompatible' && isAnyVersion(member(one, 'versionRange')))
        .map((one) => member(one, 'modId')),
    });
  });
};

/** A text that is no JSON, as far as it tells which mods these are: Forge says so and loads them (yorkeJohn/Tainted-Magic#18). */
const brokenMods = (text: string): unknown[] =>
  text
    .split(/(?=['"]?\bmodid['"]?\s*:)/i)
    .slice(1, 20)
    .map((part) => {
      const told = (key: string) =>
        new RegExp(`^['"]?${key}['"]?\\s*:\\s*['"]([^'"\\r\\n,]{1,100})`, 'im').exec(
          part.replaceAll(/[{,]\s*/g, '\n'),
        )?.[1];
      return { modid: told('modid'), name: told('name'), version: told('version') };
    });

const oldMods = (text: string): readonly unknown[] => {
  try {
    const file = parseLenientJson(text);
    const mods = listOf(member(file, 'modList') ?? file);
    if (mods.some((mod) => member(mod, 'modid') !== undefined)) return mods;
  } catch {
    // Read as broken below.
  }
  return brokenMods(text);
};

/** mcmod.info of Forge up to 1.12. */
export const readOldForge = (text: string): (ModMetadata | null)[] =>
  oldMods(text).map((mod) =>
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
