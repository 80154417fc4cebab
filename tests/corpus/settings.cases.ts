import type { GameId } from '#contracts/servers/games.ts';

/** What a game reads from a file of `settings/`, and who showed such a file. */
interface SettingsCase {
  readonly game: GameId;
  /** The console as the game has it after a start with this file; or why the file is refused. */
  readonly read: readonly [isOn: boolean, port: number, password: string] | { readonly refused: RegExp };
  /** What the owner is told about values that are not as they look. */
  readonly notes?: readonly RegExp[];
  readonly source: string;
}

const java = 'docs.oracle.com/javase/8/docs/api/java/util/Properties.html#load-java.io.Reader-';
const minecraft = (read: SettingsCase['read'], source: string, ...notes: RegExp[]): SettingsCase => ({
  game: 'minecraft',
  read,
  source,
  notes,
});
const palworld = (read: SettingsCase['read'], source: string, ...notes: RegExp[]): SettingsCase => ({
  game: 'palworld',
  read,
  source,
  notes,
});
const ark = (read: SettingsCase['read'], source: string, ...notes: RegExp[]): SettingsCase => ({
  game: 'ark-se',
  read,
  source,
  notes,
});
const sevenDays = (read: SettingsCase['read'], source: string, ...notes: RegExp[]): SettingsCase => ({
  game: 'seven-days-to-die',
  read,
  source,
  notes,
});

const usual = [true, 25_580, 'secret'] as const;
const off = [false, 25_575, 'secret'] as const;
const palOn = [true, 8300, 'secret'] as const;
const arkOn = [true, 27_021, 'secret'] as const;

/** By file name. */
export const settingsCases: Readonly<Record<string, SettingsCase>> = {
  'minecraft-written-by-game.properties': minecraft([true, 25_580, 'a=b:c#d'], 'macarooni-man/auto-mcs#190'),
  'minecraft-blank-behind.properties': minecraft(
    [false, 25_580, 'secret'],
    'apache/guacamole-client#688, Netflix/SimianArmy#84',
    /^enable-rcon has more than the word true/,
  ),
  'minecraft-tab-behind.properties': minecraft(
    off,
    'killbill/killbill-commons#172',
    /^enable-rcon has more/,
    /^rcon.port is not a port .* 25575/,
  ),
  'minecraft-quoted.properties': minecraft(
    off,
    'OpenTSDB/opentsdb#497',
    /^enable-rcon has more/,
    /^rcon.port is not a port/,
  ),
  'minecraft-comment-behind.properties': minecraft([false, 25_580, 'secret'], java, /^enable-rcon has more/),
  'minecraft-yes.properties': minecraft(off, java, /^enable-rcon has more/),
  'minecraft-no-password.properties': minecraft(
    [false, 25_575, ''],
    'minecraft.wiki/w/Server.properties',
    /^rcon.password is empty/,
  ),
  'minecraft-colon-and-blanks.properties': minecraft(usual, java),
  'minecraft-continued.properties': minecraft(usual, java),
  'minecraft-escaped.properties': minecraft([true, 25_580, 'éж'], 'itzg/docker-minecraft-server#2482'),
  'minecraft-twice.properties': minecraft(off, java, /^enable-rcon is there 2 times/),
  'minecraft-other-case.properties': minecraft(
    off,
    java,
    /^enable-rcon is spelled differently/,
    /^rcon.port is spelled differently/,
  ),
  'minecraft-mark-first.properties': minecraft(
    off,
    'lsfusion/platform#1710, Kajabity/Kajabity.Tools.Java#3',
    /^The file begins with a byte order mark/,
  ),
  'minecraft-mark-before-comment.properties': minecraft([true, 25_575, 'secret'], 'jutzig/jabylon#55'),
  'minecraft-latin1.properties': minecraft([true, 25_575, 'Größe'], 'itzg/docker-minecraft-server#2437'),
  'minecraft-utf16.properties': minecraft({ refused: /UTF-16/ }, 'motdotla/dotenv#445'),
  'minecraft-windows-path.properties': minecraft(
    { refused: /resource-pack has a backslash before the letter u/ },
    'Akarin-project/Akarin#91',
  ),
  'minecraft-password-with-blank.properties': minecraft([true, 25_580, 'two words '], java),
  'minecraft-last-line-open.properties': minecraft(usual, java),
  'minecraft-backslash-at-end.properties': minecraft(usual, java),
  'minecraft-comments-and-breaks.properties': minecraft(usual, java),
  'minecraft-enabled.properties': minecraft(
    [false, 25_580, 'secret'],
    'TheRemote/Legendary-Java-Minecraft-Geyser-Floodgate#4',
    /^enable-rcon has more/,
  ),
  'minecraft-port-zero.properties': minecraft(off, 'minecraft.wiki/w/Server.properties', /^rcon.port is 0, /),
  'minecraft-port-too-high.properties': minecraft(
    off,
    'minecraft.wiki/w/Server.properties',
    /^rcon.port is 255750, so the game leaves its console off/,
  ),

  'palworld-default.ini': palworld(palOn, 'KagurazakaNyaa/palworld-docker#3'),
  'palworld-blanks-and-last-comma.ini': palworld(palOn, 'pelican-eggs/eggs#2669'),
  'palworld-blanks-around.ini': palworld(palOn, 'thijsvanloef/palworld-server-docker#680'),
  'palworld-other-case.ini': palworld(palOn, 'Bluefissure/pal-conf#24'),
  'palworld-commas-and-brackets.ini': palworld(
    [true, 8300, 'se,cr)et'],
    'legoduded/palworld-worldoptions#4, gameserverapp/Platform#735',
  ),
  'palworld-nested-lists.ini': palworld(palOn, 'Bluefissure/pal-conf#68'),
  'palworld-one-and-yes.ini': palworld(palOn, 'pelican-eggs/eggs#2669'),
  'palworld-quoted-values.ini': palworld(palOn, 'TheSudoYT/terraform-aws-palworld#3'),
  'palworld-name-without-quotes.ini': palworld(palOn, 'thijsvanloef/palworld-server-docker#212'),
  'palworld-empty-values.ini': palworld([false, 8212, ''], 'TheSudoYT/terraform-aws-palworld#3'),
  'palworld-sixteen.ini': palworld([true, 8300, 'ключ'], 'motdotla/dotenv#445'),
  'palworld-mark.ini': palworld([true, 8300, 'ключ'], 'lsfusion/platform#1710'),
  'palworld-several-lines.ini': palworld(
    { refused: /on the same line/ },
    'nitrog0d/palworld-arm64#11, TheSudoYT/terraform-aws-palworld#3',
  ),
  'palworld-twice.ini': palworld(
    { refused: /OptionSettings twice/ },
    'thijsvanloef/palworld-server-docker#958',
  ),
  'palworld-no-heading.ini': palworld(
    [false, 8300, 'secret'],
    'KagurazakaNyaa/palworld-docker#3',
    /^There is no \[\/Script\/Pal\.PalGameWorldSettings\]/,
  ),
  'palworld-port-with-point.ini': palworld(palOn, 'TheSudoYT/terraform-aws-palworld#3'),
  'palworld-keys-twice.ini': palworld(palOn, 'thijsvanloef/palworld-server-docker#958'),
  'palworld-blanks-in-heading.ini': palworld(
    [false, 8300, 'secret'],
    'KagurazakaNyaa/palworld-docker#3',
    /^There is no \[\/Script\/Pal.PalGameWorldSettings\]/,
  ),
  'palworld-lines-of-their-own.ini': palworld(
    { refused: /no OptionSettings; copy/ },
    'pelican-eggs/eggs#2669',
  ),
  'palworld-open-quote.ini': palworld({ refused: /same line/ }, 'thijsvanloef/palworld-server-docker#212'),
  'palworld-empty.ini': palworld({ refused: /^it is empty/ }, 'thijsvanloef/palworld-server-docker#126'),

  'ark-written-by-game.ini': ark(arkOn, 'ark.wiki.gg/wiki/Server_configuration'),
  'ark-blanks.ini': ark(arkOn, 'ark.wiki.gg/wiki/Server_configuration'),
  'ark-sixteen.ini': ark([true, 27_021, 'ключ'], 'ark.wiki.gg/wiki/Server_configuration'),
  'ark-comment-behind.ini': ark(
    [false, 27_021, 'secret'],
    'IONOS-Core/dim#145',
    /^RCONEnabled has more than the word true/,
  ),
  'ark-twice.ini': ark(arkOn, 'ark.wiki.gg/wiki/Server_configuration'),
  'ark-other-case.ini': ark(arkOn, 'GameServerManagers/LinuxGSM#4611'),
  'ark-comment-behind-port.ini': ark(arkOn, 'IONOS-Core/dim#145'),
  'ark-carriage-returns.ini': ark(arkOn, 'dev.epicgames.com, FParse::Line'),
  'ark-port-is-a-word.ini': ark(
    [true, 27_020, 'secret'],
    'GameServerManagers/LinuxGSM#4611',
    /^RCONPort is not a port for the game .* 27020/,
  ),

  'seven-days-usual.xml': sevenDays([true, 8082, 'a&b'], '7daystodie.wiki.gg/wiki/Server:_serverconfig.xml'),
  'seven-days-mark-and-crlf.xml': sevenDays(
    [true, 8082, 'secret'],
    '7daystodie.wiki.gg/wiki/Server:_serverconfig.xml',
  ),
  'seven-days-commented-out.xml': sevenDays(
    [false, 8082, 'secret'],
    '7daystodie.wiki.gg/wiki/Server:_serverconfig.xml',
  ),
  'seven-days-yes.xml': sevenDays(
    [false, 8082, ''],
    '7daystodie.wiki.gg/wiki/Server:_serverconfig.xml',
    /^TelnetEnabled has more than the word true/,
  ),
  'seven-days-half.xml': sevenDays(
    { refused: /^it is no whole XML/ },
    '7daystodie.wiki.gg/wiki/Server:_serverconfig.xml',
  ),
  'seven-days-cdata-and-twice.xml': sevenDays(
    [true, 8082, 'secret'],
    'https://www.w3.org/TR/xml/#sec-cdata-sect',
  ),
  'seven-days-ampersand.xml': sevenDays(
    { refused: /an & that is not written as &amp;, for which the game refuses/ },
    'pelican-eggs/eggs#279, algernon-A/Realistic-Population-Revisited#11',
  ),
  'seven-days-hyphens-in-comment.xml': sevenDays(
    { refused: /two hyphens within a comment/ },
    'https://www.w3.org/TR/xml/#sec-comments',
  ),
  'seven-days-end-missing.xml': sevenDays({ refused: /^it is no whole XML/ }, 'pelican-eggs/eggs#279'),
  'seven-days-line-before.xml': sevenDays(
    { refused: /something stands before its <\?xml/ },
    'https://www.w3.org/TR/xml/#sec-prolog-dtd',
  ),
  'seven-days-attribute-twice.xml': sevenDays(
    { refused: /an attribute twice/ },
    'https://www.w3.org/TR/xml/#uniqattspec',
  ),
  'seven-days-port-with-words.xml': sevenDays(
    [true, 8081, 'secret'],
    '7daystodie.wiki.gg/wiki/Server:_serverconfig.xml',
    /^TelnetPort is not a port for the game .* 8081/,
  ),
};
