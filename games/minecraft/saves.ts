import { parse } from 'yaml';
import { type Proof, type Refusal, readReply } from '../reply-reading.ts';
import type { GameSaves, ServerFolder } from '../saves-layout.ts';
import { findWorlds } from './find-worlds.ts';
import { syntaxRefusals } from './refusals.ts';
import { minecraftSetting } from './settings-file.ts';
import { save } from './speech.ts';

/** `commands.save.disabled` and `.alreadyOff` of the game's language file, since 1.13 and before; a server answers in English. */
const isOff: Proof = {
  sign: /Automatic saving is now disabled|Turned off world auto-saving/g,
  proves: (line) => /^(?:Automatic saving is now disabled|Turned off world auto-saving)\.?$/.test(line),
  reason: 'The game says that it stopped saving.',
};
const wasOff: Refusal = {
  sign: /Saving is already turned off/,
  verdict: 'later',
  reason: 'The game says that it had stopped saving before.',
};
const states = { done: 'paused', later: 'already', failed: 'saving', unproven: 'unproven' } as const;

export const minecraftSaves: GameSaves = {
  async find(server, args) {
    const settings = await server.read('server.properties');
    const told = (settings && minecraftSetting(settings, 'level-name'))?.trim() || 'world';
    const container = optionOf(args, universeOptions) ?? (await bukkitContainer(server)) ?? '.';
    const name = optionOf(args, worldOptions) ?? told;
    return findWorlds(server, container.replace(/(?<=.)[\\/]+$/, ''), name);
  },
  // The running game locks it, and creates it again (minecraft.wiki/w/Java_Edition_level_format).
  passing: ['session.lock'],
  // `flush` waits until the chunks are written (minecraft.wiki/w/Commands/save).
  pause: {
    stop: 'save-off',
    save: 'save-all flush',
    resume: 'save-on',
    readStop(reply) {
      const { verdict, reason } = readReply(reply, {
        proofs: [isOff],
        refusals: [wasOff, ...syntaxRefusals],
      });
      return { state: states[verdict], reason };
    },
    readSave: (reply) => save.read(reply, {}),
  },
};

/** Options of the game itself, and Bukkit's aliases for them (net.minecraft.server.Main, org.bukkit.craftbukkit.Main). */
const universeOptions = ['--universe', '--world-container', '--world-dir', '-W'];
const worldOptions = ['--world', '--level-name', '-w'];

/** `--name value` or `--name=value`; the last one counts. */
const optionOf = (args: readonly string[], names: readonly string[]): string | null =>
  args
    .flatMap((arg, index) => {
      const name = names.find((one) => arg === one || arg.startsWith(`${one}=`));
      if (name === undefined) return [];
      return (arg === name ? args[index + 1] : arg.slice(name.length + 1)) || [];
    })
    .at(-1) ?? null;

/** Only Bukkit's servers have this file (bukkit.fandom.com/wiki/Bukkit.yml). */
const bukkitContainer = async (server: ServerFolder): Promise<string | null> => {
  const text = await server.read('bukkit.yml');
  const read = text && (parse(text.toString()) as { settings?: { 'world-container'?: unknown } } | null);
  const container = read?.settings?.['world-container'];
  return typeof container === 'string' && container.trim() !== '' ? container.trim() : null;
};
