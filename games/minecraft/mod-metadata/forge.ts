import { parse } from 'smol-toml';
import type { ModMetadata } from '#contracts/agent-mods.ts';
import { listOf, member, metadataOf } from '../../metadata-text.ts';
import { parseLenientJson } from './lenient-json.ts';

const isPlatform = (id: unknown) => ['minecraft', 'forge', 'neoforge', 'java'].includes(id as string);
const isForClient = (dependency: unknown) => String(member(dependency, 'side')).toUpperCase() === 'CLIENT';
const typeOf = (dependency: unknown) => String(member(dependency, 'type') ?? 'required').toLowerCase();

const jarVersionMark = `$\{file.jarVersion}`;

/**
 * `clientSideOnly` and `displayTest` are the mod's own statement
 * (https://docs.minecraftforge.net/en/latest/gettingstarted/modfiles/); older mods express it by requiring the game only on the
 * client.
 */
const sideOf = (file: unknown, mod: unknown, dependencies: readonly unknown[]): ModMetadata['side'] => {
  const test = member(mod, 'displayTest');
  const platform = dependencies.filter((dependency) => isPlatform(member(dependency, 'modId')));
  if (
    member(file, 'clientSideOnly') === true ||
    test === 'IGNORE_ALL_VERSION' ||
    (platform.length > 0 && platform.every(isForClient))
  )
    return 'client';
  return test === 'IGNORE_SERVER_VERSION' ? 'server' : 'both';
};

/** META-INF/mods.toml of Forge, and of NeoForge before 1.20.5; META-INF/neoforge.mods.toml since then. */
export const readForge = (
  text: string,
  loader: 'forge' | 'neoforge',
  jarVersion: string | null,
): (ModMetadata | null)[] => {
  const file: unknown = parse(text);
  return listOf(member(file, 'mods')).map((mod) => {
    const id = member(mod, 'modId');
    const dependencies = listOf(member(member(file, 'dependencies'), String(id)));
    const others = dependencies.filter((one) => !isPlatform(member(one, 'modId')) && !isForClient(one));
    const version = member(mod, 'version');
    return metadataOf({
      id,
      name: member(mod, 'displayName'),
      version: version === jarVersionMark ? jarVersion : version,
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

/** From META-INF/MANIFEST.MF, whose lines continue after a line break and a space. */
export const jarVersionOf = (manifest: string): string | null =>
  /^Implementation-Version:(.*)$/im.exec(manifest.replace(/\r?\n /g, ''))?.[1]?.trim() || null;
