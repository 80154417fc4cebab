import type { ModMetadata } from '#contracts/agent-mods.ts';
import { keysOf, listOf, member, metadataOf } from '../../metadata-text.ts';
import { parseLenientJson } from './lenient-json.ts';

const sides = { client: 'client', server: 'server', dedicated_server: 'server' } as const;
const sideOf = (environment: unknown): ModMetadata['side'] =>
  sides[environment as keyof typeof sides] ?? 'both';

/** Ids of the game and its loader themselves. */
const isPlatform = (id: unknown) =>
  ['minecraft', 'java', 'fabricloader', 'fabric-loader', 'quilt_loader'].includes(id as string);

/** fabric.mod.json: https://wiki.fabricmc.net/documentation:fabric_mod_json_spec; some files contain several. */
export const readFabric = (text: string): (ModMetadata | null)[] =>
  listOf(parseLenientJson(text)).map((mod) =>
    metadataOf({
      id: member(mod, 'id'),
      name: member(mod, 'name'),
      version: member(mod, 'version'),
      authors: listOf(member(mod, 'authors')).map((author) => member(author, 'name') ?? author),
      loaders: ['fabric', 'quilt'],
      side: sideOf(member(mod, 'environment')),
      requires: keysOf(member(mod, 'depends')).filter((id) => !isPlatform(id)),
      breaks: keysOf(member(mod, 'breaks')).filter((id) => !isPlatform(id)),
    }),
  );

/** `"id"`, `"group:id"` or an object with it. */
const quiltIds = (value: unknown) =>
  listOf(value)
    .filter((one) => member(one, 'optional') !== true)
    .map((one) => member(one, 'id') ?? one)
    .filter((id) => typeof id === 'string')
    .map((id) => id.slice(id.lastIndexOf(':') + 1))
    .filter((id) => !isPlatform(id));

/** quilt.mod.json: https://github.com/QuiltMC/rfcs/blob/main/specification/0002-quilt.mod.json.md */
export const readQuilt = (text: string): (ModMetadata | null)[] => {
  const mod = parseLenientJson(text);
  const loader = member(mod, 'quilt_loader');
  const metadata = member(loader, 'metadata');
  return [
    metadataOf({
      id: member(loader, 'id'),
      name: member(metadata, 'name'),
      version: member(loader, 'version'),
      authors: keysOf(member(metadata, 'contributors')),
      loaders: ['quilt'],
      side: sideOf(member(member(mod, 'minecraft'), 'environment')),
      requires: quiltIds(member(loader, 'depends')),
      breaks: quiltIds(member(loader, 'breaks')),
    }),
  ];
};
