import type { GameId } from '#contracts/servers/games.ts';

/** A player as listed: the name, the handle where it differs, the platform's id; null: none. */
export type ReadPlayer = readonly [name: string, platformId: string | null, handle?: string];

interface ListCase {
  readonly game: GameId;
  /** Null for what is no list, or no whole one. */
  readonly players: readonly ReadPlayer[] | null;
  readonly source: string;
}

const casesOf =
  (game: GameId) =>
  (source: string, ...players: ReadPlayer[]): ListCase => ({ game, players, source });
const noList = (game: GameId, source: string): ListCase => ({ game, players: null, source });

const minecraft = casesOf('minecraft');
const sevenDays = casesOf('seven-days-to-die');
const arkSe = casesOf('ark-se');
const arkAsa = casesOf('ark-asa');
const palworld = casesOf('palworld');

const uuid1 = 'minecraft:069a79f4-44e9-4726-a5be-fca90e38aaf5';
const uuid2 = 'minecraft:853c80ef-3c37-49fd-aa49-938b674adae6';
const bedrock = 'minecraft:00000000-0000-0000-0009-01f64f65c7c3';
const id1 = '76561198025588951';
const id2 = '76561198010715714';
const eos = '0002c0ffee11d00d4242beef00c0ffee';
const steve: ReadPlayer = ['Steve', null];
const alex: ReadPlayer = ['Alex_2', null];
const both = [
  ['Steve', uuid1],
  ['Alex_2', uuid2],
] as const;
/** By entity id. */
const bob: ReadPlayer = ['Bob', `steam:${id1}`, '171'];

const wiki = 'minecraft.wiki/w/Commands/list';
const essentials = 'EssentialsX/Essentials: PlayerList.java';
const hibernation = 'gekware/minecraft-server-hibernation#183';
const cmi = 'Fallen-Breath/MinecraftDataAPI#11';
const glist = 'SpigotMC/BungeeCord#139, ProxioDev/ValioBungee#122';
const velocity = 'PaperMC/Velocity: GlistCommand.java';
const telnet = '7daystodie.wiki.gg/wiki/Server';
const gamedig = 'gamedig/node-gamedig#646';
const arkmanager = 'arkmanager/ark-server-tools#1114';
const arkWiki = 'ark.wiki.gg/wiki/Console_commands';
const restApi = 'docs.palworldgame.com/api/rest-api/players';
const palApi = 'pypi.org/project/pal_api';
const variation = 'a variation of the shape before it';

/** By file name. */
export const listCases: Readonly<Record<string, ListCase>> = {
  'minecraft-vanilla.txt': minecraft(wiki, ...both),
  'minecraft-vanilla-no-players.txt': minecraft(wiki),
  'minecraft-1.13.txt': minecraft(wiki, steve, alex),
  'minecraft-1.12.txt': minecraft('rjbs/Soviet-Minecraft#6', steve, alex),
  'minecraft-1.8-uuids.txt': minecraft(wiki, ...both),
  'minecraft-1.7-forge.txt': minecraft('dirien/minecraft-prometheus-exporter#488', [
    '[Donor] Steve',
    null,
    'Steve',
  ]),
  'minecraft-sponge-one-a-line.txt': minecraft('Valandur/Web-API#19', steve, alex, ['Bob', null]),
  'minecraft-out-of.txt': minecraft(hibernation, steve, alex),
  'minecraft-out-of-no-players.txt': minecraft(hibernation),
  'minecraft-out-of-a-maximum.txt': minecraft(hibernation),
  'minecraft-out-of-a-maximum-of.txt': minecraft(variation, steve),
  'minecraft-floodgate.txt': minecraft('GeyserMC/Floodgate#184', ['.Cool Guy', bedrock], ['Steve', uuid1]),
  'minecraft-teams.txt': minecraft(
    wiki,
    ['[Red, North] Steve', uuid1, 'Steve'],
    ['<VIP> Alex_2', uuid2, 'Alex_2'],
  ),
  'minecraft-essentials.txt': minecraft(essentials, steve, alex, ['Bob', null]),
  'minecraft-essentials-hidden.txt': minecraft(
    'EssentialsX/Essentials#3008',
    ['[Mod] Steve', null, 'Steve'],
    alex,
  ),
  'minecraft-essentials-hidden-from-console.txt': minecraft('EssentialsX/Essentials#949', [
    '[Mod] Steve',
    null,
    'Steve',
  ]),
  'minecraft-essentials-real-names.txt': minecraft(essentials, ['~Bob (Steve)', null], alex),
  'minecraft-essentials-real-names-bare.txt': minecraft(
    essentials,
    ['Bob (Steve)', null],
    ['Ann (AFK)', null, 'Ann'],
  ),
  'minecraft-essentials-terminal-colours.txt': minecraft(essentials, steve),
  'minecraft-essentials-hex-colours.txt': minecraft(essentials, steve),
  'minecraft-essentials-no-group.txt': noList('minecraft', essentials),
  'minecraft-essentials-french.txt': noList('minecraft', 'dirien/minecraft-prometheus-exporter#228'),
  'minecraft-cmi.txt': noList('minecraft', cmi),
  'minecraft-cmi-staff.txt': noList('minecraft', 'Zrips/CMI#3265'),
  'minecraft-ftblib.txt': noList('minecraft', 'FTBTeam/FTB-Library-Legacy#24'),
  'minecraft-floodgate-no-prefix.txt': minecraft('GeyserMC/Floodgate#184', ['Cool Guy', bedrock]),
  'minecraft-cuberite.txt': minecraft('cuberite/cuberite', ['Alice', null], ['Bob', null]),
  'minecraft-bungeecord-glist.txt': noList('minecraft', glist),
  'minecraft-velocity-glist.txt': noList('minecraft', velocity),
  'minecraft-velocity-glist-all.txt': noList('minecraft', velocity),
  'minecraft-unknown-command.txt': noList('minecraft', wiki),
  'minecraft-cut.txt': noList('minecraft', variation),

  'seven-days-a8.txt': noList('seven-days-to-die', 'an Alpha before 11, which is not supported'),
  'seven-days-a16.txt': sevenDays(
    telnet,
    ['Ja, so ist es!', `steam:${id1}`, '8806'],
    ['Bob', `steam:${id2}`, '338'],
  ),
  'seven-days-a20.txt': sevenDays(gamedig, bob, ['Zoë', 'xbl:2535405290989773', '172']),
  'seven-days-v1-consoles.txt': sevenDays(
    variation,
    ['Bob', 'psn:4591469878499095569', '171'],
    ['Ann', 'egs:00aa11bb22cc33dd44ee55ff66778899', '180'],
  ),
  'seven-days-v3-total-first.txt': sevenDays('christopher-roelofs/7dtd-server-manager', bob, [
    'Ann',
    `steam:${id2}`,
    '172',
  ]),
  'seven-days-leaving.txt': sevenDays('the game, for a client that is going', ['Bob', null, '171']),
  'seven-days-decimal-commas.txt': sevenDays(variation, bob),
  'seven-days-host.txt': sevenDays(variation, ['Bob', null, '171']),
  'seven-days-name-like-a-list.txt': sevenDays(variation, [
    '1. id=9, Eve, pos=(1.0, 2.0, 3.0)',
    `steam:${id1}`,
    '171',
  ]),
  'seven-days-bracket-name.txt': sevenDays(variation, ['[FF0000]Bob [pos=(]', `steam:${id1}`, '171']),
  'seven-days-log-between.txt': sevenDays(variation, bob),
  'seven-days-cut.txt': noList('seven-days-to-die', variation),
  'seven-days-no-players.txt': sevenDays(telnet),
  'seven-days-starting.txt': noList('seven-days-to-die', 'the game, while its world loads'),

  'ark-se.txt': arkSe(arkmanager, ['Bob', `steam:${id1}`, id1], ['Ann', `steam:${id2}`, id2]),
  'ark-se-epic.txt': arkSe(arkmanager, ['Bob', `steam:${id1}`, id1], ['Ann', `eos:${eos}`, eos]),
  'ark-asa.txt': arkAsa(
    'patrickjane/playerlist-bot',
    ['Bob', `eos:${eos}`, eos],
    ['Löwe ⛏', 'eos:0002aaaabbbbccccddddeeeeffff0000', '0002aaaabbbbccccddddeeeeffff0000'],
  ),
  'ark-names-with-commas.txt': arkAsa(
    variation,
    ['Bob, the 2nd', `steam:${id1}`, id1],
    [`1. Eve, ${id2}`, `eos:${eos}`, eos],
  ),
  'ark-tags.txt': arkAsa(
    'spikeydragoon/Cross-Ark-Chat#68',
    ['[TAG] Bob (afk)', `eos:${eos}`, eos],
    ['Ann: x', `steam:${id1}`, id1],
  ),
  'ark-no-name.txt': arkSe(variation, [id1, `steam:${id1}`, id1], ['123', `steam:${id2}`, id2]),
  'ark-no-players.txt': arkSe(arkWiki),
  'ark-empty.txt': noList('ark-se', 'arkmanager/ark-server-tools#417'),
  'ark-no-response.txt': noList('ark-se', arkWiki),
  'ark-gap.txt': noList('ark-se', variation),
  'ark-chat-before.txt': noList('ark-se', variation),

  'palworld.json': palworld(
    'pelican/plugins#124',
    ['Bob, the 2nd', `steam:${id1}`, `steam_${id1}`],
    ['Löwe ⛏', `steam:${id2}`, `steam_${id2}`],
  ),
  'palworld-no-players.json': palworld(restApi),
  'palworld-early.json': palworld(palApi, ['Bob', `steam:${id1}`, `steam_${id1}`]),
  'palworld-platforms.json': palworld(
    'zaigie/palworld-server-tool#253, zaigie/palworld-server-tool#259',
    ['Bob', 'ps5:4591469878499095569', 'ps5_4591469878499095569'],
    ['Ann', 'gdk:2535405290989773', 'gdk_2535405290989773'],
    ['Eve', 'mac:0a1b2c3d4e5f', 'mac_0a1b2c3d4e5f'],
  ),
  'palworld-loading.json': palworld(`thijsvanloef/palworld-server-docker#537, ${palApi}`, [
    'Eve',
    'steam:76561198000000001',
    'steam_76561198000000001',
  ]),
  'palworld-all-loading.json': palworld(palApi),
  'palworld-bare.json': palworld(variation, ['Bob', `steam:${id1}`, `steam_${id1}`]),
  'palworld-member-missing.json': palworld(variation, ['Ann', `steam:${id2}`, `steam_${id2}`]),
  'palworld-renamed-id.json': noList('palworld', variation),
  'palworld-id-without-platform.json': noList('palworld', 'Ly-sec/PalBot#15'),
  'palworld-renamed-list.json': noList('palworld', variation),
  'palworld-line-ends-in-name.json': palworld(variation, ['Bob Eve', `steam:${id1}`, `steam_${id1}`]),
  'palworld-cut.txt': noList('palworld', variation),
  'palworld-rcon.txt': noList('palworld', 'Ly-sec/PalBot#15, thijsvanloef/palworld-server-docker#116'),
  'palworld-unauthorized.txt': noList('palworld', restApi),
};
