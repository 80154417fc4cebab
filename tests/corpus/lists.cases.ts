/** Who is on the server by a reply of `lists/`, and where its shape is described. */
interface ListCase {
  /** Name, platform id and what commands take; null: the reply is no list, or no whole one. */
  readonly players: readonly (readonly [name: string, platformId: string | null, handle: string])[] | null;
  readonly source: string;
}

const java = 'minecraft:069a79f4-44e9-4726-a5be-fca90e38aaf5';
const bedrock = 'minecraft:00000000-0000-0000-0009-01f1b0392c35';
const alex = 'minecraft:853c80ef-3c37-49fd-aa49-938b674adae6';
const steam = '76561198010715714';

const steve = [['Steve', null, 'Steve']] as const;
const vanilla = 'minecraft.wiki/w/Commands/list';
const essentials = 'EssentialsX/Essentials, PlayerList.java';
const ark = 'ark.wiki.gg/wiki/Console_commands';
const sevenDays = '7daystodie.wiki.gg/wiki/Command_Console';
const palworld = 'docs.palworldgame.com/api/rest-api/players';

export const listCases: Readonly<Record<string, ListCase>> = {
  'minecraft-since-1-13.txt': {
    ...{
      players: [
        ['Steve', java, 'Steve'],
        ['Alex_2', alex, 'Alex_2'],
      ],
      source: vanilla,
    },
  },
  'minecraft-before-1-13.txt': {
    ...{
      players: [
        ['Steve', null, 'Steve'],
        ['Alex_2', null, 'Alex_2'],
      ],
      source: vanilla,
    },
  },
  'minecraft-one-a-line.txt': { players: steve, source: 'Valandur/Web-API#19' },
  'minecraft-floodgate-blanks.txt': {
    players: [
      ['.Cool Guy', bedrock, '.Cool Guy'],
      ['Steve', java, 'Steve'],
    ],
    source: 'GeyserMC/Floodgate#184',
  },
  'minecraft-floodgate-no-prefix.txt': {
    ...{ players: [['Cool Guy', bedrock, 'Cool Guy']], source: 'GeyserMC/Floodgate#184' },
  },
  'minecraft-decorated-comma.txt': {
    players: [
      ['[VIP, old] Steve', java, 'Steve'],
      ['*Alex', bedrock, '*Alex'],
    ],
    source: 'GeyserMC/Floodgate#8',
  },
  'minecraft-essentials-groups.txt': {
    players: [...steve, ['Alex', null, 'Alex'], ['.Bob', null, '.Bob']],
    source: essentials,
  },
  'minecraft-essentials-hidden.txt': {
    players: [...steve, ['Alex', null, 'Alex']],
    source: 'EssentialsX/Essentials#949',
  },
  'minecraft-essentials-a-maximum.txt': {
    players: steve,
    source: 'gekware/minecraft-server-hibernation#183',
  },
  'minecraft-essentials-out-of.txt': { players: steve, source: 'gekware/minecraft-server-hibernation#183' },
  // The game's own list is asked for then: minecraft:list.
  'minecraft-cmi.txt': { players: null, source: 'Fallen-Breath/MinecraftDataAPI#11' },
  'minecraft-essentials-french.txt': { players: null, source: 'dirien/minecraft-prometheus-exporter#228' },
  'minecraft-ftblib.txt': { players: null, source: 'FTBTeam/FTB-Library-Legacy#24' },
  'minecraft-cut.txt': { players: null, source: vanilla },
  'minecraft-empty.txt': { players: [], source: vanilla },
  'ark-evolved.txt': {
    players: [
      ['Bob', `steam:${steam}`, steam],
      ['Ann, the builder', 'eos:00023f168ede3136a17c954ec0b9245d', '00023f168ede3136a17c954ec0b9245d'],
    ],
    source: 'arkmanager/ark-server-tools#1114',
  },
  'ark-ascended.txt': {
    players: [
      ['[TAG] Bob (afk)', 'eos:0002b5d970954287afdcb5dc35af0424', '0002b5d970954287afdcb5dc35af0424'],
      ['Änn: x', 'eos:00023f168ede3136a17c954ec0b9245d', '00023f168ede3136a17c954ec0b9245d'],
    ],
    source: 'mschnitzer/ark-survival-ascended-linux-container-image#52',
  },
  'ark-without-name.txt': { players: [[steam, `steam:${steam}`, steam]], source: ark },
  'ark-nobody.txt': { players: [], source: ark },
  'ark-processed.txt': { players: null, source: 'arkmanager/ark-server-tools#417' },
  'ark-gap.txt': { players: null, source: ark },
  'seven-days-v1.txt': {
    players: [
      ['Bob', `steam:${steam}`, '171'],
      ['Alex', 'xbl:2535400000000000', '205'],
    ],
    source: sevenDays,
  },
  'seven-days-with-log.txt': {
    ...{ players: [['Steve, the "Builder"', 'psn:4591469878499095569', '171']], source: sevenDays },
  },
  'seven-days-decimal-commas.txt': { players: [['Bob', `steam:${steam}`, '171']], source: sevenDays },
  'seven-days-a19.txt': { players: [['Bob', `steam:${steam}`, '171']], source: sevenDays },
  'seven-days-local.txt': { players: [['Alice', null, '171']], source: sevenDays },
  'seven-days-cut.txt': { players: null, source: sevenDays },
  'palworld-2026.txt': {
    ...{ players: [['Ann', `steam:${steam}`, `steam_${steam}`]], source: 'pelican/plugins#124' },
  },
  'palworld-consoles.txt': {
    players: [
      ['Xan', 'gdk:2535412345678901', 'gdk_2535412345678901'],
      ['Pat', 'ps5:4591469878499095569', 'ps5_4591469878499095569'],
      ['Mac', 'mac:0002a1b2c3d4e5f60718293a4b5c6d7e', 'mac_0002a1b2c3d4e5f60718293a4b5c6d7e'],
    ],
    source: 'zaigie/palworld-server-tool#253',
  },
  'palworld-loading.txt': {
    players: [['Ann', 'steam:76561198010715716', 'steam_76561198010715716']],
    source: 'KOOKIIEStudios/PalCON-Discord#13',
  },
  'palworld-another-format.txt': { players: null, source: palworld },
  'palworld-nobody.txt': { players: [], source: palworld },
};
