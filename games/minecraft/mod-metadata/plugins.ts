import { parse } from 'yaml';
import type { ModMetadata } from '#contracts/agent-mods.ts';
import { keysOf, listOf, member, metadataOf } from '../../metadata-text.ts';
import { parseLenientJson } from './lenient-json.ts';

/** All values as text: `version: 1.10` is not 1.1. Few aliases, so that none multiply. */
const parseYaml = (text: string): unknown =>
  parse(text, {
    schema: 'failsafe',
    maxAliasCount: 20,
    uniqueKeys: false,
    strict: false,
    logLevel: 'silent',
  });

/** plugin.yml: https://docs.papermc.io/paper/dev/plugin-yml/ */
export const readBukkit = (text: string): (ModMetadata | null)[] => {
  const plugin = parseYaml(text);
  return [
    metadataOf({
      id: member(plugin, 'name'),
      name: member(plugin, 'name'),
      version: member(plugin, 'version'),
      authors: [...listOf(member(plugin, 'author')), ...listOf(member(plugin, 'authors'))],
      loaders: ['paper'],
      side: 'server',
      requires: listOf(member(plugin, 'depend')),
      breaks: [],
    }),
  ];
};

/** paper-plugin.yml: https://docs.papermc.io/paper/dev/getting-started/paper-plugins/ */
export const readPaper = (text: string): (ModMetadata | null)[] => {
  const plugin = parseYaml(text);
  const dependencies = member(member(plugin, 'dependencies'), 'server');
  return [
    metadataOf({
      id: member(plugin, 'name'),
      name: member(plugin, 'name'),
      version: member(plugin, 'version'),
      authors: [...listOf(member(plugin, 'author')), ...listOf(member(plugin, 'authors'))],
      loaders: ['paper'],
      side: 'server',
      requires: keysOf(dependencies).filter(
        (name) => member(member(dependencies, name), 'required') !== 'false',
      ),
      breaks: [],
    }),
  ];
};

/** bungee.yml: of BungeeCord, which is none of the loaders here. */
export const readBungee = (text: string): (ModMetadata | null)[] => {
  const plugin = parseYaml(text);
  return [
    metadataOf({
      id: member(plugin, 'name'),
      name: member(plugin, 'name'),
      version: member(plugin, 'version'),
      authors: listOf(member(plugin, 'author')),
      loaders: [],
      side: 'server',
      requires: listOf(member(plugin, 'depends')),
      breaks: [],
    }),
  ];
};

/** velocity-plugin.json: https://docs.papermc.io/velocity/dev/creating-your-first-plugin/ */
export const readVelocity = (text: string): (ModMetadata | null)[] => {
  const plugin = parseLenientJson(text);
  return [
    metadataOf({
      id: member(plugin, 'id'),
      name: member(plugin, 'name'),
      version: member(plugin, 'version'),
      authors: listOf(member(plugin, 'authors')),
      loaders: ['velocity'],
      side: 'server',
      requires: listOf(member(plugin, 'dependencies'))
        .filter((one) => member(one, 'optional') !== true)
        .map((one) => member(one, 'id')),
      breaks: [],
    }),
  ];
};
