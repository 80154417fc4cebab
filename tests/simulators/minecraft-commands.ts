import { type ExecuteConsole, parseCommand } from './minecraft-execute.ts';
import { here, type Outcome, type Parsed, select, unknownCommand } from './minecraft-give.ts';
import type { Level } from './minecraft-level.ts';
import type { World } from './world.ts';

export interface MinecraftConsole {
  readonly world: World;
  readonly level: Level;
  readonly version: MinecraftVersion;
  readonly plugins: MinecraftPlugins;
  readonly tellsForks: boolean;
  /** Players who have switched private messages off, which only EssentialsX offers. */
  readonly deafPlayers: ReadonlySet<string>;
  /** The sender of such a message is not notified. */
  readonly swallowsMessages: boolean;
  readonly mostPlayers: number;
  /** A name as a server with name plug-ins shows it. */
  readonly decorate: (name: string) => string;
  readonly log: (message: string) => void;
}

/** Versions that tests need to distinguish. */
export type MinecraftVersion = '1.14' | '1.21' | '26.1';
/**
 * - `none`: the plain game, which does not know names such as `minecraft:give`
 * - `reached`: Paper since 1.20.6 with EssentialsX, where `execute … run` also finds EssentialsX's `give` and `time`
 *   (PaperMC/Paper#10995)
 * - `apart`: older Paper, where `execute … run` finds the game's own commands, only by their short names
 */
export type MinecraftPlugins = 'none' | 'reached' | 'apart';

type Command = (console: MinecraftConsole, words: readonly string[], line: string) => string;

const nobody = 'No player was found';
const rest = (line: string, words: number) => line.split(/\s+/).slice(words).join(' ');

const list: Command = ({ world, decorate, mostPlayers }, [, how]) => {
  const names = world.players.map(({ name, platformId }) =>
    how === 'uuids' ? `${name} (${platformId})` : decorate(name),
  );
  return `There are ${names.length} of a max of ${mostPlayers} players online: ${names.join(', ')}`;
};

const say: Command = ({ world, log }, _, line) => {
  const text = rest(line, 1);
  world.messages.push({ to: null, text });
  log(`[Rcon] ${text}`);
  return '';
};

const tell: Command = ({ world, decorate, deafPlayers, swallowsMessages }, [, target = ''], line) => {
  const [player] = select(world, target);
  if (!player) return nobody;
  const text = rest(line, 2);
  const isDeaf = deafPlayers.has(player.name);
  // `msgIgnore` of EssentialsX.
  if (isDeaf && !swallowsMessages) return `${decorate(player.name)} has messages disabled.`;
  if (!isDeaf) world.messages.push({ to: player.name, text });
  return `You whisper to ${decorate(player.name)}: ${text}`;
};

const kick: Command = ({ world, decorate }, [, target = ''], line) => {
  const players = select(world, target);
  const reason = rest(line, 2) || 'Kicked by an operator';
  for (const { name } of players) world.leave(name, reason);
  return players.map(({ name }) => `Kicked ${decorate(name)}: ${reason}`).join('\n') || nobody;
};

/**
 * Who is no player of Java is not found at Mojang, only in the server's memory of some days (GeyserMC/Floodgate#168,
 * GeyserMC/Geyser#4400): here, while they are there.
 */
const isForgotten = (world: World, name: string): boolean => /^[^\w@]/.test(name) && !world.named(name);
const noProfile = 'That player does not exist';

const ban: Command = ({ world }, [, target = ''], line) => {
  if (target.startsWith('@'))
    return select(world, target).length === 0 ? nobody : 'Only one player is allowed';
  if (isForgotten(world, target)) return noProfile;
  const name = world.named(target)?.name ?? target;
  if (world.bans.has(name)) return 'Nothing changed. The player is already banned';
  const reason = rest(line, 2) || 'Banned by an operator.';
  world.bans.set(name, reason);
  if (world.named(name)) world.leave(name, 'You are banned from this server');
  return `Banned ${name}: ${reason}`;
};

const pardon: Command = ({ world }, [, name = '']) => {
  if (isForgotten(world, name)) return noProfile;
  return world.bans.delete(name) ? `Unbanned ${name}` : "Nothing changed. The player isn't banned";
};

const whitelist: Command = ({ world }, [, what, name = ''], line) => {
  if (what === 'list')
    return world.whitelist.size === 0
      ? 'There are no whitelisted players'
      : `There are ${world.whitelist.size} whitelisted player(s): ${[...world.whitelist].join(', ')}`;
  if ((what === 'add' || what === 'remove') && isForgotten(world, name)) return noProfile;
  if (what === 'add' && name) {
    if (world.whitelist.has(name)) return 'Player is already whitelisted';
    world.whitelist.add(name);
    return `Added ${name} to the whitelist`;
  }
  if (what === 'remove' && name)
    return world.whitelist.delete(name) ? `Removed ${name} from the whitelist` : 'Player is not whitelisted';
  return here('Incorrect argument for command', line, 'whitelist '.length);
};

const saveAll: Command = ({ world, level }) => {
  world.saves += 1;
  level.save();
  return 'Saving the game (this may take a moment!)\nSaved the game';
};

/** `commands.save.disabled` and `.alreadyOff`. */
const saveOff: Command = ({ level }) => {
  if (!level.autosaves) return 'Saving is already turned off';
  level.autosaves = false;
  return 'Automatic saving is now disabled';
};
const saveOn: Command = ({ level }) => {
  if (level.autosaves) return 'Saving is already turned on';
  level.autosaves = true;
  return 'Automatic saving is now enabled';
};

/** `commands.time.query`; `commands.time.query.gametime` since 26.1. */
const timeQuery: Command = ({ level, version }, [, verb, what], line) => {
  if (verb !== 'query' || what !== 'gametime') return here('Incorrect argument for command', line, 5);
  return version === '26.1' ? `The game time is ${level.gameTime} tick(s)` : `The time is ${level.gameTime}`;
};

/** EssentialsX's commands, with texts from its messages_en.properties (`giveSpawn`, `playerNotFound`, `timeWorldCurrent`). */
const pluginCommands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'give',
    ({ world, level }, [, target = '', wanted = '', amount = '1']) => {
      const player = world.named(target);
      if (!player) return 'Error: Player not found.';
      const item = `minecraft:${wanted.replace('minecraft:', '')}`;
      if (!world.items.has(item)) return `Error: Unknown item name: ${wanted}.`;
      level.receive({ player: player.name, item, quantity: Number(amount), quality: null });
      return `Giving ${amount} of ${wanted.replace('minecraft:', '').replaceAll('_', ' ')} to ${player.name}.`;
    },
  ],
  ['time', () => 'The current time in world is 07:00 or 7:00 AM or 1000 ticks.'],
]);

const help: Command = () =>
  [...commands.keys(), 'data', 'execute', 'give'].map((name) => `/${name}`).join('\n');

const stop: Command = ({ world, level, log }) => {
  log('Stopping the server');
  level.save();
  world.onShutdown();
  return 'Stopping the server';
};

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['ban', ban],
  ['help', help],
  ['kick', kick],
  ['list', list],
  ['msg', tell],
  ['pardon', pardon],
  ['save-all', saveAll],
  ['save-off', saveOff],
  ['save-on', saveOn],
  ['say', say],
  ['stop', stop],
  ['tell', tell],
  ['time', timeQuery],
  ['w', tell],
  ['whitelist', whitelist],
]);

const successes = /^(?:Gave|Kicked|Banned|Unbanned|Added|Removed|Saving|Saved) /;

/** Commands that are split into words only; their answers are not errors. */
const parseWords =
  (console: MinecraftConsole) =>
  (line: string, start: number): Parsed | null => {
    const isInside = start > 0;
    const text = line.slice(start);
    const [, namespace = '', name = ''] = /^(minecraft:)?([a-z-]+)/.exec(text) ?? [];
    const { plugins } = console;
    if (namespace !== '' && (plugins === 'none' || (plugins === 'apart' && isInside)))
      return { fault: here(unknownCommand, line, start) };
    const findsPlugins = plugins === 'reached' || (plugins === 'apart' && !isInside);
    const own = namespace === '' && findsPlugins ? pluginCommands.get(name) : undefined;
    const command = own ?? commands.get(name);
    if (!command) return null;
    const rest = text.slice(namespace.length);
    const run = (): Outcome => ({
      text: command(console, rest.split(/\s+/), rest),
      success: true,
      result: 1,
    });
    return { run };
  };

/** The reply to a console command; null for an unknown command. */
export const runMinecraftCommand = (console: MinecraftConsole, typed: string): string | null => {
  const line = typed.replace(/^\//, '').trim();
  const name = (/^(?:minecraft:)?([a-z-]+)(?= |$)/.exec(line) ?? [])[1] ?? '';
  if (!commands.has(name) && !['data', 'execute', 'give'].includes(name)) return null;
  const { world, level, decorate, version, tellsForks } = console;
  const grammar: ExecuteConsole = {
    world,
    level,
    decorate,
    hasStorage: version !== '1.14',
    tellsForks,
    parseOther: parseWords(console),
  };
  const parsed = parseCommand(grammar, line, 0);
  const reply = 'fault' in parsed ? parsed.fault : parsed.run({ player: null }).text;
  // Changes are announced to the operators, and so to the log.
  for (const message of reply.split('\n')) if (successes.test(message)) console.log(`[Rcon: ${message}]`);
  return reply;
};

export const unknownMinecraftCommand = (typed: string): string => here(unknownCommand, typed, typed.length);
