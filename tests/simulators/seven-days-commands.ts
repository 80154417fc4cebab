import { quotedArguments } from './quoted-arguments.ts';
import { bestQuality } from './seven-days-items.ts';
import type { Player, World } from './world.ts';

export interface SevenDaysConsole {
  readonly world: World;
  readonly listing: 'current' | 'old';
  /** Whether the stock mod with `pm` is installed. */
  readonly hasPrivateMessages: boolean;
  readonly now: () => Date;
  readonly log: (level: 'INF' | 'ERR', message: string) => void;
}

/** A command returns its lines of output. */
type Command = (console: SevenDaysConsole, parameters: readonly string[]) => readonly string[];

const wrongCount = (expected: string, found: number) => [
  `Wrong number of arguments, expected ${expected}, found ${found}.`,
];
const notFound = (target: string) => [`"${target}" is not a valid entity id, player name or user id.`];
const isUserId = (text: string) => /^[A-Za-z]+_\w+$/.test(text);

const findPlayer = (world: World, target: string): Player | undefined =>
  world.named(target) ??
  world.players.find(({ numericId, platformId, crossId }) =>
    [String(numericId), platformId, crossId].includes(target),
  );

const listPlayers: Command = ({ world, listing }) => [
  ...world.players.map(({ numericId, name, platformId, crossId }, index) => {
    const ids =
      listing === 'old'
        ? `steamid=${platformId.replace('Steam_', '')}`
        : `pltfmid=${platformId}, crossid=${crossId}`;
    return `${index}. id=${numericId}, ${name}, pos=(-120.5, 61.1, 845.2), rot=(-8.4, 90.0, 0.0), remote=True, health=92, deaths=0, zombies=4, players=0, score=0, level=1, ${ids}, ip=127.0.0.1, ping=0`;
  }),
  `Total of ${world.players.length} in the game`,
];

const give: Command = ({ world }, parameters) => {
  const [target = '', wanted = '', amount = '', grade] = parameters;
  if (parameters.length !== 3 && parameters.length !== 4) return wrongCount('3 or 4', parameters.length);
  const player = findPlayer(world, target);
  if (!player) return ['Playername or entity id not found.'];
  const item = [...world.items].find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (!item) return ['Item not found.'];
  if (!/^\d{1,9}$/.test(amount) || Number(amount) === 0)
    return ['Amount is not an integer or not greater than zero.'];
  if (grade !== undefined && !(/^\d$/.test(grade) && Number(grade) <= bestQuality))
    return ['Quality is not an integer or not greater than zero.'];
  const quality = grade === undefined ? null : Number(grade);
  world.give({ player: player.name, item, quantity: Number(amount), quality });
  return ['Dropped item'];
};

const say: Command = ({ world, log }, parameters) => {
  const [text] = parameters;
  if (text === undefined) return wrongCount('at least 1', 0);
  world.messages.push({ to: null, text });
  log('INF', `Chat (from '-non-player-', entity id '-1', to 'Global'): 'Server': ${text}`);
  return [];
};

const tell: Command = ({ world }, [target, text]) => {
  if (target === undefined || text === undefined) return ['Usage: sayplayer <playername|entityid> <message>'];
  const player = findPlayer(world, target);
  if (!player) return ['Playername or entity ID not found.'];
  world.messages.push({ to: player.name, text });
  return [`Message to player "${player.name}" sent with sender "Server"`];
};

const kick: Command = ({ world }, [target, reason = '']) => {
  if (target === undefined) return wrongCount('at least 1', 0);
  const player = findPlayer(world, target);
  if (!player) return notFound(target);
  world.leave(player.name, reason);
  return [`Kicking Player ${player.name}: ${reason}`];
};

const dayMs = 86_400_000;

const unitDays = (unit: string): number | undefined => {
  if (/^(?:min|minutes?)$/i.test(unit)) return 1 / 1440;
  if (/^(?:h|hours?)$/i.test(unit)) return 1 / 24;
  if (/^(?:d|days?)$/i.test(unit)) return 1;
  if (/^(?:w|weeks?)$/i.test(unit)) return 7;
  if (/^months?$/i.test(unit)) return 30;
  return /^(?:y|yr|years?)$/i.test(unit) ? 365 : undefined;
};

const ban: Command = (console, parameters) => {
  const { world, now, log } = console;
  const [what = '', target = '', duration = '', unit = '', reason = ''] = parameters;
  if (what === 'list')
    return [
      'Ban list entries:',
      '  Banned until - UserID (name) - Reason',
      ...[...world.bans].map(([id, why]) => `  2050-01-01 00:00:00 - ${id} (-unknown-) - ${why}`),
    ];
  if (what === 'add') {
    if (parameters.length < 4) return wrongCount('at least 4', parameters.length);
    const player = findPlayer(world, target);
    const id = player?.crossId ?? target;
    if (!isUserId(id)) return notFound(target);
    if (!/^-?\d{1,5}$/.test(duration)) return [`"${duration}" is not a valid integer.`];
    const days = unitDays(unit);
    if (days === undefined) return [`"${unit}" is not an allowed duration unit.`];
    if (player) world.leave(player.name, reason);
    world.bans.set(id, reason);
    const until = new Date(now().getTime() + Number(duration) * days * dayMs)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ');
    return [`${id} banned until ${until}, reason: ${reason}.`];
  }
  if (what !== 'remove') return [what ? `Invalid sub command "${what}".` : 'No sub command given.'];
  if (parameters.length !== 2) return wrongCount('2', parameters.length);
  if (!isUserId(target)) {
    // The game logs such an error with its stack trace, whose lines have no time stamps.
    log('ERR', `Missing separator '_' in string: ${target}\nFrom: ConsoleCmdBan:ExecuteRemove ()\n`);
    return [`"${target}" is not a valid user id.`];
  }
  world.bans.delete(target);
  return [`${target} removed from ban list.`];
};

const whitelist: Command = ({ world }, parameters) => {
  const [what = '', target = ''] = parameters;
  const before = world.whitelist.size;
  const modeChanged = () => {
    if (before > 0 === world.whitelist.size > 0) return [];
    return [`Whitelist only mode has been ${before > 0 ? 'DISABLED' : 'ACTIVATED'}!`];
  };
  if (what === 'list')
    return before === 0
      ? ['No users or groups on whitelist, whitelist only mode not enabled.']
      : [
          'Whitelisted users:',
          ...[...world.whitelist].map((id) => `  ${id} (stored name: )`),
          'Whitelisted groups:',
          'Whitelist only mode active.',
        ];
  if (what !== 'add' && what !== 'remove')
    return [what ? `Invalid sub command "${what}".` : 'No sub command given.'];
  if (parameters.length < 2) return wrongCount(what === 'add' ? '2 or 3' : '2', parameters.length);
  const id = findPlayer(world, target)?.crossId ?? target;
  if (!isUserId(id)) return notFound(target);
  if (what === 'add') {
    world.whitelist.add(id);
    return [`${id} added to whitelist.`, ...modeChanged()];
  }
  return [
    `${id} ${world.whitelist.delete(id) ? 'removed from' : 'was not on'} the whitelist.`,
    ...modeChanged(),
  ];
};

const saveWorld: Command = ({ world }) => {
  world.saves += 1;
  return ['World saved'];
};

const shutdown: Command = ({ world }) => {
  world.onShutdown();
  return ['Shutting server down...'];
};

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['ban', ban],
  ['give', give],
  ['help', () => ['*** Generic Console Help ***', ...[...commands.keys()].map((name) => ` ${name}`)]],
  ['kick', kick],
  ['listplayers', listPlayers],
  ['lp', listPlayers],
  ['pm', tell],
  ['sa', saveWorld],
  ['say', say],
  ['sayplayer', tell],
  ['saveworld', saveWorld],
  ['shutdown', shutdown],
  ['version', () => ['Game version: V 2.4 (b7) Compatibility Version: V 2.4']],
  ['whitelist', whitelist],
]);

/** The reply's lines, joined; null for an unknown command. */
export const runSevenDaysCommand = (console: SevenDaysConsole, typed: string): string | null => {
  const [name = '', ...parameters] = quotedArguments(typed);
  if (name.toLowerCase() === 'pm' && !console.hasPrivateMessages) return null;
  return commands.get(name.toLowerCase())?.(console, parameters).join('\n') ?? null;
};

export const unknownSevenDaysCommand = (typed: string): string =>
  `*** ERROR: unknown command '${quotedArguments(typed)[0] ?? ''}'`;
