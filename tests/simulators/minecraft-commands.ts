import { give, here, select } from './minecraft-give.ts';
import type { World } from './world.ts';

export interface MinecraftConsole {
  readonly world: World;
  readonly mostPlayers: number;
  /** What a server with name plug-ins makes of a name. */
  readonly decorate: (name: string) => string;
  readonly log: (message: string) => void;
}

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

const tell: Command = ({ world, decorate }, [, target = ''], line) => {
  const [player] = select(world, target);
  if (!player) return nobody;
  const text = rest(line, 2);
  world.messages.push({ to: player.name, text });
  return `You whisper to ${decorate(player.name)}: ${text}`;
};

const kick: Command = ({ world, decorate }, [, target = ''], line) => {
  const players = select(world, target);
  const reason = rest(line, 2) || 'Kicked by an operator';
  for (const { name } of players) world.leave(name, reason);
  return players.map(({ name }) => `Kicked ${decorate(name)}: ${reason}`).join('\n') || nobody;
};

const ban: Command = ({ world }, [, target = ''], line) => {
  if (target.startsWith('@'))
    return select(world, target).length === 0 ? nobody : 'Only one player is allowed';
  const name = world.named(target)?.name ?? target;
  if (world.bans.has(name)) return 'Nothing changed. The player is already banned';
  const reason = rest(line, 2) || 'Banned by an operator.';
  world.bans.set(name, reason);
  if (world.named(name)) world.leave(name, 'You are banned from this server');
  return `Banned ${name}: ${reason}`;
};

const pardon: Command = ({ world }, [, name = '']) =>
  world.bans.delete(name) ? `Unbanned ${name}` : "Nothing changed. The player isn't banned";

const whitelist: Command = ({ world }, [, what, name = ''], line) => {
  if (what === 'list')
    return world.whitelist.size === 0
      ? 'There are no whitelisted players'
      : `There are ${world.whitelist.size} whitelisted player(s): ${[...world.whitelist].join(', ')}`;
  if (what === 'add' && name) {
    if (world.whitelist.has(name)) return 'Player is already whitelisted';
    world.whitelist.add(name);
    return `Added ${name} to the whitelist`;
  }
  if (what === 'remove' && name)
    return world.whitelist.delete(name) ? `Removed ${name} from the whitelist` : 'Player is not whitelisted';
  return here('Incorrect argument for command', line, 'whitelist '.length);
};

const saveAll: Command = ({ world }) => {
  world.saves += 1;
  return 'Saving the game (this may take a moment!)\nSaved the game';
};

const help: Command = () => [...commands.keys()].map((name) => `/${name}`).join('\n');

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['ban', ban],
  ['give', ({ world, decorate }, _, line) => give(world, decorate, line)],
  ['help', help],
  ['kick', kick],
  ['list', list],
  ['msg', tell],
  ['pardon', pardon],
  ['save-all', saveAll],
  ['say', say],
  ['tell', tell],
  ['w', tell],
  ['whitelist', whitelist],
]);

const successes = /^(?:Gave|Kicked|Banned|Unbanned|Added|Removed|Saving|Saved) /;

/** The reply to a console command; null when there is none of that name. */
export const runMinecraftCommand = (console: MinecraftConsole, typed: string): string | null => {
  const line = typed.replace(/^\//, '').trim();
  const words = line.split(/\s+/);
  const reply = commands.get(words[0] ?? '')?.(console, words, line) ?? null;
  // What changed something is told to the operators, and so to the log.
  for (const message of reply?.split('\n') ?? [])
    if (successes.test(message)) console.log(`[Rcon: ${message}]`);
  return reply;
};

export const unknownMinecraftCommand = (typed: string): string =>
  here('Unknown or incomplete command, see below for error', typed, typed.length);
