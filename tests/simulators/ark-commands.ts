import { quotedArguments } from './quoted-arguments.ts';
import type { Player, World } from './world.ts';

export interface ArkConsole {
  readonly world: World;
  /** Chat lines that were not fetched yet. */
  readonly unreadChat: string[];
  /** Gives are accepted but have no effect, and the reply does not say so. */
  readonly losesGives: boolean;
}

type Command = (console: ArkConsole, words: readonly string[], rest: string) => string;

/** Replies end as the game's do, with a space, a line feed and a space. */
const ended = (text: string) => `${text} \n `;
/** The reply to accepted commands and to unknown ones alike. */
export const noResponse = ended('Server received, But no response!!');

const listPlayers: Command = ({ world }) =>
  world.players.length === 0
    ? ended('No Players Connected')
    : ended(
        world.players.map(({ name, platformId }, index) => `${index}. ${name}, ${platformId}`).join(' \n'),
      );

const getChat: Command = ({ unreadChat }) => {
  const lines = unreadChat.splice(0);
  return lines.length === 0 ? noResponse : ended(lines.join('\n'));
};

const tellAll: Command = ({ world, unreadChat }, _, text) => {
  world.messages.push({ to: null, text });
  unreadChat.push(`SERVER: ${text}`);
  return noResponse;
};

const tellOne =
  (isMeant: (player: Player, target: string) => boolean): Command =>
  ({ world }, [, target = '', ...words]) => {
    const player = world.players.find((candidate) => isMeant(candidate, target));
    if (player) world.messages.push({ to: player.name, text: words.join(' ') });
    return noResponse;
  };

const withId = (world: World, id: string) => world.players.find(({ platformId }) => platformId === id);

const kickPlayer: Command = ({ world }, [, id = '']) => {
  const player = withId(world, id);
  if (!player) return noResponse;
  world.leave(player.name, 'kicked');
  return ended(`${id} Kicked`);
};

const banPlayer: Command = ({ world }, [, id = '']) => {
  world.bans.set(id, '');
  const player = withId(world, id);
  if (player) world.leave(player.name, 'banned');
  return ended(`${id} Banned`);
};

const unbanPlayer: Command = ({ world }, [, id = '']) => {
  world.bans.delete(id);
  return ended(`${id} Unbanned`);
};

const allow: Command = ({ world }, [, id = '']) => {
  world.whitelist.add(id);
  return ended(`${id} Allow Player To Join No Check`);
};

const disallow: Command = ({ world }, [, id = '']) => {
  world.whitelist.delete(id);
  // The game's own spelling.
  return ended(`${id} Disallowed Player To Join No Checknned`);
};

const saveWorld: Command = ({ world }) => {
  world.saves += 1;
  return ended('World Saved');
};

/** `GiveItemToPlayer <player id> <blueprint path> <quantity> <quality> <as blueprint>`, or with an item's number. */
const giveItem: Command = ({ world, losesGives }, [, id, item, quantity = '', quality]) => {
  const player = world.players.find(({ numericId }) => String(numericId) === id);
  const wanted = Number(quantity);
  if (player && item && Number.isInteger(wanted) && wanted > 0 && !losesGives)
    world.give({
      player: player.name,
      item,
      quantity: wanted,
      quality: quality === undefined ? null : Number(quality),
    });
  return noResponse;
};

const doExit: Command = ({ world }) => {
  world.onShutdown();
  return ended('Exiting...');
};

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['allowplayertojoinnocheck', allow],
  ['banplayer', banPlayer],
  ['broadcast', tellAll],
  ['doexit', doExit],
  ['disallowplayertojoinnocheck', disallow],
  ['getchat', getChat],
  ['giveitemnumtoplayer', giveItem],
  ['giveitemtoplayer', giveItem],
  ['kickplayer', kickPlayer],
  ['listplayers', listPlayers],
  ['saveworld', saveWorld],
  ['serverchat', tellAll],
  ['serverchatto', tellOne(({ platformId }, target) => platformId === target)],
  ['serverchattoplayer', tellOne(({ name }, target) => name === target)],
  ['unbanplayer', unbanPlayer],
]);

/** The reply to a console command; null if the game does not know it. */
export const runArkCommand = (console: ArkConsole, typed: string): string | null => {
  const line = typed.replace(/^(?:admin)?cheat\s+/i, '').trim();
  const words = quotedArguments(line);
  const rest = line.slice(line.search(/\s|$/)).trim();
  return commands.get((words[0] ?? '').toLowerCase())?.(console, words, rest) ?? null;
};
