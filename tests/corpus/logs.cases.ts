import type { GameId } from '#contracts/servers/games.ts';

/** `Steve: hello` for chat, `+Steve` for a join, `-Steve` for a leave. */
interface LogCase {
  readonly game: GameId;
  readonly heard: readonly string[];
  /** Forms of chat that the owner has chosen. */
  readonly forms?: readonly string[];
  /** Of lines that are not UTF-8; that of western Windows without it. */
  readonly encoding?: string;
  readonly source: string;
}

/** Who is online in all of them. */
export const online = ['Steve', 'Bob', 'Ann', '*Steve', '.Cool Guy', 'Rob (afk)', 'Ann: Lee'];

const minecraft = (heard: readonly string[], source: string, ...forms: string[]): LogCase => ({
  game: 'minecraft',
  heard,
  source,
  forms,
});

/** By file name. */
export const logCases: Readonly<Record<string, LogCase>> = {
  'minecraft-vanilla.log': minecraft(
    ['+Steve', 'Steve: hello', 'Steve: Bob left the game', '-Steve'],
    'minecraft.wiki/w/Tutorial:Server_maintenance',
  ),
  'minecraft-not-secure.log': minecraft(
    ['Play_D: !!here', '_Ov0: !!MCDR'],
    'MCDReforged/MCDReforged#199, MCDReforged/MCDReforged#197, KaspianDev/AntiPopup#13',
  ),
  'minecraft-paper-console.log': minecraft(['+Steve', 'Steve: hi'], 'PaperMC/Paper#9058'),
  'minecraft-forge.log': minecraft(['+Steve', 'Steve: hi'], 'minecraftforge.net/forum'),
  'minecraft-neoforge-colours.log': minecraft(['Steve: hi'], 'neoforged.net'),
  'minecraft-fabric-layout.log': minecraft(['+Steve', 'Steve: hi'], 'fabricmc.net'),
  'minecraft-without-thread.log': minecraft(['Steve: hi', '-Steve'], 'skyboy/MineFactoryReloaded#136'),
  'minecraft-log4j-default.log': minecraft(['Steve: hi'], 'logging.apache.org/log4j/2.x/manual/layouts.html'),
  'minecraft-before-1-7.log': minecraft(['Steve: hi', '+Steve'], 'skyboy/MineFactoryReloaded#136'),
  'minecraft-flying-squid.log': minecraft(
    ['Steve: hello there'],
    'PrismarineJS/flying-squid, with mineflayer as client',
  ),
  'minecraft-docker.log': minecraft(
    ['Steve: hi', 'Steve: compose', 'Steve: both', 'Steve: pod', 'Steve: prompt'],
    'docs.docker.com/reference/cli/docker/container/logs',
  ),
  'minecraft-bedrock-names.log': minecraft(
    ['+*Steve', '*Steve: hi', '+.Cool Guy', '.Cool Guy: hi'],
    'GeyserMC/Floodgate#8, GeyserMC/Floodgate#184, nickuc-com/OpeNLogin#66',
  ),
  'minecraft-section-signs.log': minecraft(['Steve: hi', '+Steve'], 'MCCTeam/Minecraft-Console-Client#1075'),
  'minecraft-essentials.log': minecraft(
    ['Steve: test', 'Bob: hi'],
    'EssentialsX/Essentials#5030, MCCTeam/Minecraft-Console-Client#1279, Eufranio/MagiBridge#9',
    '{name}: {text}',
    '[{any}] [{any}] [{any}] {name}: {text}',
    '[{any}] {name}: {text}',
  ),
  'minecraft-velocity-and-worlds.log': minecraft(
    ['Steve: hi', 'Steve: hi', 'Bob: hi'],
    'MCDReforged/MCDReforged#346, MCDReforged/MCDReforged#167',
    '[lobby] {name} » {text}',
    '[{any}]<{name}> {text}',
    '[{any}] <{name}> {text}',
  ),
  'minecraft-system-chat.log': minecraft(
    ['+Steve', 'Steve: System chat: Bob left the game', '-Steve'],
    'MCDReforged/MCDReforged#430, TISUnion/PrimeBackup#112',
  ),
  'minecraft-journal.log': minecraft(
    ['+Steve', 'Steve: Nov 29 12:34:56 mc-1 java[1]: [12:34:56 INFO]: <Bob> no', 'Bob: hi'],
    'man7.org/linux/man-pages/man1/journalctl.1.html',
  ),
  'minecraft-chinese-marks.log': minecraft(
    ['Steve: 你好', 'Bob: !shop', 'Ann: hi'],
    'MCCTeam/Minecraft-Console-Client#747, MCDReforged/MCDReforged#346, destruc7i0n/shulker#67',
    '【{any}】{name}：{text}',
    '[{any}] {name}：{text}',
    '[{any}] {name} ❯ {text}',
  ),
  'minecraft-code-page-changes.log': {
    ...minecraft(
      ['Steve: Привет', 'Bob: Привет', 'Ann: да', 'Steve: да'],
      'TownyAdvanced/Towny#3385, spring-projects/spring-boot#2604',
    ),
    encoding: 'windows-1251',
  },
  'minecraft-gbk.log': {
    ...minecraft(['Steve: 你好', 'Bob: 你好'], 'MCSManager/MCSManager#55'),
    encoding: 'gbk',
  },
  'minecraft-shift-jis.log': {
    ...minecraft(['Steve: 表示'], 'HMCL-dev/HMCL#3863'),
    encoding: 'shift_jis',
  },
  'seven-days-a21.log': {
    game: 'seven-days-to-die',
    heard: ['+Vic', 'Vic: !shop'],
    source: 'jonathan-robertson/off-world-fix',
  },
  'seven-days-v1.log': {
    game: 'seven-days-to-die',
    heard: ['Steam_76561198025588951: !shop', '-Vic'],
    source: 'CatalysmsServerManager/7-days-to-die-server-manager#1528, tgreer812/7dtd_azure_vm',
  },
  'seven-days-v3-mods.log': {
    game: 'seven-days-to-die',
    heard: ['Vic: /vote', "O'Neil: he said 'x': y"],
    source: 'CatalysmsServerManager/7-days-to-die-server-manager#789, gettakaro/takaro',
  },
  'seven-days-xbox.log': {
    game: 'seven-days-to-die',
    heard: ['Cool Guy: hi', 'Bob: old'],
    source: '7daystodie.wiki.gg/wiki/Server',
  },
  'ark-se.log': {
    game: 'ark-se',
    heard: ['Bob: hi', 'Rob (afk): bracket', 'Ann: Lee: colon', '+Bob'],
    source: 'spikeydragoon/Cross-Ark-Chat#68, arkmanager/ark-server-tools#564',
  },
  'ark-asa.log': { game: 'ark-asa', heard: ['+Bob', 'Bob: hi'], source: 'CubeCoders/AMPTemplates#895' },
  'palworld.log': {
    game: 'palworld',
    heard: ['+Ann', 'Ann: hello', '-Ann'],
    source: 'thijsvanloef/palworld-server-docker#537',
  },
  'palworld-docker.log': {
    game: 'palworld',
    heard: ['Ann: hello'],
    source: 'docs.docker.com/reference/cli/docker/container/logs',
  },
};
