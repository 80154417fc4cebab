import { posix } from 'node:path';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { PlanFault } from '#contracts/mods/mods.ts';
import type {
  FoundMod,
  InspectedMod,
  LeftOutFile,
  ModFile,
  ModItem,
  ModMetadata,
} from '#contracts/servers/agent-mods.ts';
import { modsFor } from '#games/merged-metadata.ts';
import type { ModTarget } from '../sources/mod-source.ts';
import { fileNameOf, lineOf } from '../sources/source-text.ts';
import { acceptedLoaders } from '../sources/target-fit.ts';
import { blocking, said } from './plan-faults.ts';

/** A mod that is a file: uploaded, or at an address that a person typed. */
export interface OwnMod {
  readonly item: ModItem;
  readonly metadata: readonly ModMetadata[];
  /** Paths of its files, as far as known: relative to the server's folder. */
  readonly places: readonly string[];
  /** What people have to know of its archive. */
  readonly notes: readonly PlanFault[];
}

export const folderOf = ({ loader }: Pick<ModTarget, 'loader'>): 'mods' | 'plugins' =>
  loader === 'paper' || loader === 'velocity' ? 'plugins' : 'mods';

const keyPart = (text: string): string => text.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 150);

/**
 * Turns an inspected file into a mod. Its key contains the mod's own loader id, so a newer file of the same mod replaces the
 * older one.
 */
export const ownModOf = (
  source: 'address' | 'upload',
  file: ModFile,
  inspected: Pick<InspectedMod, 'content' | 'sha1'>,
  {
    target,
    byName,
    parts = [],
  }: {
    readonly target: ModTarget;
    readonly byName: string;
    /** Paths of the parts that are to be installed. */
    readonly parts?: readonly string[] | undefined;
  },
): OwnMod | PlanFault => {
  const { content, sha1 } = inspected;
  const told = { mod: file.name, fileName: file.name };
  const refuse = (code: 'NOT_A_MOD' | 'WRONG_GAME', detail: string | null = null): PlanFault =>
    blocking(code, { ...told, detail });

  const item = (form: ModItem['form'], id: string, name: string, versionName: string | null): ModItem => ({
    key: `${source}:${keyPart(id) || sha1}`,
    source,
    project: null,
    version: null,
    name: lineOf(name, 200, file.name),
    versionName: versionName && lineOf(versionName, 100),
    form,
    folder: form === 'file' ? folderOf(target) : null,
    file,
    byName,
  });

  switch (content.is) {
    case 'unknown':
      return refuse('NOT_A_MOD', content.why);
    case 'mods': {
      const [first] = content.mods;
      if (!first) return refuse('NOT_A_MOD');
      if (!target.forms.includes('file')) return refuse('WRONG_GAME');
      const takes = acceptedLoaders(target);
      const loaders = content.mods.flatMap((mod) => mod.loaders);
      if (loaders.length > 0 && !loaders.some((loader) => takes.includes(loader)))
        return refuse('WRONG_GAME', [...new Set(loaders)].join(', '));
      const mods = modsFor(content.mods, target.loader);
      if (mods.every(({ side }) => side === 'client')) return said('CLIENT_ONLY', told);
      const named = /\.jar$/i.test(file.name) ? file : { ...file, name: `${file.name.slice(0, 190)}.jar` };
      const made = { ...item('file', first.id, first.name ?? first.id, first.version), file: named };
      return { item: made, metadata: mods, places: [`${made.folder}/${named.name}`], notes: [] };
    }
    case 'folders': {
      const [first] = content.folders;
      if (!first) return refuse('NOT_A_MOD');
      if (!target.forms.includes('folders')) return refuse('WRONG_GAME');
      const { metadata } = first;
      const names = content.folders.map((folder) => folder.name);
      const offered = (content.parts ?? []).map((part) => ({ ...part, isChosen: parts.includes(part.path) }));
      const chosen = offered.filter(({ isChosen }) => isChosen).map(({ path }) => path);
      return {
        item: {
          ...item('folders', names.toSorted().join('+'), metadata.name ?? first.name, metadata.version),
          ...(chosen.length > 0 && { parts: chosen }),
        },
        metadata: content.folders.map((folder) => folder.metadata),
        places: [...names, ...chosen.map((path) => posix.basename(path))].map((name) => `Mods/${name}`),
        notes: [
          ...leftOutFaults(file.name, content.leftOut),
          ...(offered.length > 0 ? [said('PARTS', { mod: file.name, parts: offered })] : []),
        ],
      };
    }
    case 'pack': {
      if (!target.forms.includes('pack')) return refuse('WRONG_GAME');
      const { loader, gameVersion } = content;
      const isWrongLoader = loader !== null && !packLoaders(target).includes(loader);
      const isWrongVersion =
        gameVersion !== null && target.gameVersion !== null && gameVersion !== target.gameVersion;
      if (isWrongLoader || isWrongVersion)
        return refuse('WRONG_GAME', [loader, gameVersion].filter(Boolean).join(' '));
      return {
        item: item('pack', content.name, content.name, content.version),
        metadata: [],
        places: content.files.map(({ path }) => path),
        notes: leftOutFaults(file.name, content.leftOut),
      };
    }
  }
};

/** On 1.20.1, Forge runs what was made for NeoForge, too (neoforged/NeoForge#3210). */
const packLoaders = (target: ModTarget): readonly string[] =>
  target.loader === 'forge' && target.gameVersion === '1.20.1'
    ? [...acceptedLoaders(target), 'neoforge']
    : acceptedLoaders(target);

const leftOutFaults = (mod: string, leftOut: readonly LeftOutFile[] = []): PlanFault[] => {
  const named = (why: LeftOutFile['why']) =>
    leftOut
      .filter((file) => file.why === why)
      .map(({ path }) => path)
      .join(', ')
      .slice(0, 400);
  const [players, unstorable] = [named('client-only'), named('unstorable')];
  return [
    ...(players === '' ? [] : [reasons['mods-left-out-players'](players)]),
    ...(unstorable === '' ? [] : [reasons['mods-left-out-names'](unstorable)]),
  ].map((detail) => said('LEFT_OUT', { mod, detail }));
};

/** Ids that the loaders themselves provide, Fabric since 0.15 also MixinExtras. https://wiki.fabricmc.net/documentation:fabric_mod_json_spec */
const builtIn: ReadonlySet<string> = new Set([
  'minecraft',
  'java',
  'fabricloader',
  'fabric-loader',
  'quilt_loader',
  'forge',
  'neoforge',
  'mixinextras',
]);

/** What such a mod says it needs or breaks, among the mods that declare their ids the same way. */
export const ownFaults = (
  own: OwnMod,
  others: readonly { readonly name: string; readonly ids: readonly string[] }[],
  /** Mods from a source reveal their ids only once they are downloaded. */
  canTellMissing: boolean,
): PlanFault[] => {
  const carrier = (id: string) => others.find(({ ids }) => ids.includes(id));
  const inside = new Set(own.metadata.flatMap(({ id, provides = [] }) => [id, ...provides]));
  const { name } = own.item;
  const breaks = own.metadata.flatMap((one) => one.breaks).flatMap((id) => carrier(id) ?? []);
  const requires = own.metadata.flatMap((one) => one.requires);
  const missing = requires.filter((id) => !builtIn.has(id) && !inside.has(id) && !carrier(id));
  return [
    ...breaks.map((other) => blocking('CONFLICT', { mod: name, other: other.name })),
    ...(canTellMissing ? missing : []).map((id) => said('DEPENDENCY_GONE', { mod: id, other: name })),
  ];
};

/** A file for an address that a person typed; nothing but the address is known. */
export const fileAtAddress = (url: string): ModFile => {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // An address may contain a literal %.
  }
  return {
    name: fileNameOf(name, 'download.zip'),
    bytes: null,
    hashes: {},
    from: { kind: 'address', url, key: null },
  };
};

/** A file that no source knows and that Castellan takes over where it is. */
export const adoptedOwn = (
  found: FoundMod,
  sha512: string,
  { target, byName }: { readonly target: ModTarget; readonly byName: string },
): ModItem => {
  const name = found.path.split('/').at(-1) ?? found.path;
  return {
    key: `upload:${keyPart(found.metadata?.id ?? '') || sha512.slice(0, 40)}`,
    source: 'upload',
    project: null,
    version: null,
    name: lineOf(found.metadata?.name ?? name, 200, name),
    versionName: found.metadata?.version ? lineOf(found.metadata.version, 100) : null,
    form: 'file',
    folder: folderOf(target),
    file: null,
    byName,
  };
};
