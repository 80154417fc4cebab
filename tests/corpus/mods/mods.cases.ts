import type { GameId } from '#contracts/servers/games.ts';

/** An archive of the folder `archives`, and what is right. */
export interface ArchiveCase {
  readonly file: string;
  /** `owner/repo#n`, or the address of a document. */
  readonly source: string;
  readonly game?: GameId;
  /** Chosen parts. */
  readonly parts?: readonly string[];
  /** A mod's metadata, in part. */
  readonly mods?: readonly object[];
  readonly content?: object;
  /** Where files go. */
  readonly places?: readonly string[];
  readonly leftOut?: readonly string[];
  /** The refusal. */
  readonly fault?: string;
}

const sevenDays = 'seven-days-to-die';

export const archiveCases: readonly ArchiveCase[] = [
  // Metadata that the game reads.
  {
    file: 'forge-line-break.txt',
    source: 'OreCruncher/DynamicSurroundings#687',
    mods: [{ id: 'dsurround', version: '4.0.3.12', requires: ['mobeffects'] }],
  },
  {
    file: 'forge-line-break-in-key-order.txt',
    source: 'TheElectronWill/night-config#87',
    mods: [{ id: 'quark', authors: ['Vazkii, the others'] }],
  },
  {
    file: 'forge-inline-dependencies.txt',
    source: 'TheElectronWill/night-config#12',
    mods: [{ id: 'inline', name: 'In # line', requires: ['needed'] }],
  },
  {
    file: 'forge-multi-line-string.txt',
    source: 'TheElectronWill/night-config#13',
    mods: [{ id: 'multi', name: 'Multi "line" name' }],
  },
  {
    file: 'forge-unfilled-version.txt',
    source: 'https://docs.neoforged.net/docs/gettingstarted/modfiles',
    mods: [{ id: 'unfilled', version: null }],
  },
  {
    file: 'forge-client-side-only.txt',
    source: 'MinecraftForge/MinecraftForge#9804',
    mods: [{ id: 'oculus', side: 'client' }],
  },
  {
    file: 'forge-display-test.txt',
    source: 'MinecraftForge/MinecraftForge#8656',
    mods: [{ id: 'monitor', side: null }],
  },
  {
    file: 'forge-signed.txt',
    source: 'https://docs.oracle.com/en/java/javase/21/docs/specs/jar/jar.html',
    mods: [{ id: 'signed', version: '3.1' }],
  },
  {
    file: 'old-forge-lenient.txt',
    source: 'https://docs.minecraftforge.net/en/1.12.x/gettingstarted/structuring/',
    mods: [{ id: 'ic2', authors: ['Alblaka'] }],
  },
  {
    file: 'forge-language-provider.txt',
    source: 'architectury/architectury-loom#152',
    mods: [
      { id: 'thedarkcolour.kotlinforforge', version: '4.11.0', loaders: ['forge', 'neoforge'], side: null },
    ],
  },

  {
    file: 'old-forge-missing-quote.txt',
    source: 'yorkeJohn/Tainted-Magic#18',
    mods: [{ id: 'TaintedMagic', name: 'Tainted Magic', loaders: ['forge'] }],
  },
  {
    file: 'old-forge-missing-commas.txt',
    source: 'TrainerGuy22/Reliquary#16, superzanti/ServerSync#51',
    mods: [{ id: 'xreliquary', name: 'Reliquary' }, { id: 'second' }],
  },
  { file: 'fabric-unfilled.txt', source: 'CaffeineMC/sodium#1848', mods: [{ id: 'sodium', version: null }] },
  {
    file: 'plugin-unfilled.txt',
    source: 'https://docs.papermc.io/paper/dev/plugin-yml/',
    mods: [{ id: 'Built', version: null }],
  },
  {
    file: 'fabric-environment-case.txt',
    source: 'FabricMC/fabric-loader, V1ModMetadataParser.java',
    mods: [{ id: 'hud', side: 'client' }],
  },
  {
    file: 'fabric-breaks-some.txt',
    source: 'FrozenBlock/WilderWild#303, someaddons/betterfpsdistances#52',
    mods: [{ id: 'wilderwild', breaks: ['optifabric', 'canvas'] }],
  },
  {
    file: 'quilt-breaks-some.txt',
    source: 'https://github.com/QuiltMC/rfcs/blob/main/specification/0002-quilt.mod.json.md',
    mods: [{ id: 'quiet', side: 'client', breaks: ['canvas', 'optifabric'] }],
  },
  {
    file: 'forge-breaks-some.txt',
    source: 'https://docs.neoforged.net/docs/gettingstarted/modfiles',
    mods: [{ id: 'some', version: '1.21-3.2', breaks: ['optifine', 'rubidium'] }],
  },
  {
    file: 'paper-not-required.txt',
    source: 'https://docs.papermc.io/paper/dev/getting-started/paper-plugins/',
    mods: [{ id: 'New', version: '1.10', requires: ['Must'] }],
  },

  // One mod, several ids.
  {
    file: 'fabric-api.txt',
    source: 'emilyploszaj/emi#217',
    mods: [
      {
        id: 'fabric-api',
        requires: [],
        provides: ['fabric', 'fabric-api-base', 'fabric-networking-api-v1', 'fabric-networking-v0'],
      },
    ],
  },
  {
    file: 'fabric-deep.txt',
    source: 'QuiltMC/quilt-loader#116',
    mods: [{ id: 'forest', requires: ['cloth'], provides: ['porting_lib', 'accessors', 'unasked'] }],
  },
  {
    file: 'quilt-provides.txt',
    source: 'https://github.com/QuiltMC/rfcs/blob/main/specification/0002-quilt.mod.json.md',
    mods: [
      {
        id: 'quilted_fabric_api',
        requires: ['needed'],
        provides: ['fabric', 'fabric-api', 'fabric-api-base'],
      },
    ],
  },
  {
    file: 'forge-jar-jar.txt',
    source: 'MinecraftForge/MinecraftForge#8657',
    mods: [{ id: 'outer', requires: ['third'], provides: ['curios'] }],
  },
  {
    file: 'forge-box.txt',
    source: 'MinecraftForge/MinecraftForge#8715',
    mods: [{ id: 'curios', requires: ['third'] }],
  },
  {
    file: 'bukkit-provides.txt',
    source: 'PaperMC/Paper#13238',
    mods: [{ id: 'Fast Edit', requires: ['Vault'], provides: ['WorldEdit', 'Fast_Edit'] }],
  },
  {
    file: 'paper-list.txt',
    source: 'PaperMC/docs#137',
    mods: [{ id: 'New', requires: ['LuckPerms'] }],
  },
  {
    file: 'several-loaders.txt',
    source: 'Snownee/Jade#291',
    mods: [
      { id: 'both', loaders: ['fabric', 'quilt'], requires: ['fabric-api'] },
      { id: 'both', loaders: ['forge'], requires: [] },
    ],
  },

  // Archives that Java opens.
  {
    file: 'jar-line-feed-behind.txt',
    source: 'thejoshwolfe/yauzl#45',
    mods: [{ id: 'Grim', version: '2.3' }],
  },
  { file: 'jar-page-behind.txt', source: 'thejoshwolfe/yauzl#48', mods: [{ id: 'Paged' }] },
  {
    file: 'jar-script-before.txt',
    source: 'https://docs.spring.io/spring-boot/3.3/how-to/deployment/installing.html',
    mods: [{ id: 'Started' }],
  },
  { file: 'jar-twice.txt', source: 'GrimAnticheat/Grim#2229', mods: [{ id: 'Grim', version: '2' }] },
  { file: 'jar-multi-release.txt', source: 'https://openjdk.org/jeps/238', mods: [{ id: 'Released' }] },
  {
    file: 'jar-absolute-and-link.txt',
    source: 'OpenJDK, ZipFile.Source.checkAndAddEntry',
    mods: [{ id: 'Tools' }],
  },
  { file: 'jar-and-pack.txt', source: 'PaperMC/Paper#11152', mods: [{ id: 'double' }], places: [] },

  // Packs.
  {
    file: 'pack-windows.txt',
    source: 'modrinth/code#595',
    content: { is: 'pack', overrides: 1 },
    places: ['config/.hidden/.d', 'config/c.txt', 'config/e.txt', 'mods/B.jar', 'mods/a.jar', 'mods/own.jar'],
    leftOut: [],
  },
  {
    file: 'pack-neoforge-1.20.1.txt',
    source: 'HMCL-dev/HMCL#2708',
    content: { loader: 'neoforge', gameVersion: '1.20.1' },
    places: ['mods/a.jar'],
  },
  {
    file: 'pack-unstorable.txt',
    source: 'PolyMC/PolyMC#1137',
    content: {
      clientOnly: 1,
      leftOut: [
        { path: 'config/Users:ann:cu.textClipping', why: 'unstorable' },
        { path: 'shaderpacks/§r§lLex: V37.zip', why: 'unstorable' },
      ],
    },
    places: ['config/good.txt', 'config/paxi/resourcepacks/xksp-naturalize.zip', 'mods/a.jar'],
    leftOut: ['config/Users:ann:cu.textClipping', 'shaderpacks/§r§lLex: V37.zip'],
  },
  {
    file: 'pack-client-only.txt',
    source: 'LunaPixelStudios/Better-MC#1640',
    content: { clientOnly: 1, leftOut: [{ path: 'mods/oculus.jar', why: 'client-only' }] },
    places: ['config/a.txt', 'mods/a.jar', 'mods/broken.jar', 'mods/monitor.jar'],
  },
  {
    file: 'pack-client-only-fabric.txt',
    source: 'ThePansmith/CABIN#300',
    content: { clientOnly: 1, leftOut: [{ path: 'mods/client.jar', why: 'client-only' }] },
    places: ['config/a.txt', 'mods/api.jar'],
    leftOut: ['mods/client.jar', 'start.sh'],
  },
  {
    file: 'pack-optional.txt',
    source: 'https://support.modrinth.com/en/articles/8802351-modrinth-modpack-format-mrpack',
    content: { loader: 'quilt', clientOnly: 1, overrides: 1 },
    places: ['config/a.txt', 'mods/optional.jar', 'mods/untold.jar'],
  },
  {
    file: 'pack-fields-missing.txt',
    source: 'modrinth/code#3254',
    content: { is: 'pack', clientOnly: 0 },
    places: ['mods/a.jar', 'mods/b.jar', 'mods/c.jar'],
  },
  {
    file: 'pack-in-folder.txt',
    source: 'syldium/worldgen#22, Anuken/Mindustry#948',
    content: { name: 'Pack', loader: 'fabric', gameVersion: '1.20.1' },
    places: ['config/a.txt', 'mods/a.jar', 'mods/b.jar'],
  },
  {
    file: 'pack-names-in-two-cases.txt',
    source: 'rwtema/extrautilities_old_issues#1352, KSP-CKAN/CKAN#4523',
    content: { leftOut: [{ why: 'unstorable' }, { why: 'unstorable' }] },
    places: ['config/mod.toml', 'kubejs/assets/texture.png', 'mods/a.jar'],
    leftOut: ['config/Mod.toml', 'kubejs/assets/Texture.png'],
  },
  {
    file: 'pack-mods-in-two-cases.txt',
    source: 'BalloonUpdate/McPatchClient#1',
    fault: 'case-collision',
  },
  {
    file: 'pack-from-mac.txt',
    source: 'PlayPro/CoreProtect#315, BlackJar72/DoomlikeDungeons#43',
    places: ['config/a.txt', 'mods/a.jar'],
  },
  {
    file: 'pack-curseforge-in-folder.txt',
    source: 'scalda/FoolCraft#123',
    content: { is: 'unknown', why: expectText('for players of CurseForge') },
    places: [],
  },
  {
    file: 'pack-server-with-list.txt',
    source: 'itzg/docker-minecraft-server#1639',
    content: { is: 'pack' },
    places: ['config/a.txt', 'manifest.json', 'mods/a.jar'],
  },
  {
    file: 'pack-in-archive.txt',
    source: 'Nexus-Mods/Vortex#7760',
    content: { is: 'unknown', why: expectText('Pack 1.0.mrpack') },
    places: [],
  },
  { file: 'pack-absolute.txt', source: 'modrinth/code#458', fault: 'path-absolute' },
  { file: 'pack-root.txt', source: 'modrinth/labrinth#174', fault: 'path-absolute' },
  { file: 'pack-outside.txt', source: 'modrinth/labrinth#174', fault: 'path-outside' },
  { file: 'pack-share.txt', source: 'modrinth/code#458', fault: 'path-absolute' },

  // 7 Days to Die.
  {
    file: '7dtd-part.txt',
    source: 'ChrisDKN/Amethyst-Mod-Manager#284',
    game: sevenDays,
    content: { folders: [{ name: 'A' }], parts: [{ path: 'A/Optional/B', name: 'B' }] },
    places: ['Mods/A/Config/items.xml', 'Mods/A/ModInfo.xml'],
    leftOut: ['A/Optional/B/Config/items.xml', 'A/Optional/B/ModInfo.xml'],
  },
  {
    file: '7dtd-part.txt',
    source: 'ChrisDKN/Amethyst-Mod-Manager#284',
    game: sevenDays,
    parts: ['A/Optional/B', 'A/Optional/unknown'],
    content: { folders: [{ name: 'A' }, { name: 'B' }] },
    places: [
      'Mods/A/Config/items.xml',
      'Mods/A/ModInfo.xml',
      'Mods/B/Config/items.xml',
      'Mods/B/ModInfo.xml',
    ],
  },
  {
    file: '7dtd-parts-of-one-name.txt',
    source: 'X-Hax/sadx-mod-loader#13',
    game: sevenDays,
    parts: ['A/90 slots/Backpack'],
    content: { folders: [{ name: 'A' }, { name: 'Backpack' }] },
    places: ['Mods/A/ModInfo.xml', 'Mods/Backpack/ModInfo.xml'],
  },
  {
    file: '7dtd-parts-of-one-name.txt',
    source: 'X-Hax/sadx-mod-loader#13',
    game: sevenDays,
    parts: ['A/60 slots/Backpack', 'A/90 slots/Backpack'],
    content: { is: 'unknown' },
    places: [],
  },
  {
    file: '7dtd-wrapped.txt',
    source: 'IceCoffee1024/7DaysToDie-ServerKit#56',
    game: sevenDays,
    content: { folders: [{ name: 'A' }, { name: 'B', metadata: { version: '0.1' } }] },
    places: ['Mods/A/ModInfo.xml', 'Mods/B/ModInfo.xml'],
  },
  {
    file: '7dtd-backslashes.txt',
    source: 'Nexus-Mods/vortex-games#86',
    game: sevenDays,
    places: ['Mods/A/Config/items.xml', 'Mods/A/ModInfo.xml'],
  },
  {
    file: '7dtd-height-map.txt',
    source: 'skylot/jadx#2105',
    game: sevenDays,
    places: ['Mods/World/ModInfo.xml', 'Mods/World/Worlds/Flat/dtm.raw'],
  },
  {
    file: '7dtd-unstorable.txt',
    source: 'PrismLauncher/PrismLauncher#564',
    game: sevenDays,
    content: { leftOut: [{ path: 'Mods/A/Screens/What?.png', why: 'unstorable' }] },
    places: ['Mods/A/Config/items.xml', 'Mods/A/ModInfo.xml'],
  },
  {
    file: '7dtd-dot-folder.txt',
    source: 'The7D2DModLauncher/7D2DModLauncherV5#5',
    game: sevenDays,
    places: ['Mods/FastDewCollector/ModInfo.xml'],
  },
  {
    file: '7dtd-archive-in-archive.txt',
    source: 'Nexus-Mods/Vortex#7760',
    game: sevenDays,
    content: { is: 'unknown', why: expectText('A mod.zip') },
    places: [],
  },
  {
    file: '7dtd-names-in-two-cases.txt',
    source: 'KSP-CKAN/CKAN#4523, IceCoffee1024/7DaysToDie-ServerKit#56',
    game: sevenDays,
    content: { folders: [{ name: 'A', metadata: { id: 'A' } }] },
    places: ['Mods/A/Config/Items.xml', 'Mods/A/ModInfo.xml'],
    leftOut: ['A/config/items.xml', 'A/modinfo.xml'],
  },
  {
    file: '7dtd-optional-beside.txt',
    source: 'limo-app/limo#132, Nexus-Mods/Vortex#6000',
    game: sevenDays,
    content: {
      folders: [{ name: 'Main' }],
      parts: [{ path: 'Optional/Bigger Bags', name: 'BiggerBags' }],
    },
    places: ['Mods/Main/ModInfo.xml'],
  },
  {
    file: '7dtd-optional-beside.txt',
    source: 'limo-app/limo#132',
    game: sevenDays,
    parts: ['Optional/Bigger Bags'],
    places: ['Mods/Bigger Bags/ModInfo.xml', 'Mods/Main/ModInfo.xml'],
  },
  {
    file: '7dtd-only-optional.txt',
    source: 'Nexus-Mods/Vortex#6000',
    game: sevenDays,
    places: ['Mods/Options/ModInfo.xml'],
  },
  {
    file: '7dtd-ampersand.txt',
    source: 'pelican-eggs/eggs#279',
    game: sevenDays,
    content: { is: 'unknown', why: expectText('no valid XML') },
  },
  {
    file: '7dtd-hyphens-in-comment.txt',
    source: 'https://www.w3.org/TR/xml/#sec-comments',
    game: sevenDays,
    content: { is: 'unknown', why: expectText('no valid XML') },
  },
  {
    file: '7dtd-numbered-letters.txt',
    source: 'https://www.w3.org/TR/xml/#sec-references',
    game: sevenDays,
    content: { folders: [{ name: 'A', metadata: { id: 'Jörgs & B' } }] },
  },
  { file: '7dtd-bytes-behind.txt', source: 'thejoshwolfe/yauzl#48', game: sevenDays, fault: 'damaged' },
];

/** Compared by the test as text that is somewhere in the value. */
function expectText(text: string): { readonly asymmetricMatch: (value: unknown) => boolean } {
  return { asymmetricMatch: (value) => typeof value === 'string' && value.includes(text) };
}

/** A mod that is installed, what its source has for the server, and the update to it. */
export interface LineCase {
  readonly what: string;
  readonly source: string;
  /** By number, with the game's versions, the loaders and the channel where they are not those of the server. */
  readonly installed: string;
  readonly offered: readonly string[];
  readonly update: string | null;
  readonly otherLine: string | null;
}

/** `number [game versions] [loaders] channel`; published in their order, the installed one where it is named, else first. */
export const lineCases: readonly LineCase[] = [
  {
    what: 'made for another version of the game',
    source: 'modrinth/code#2660',
    installed: '2.6.11 [1.20.2]',
    offered: ['2.6.10'],
    update: null,
    otherLine: '2.6.10',
  },
  {
    what: 'made for another loader',
    source: 'modrinth/labrinth#545',
    installed: '2.6.11 [1.20.1] [fabric]',
    offered: ['2.6.10 [1.20.1] [quilt]'],
    update: null,
    otherLine: '2.6.10',
  },
  {
    what: 'higher where it comes from elsewhere',
    source: 'TerraformersMC/ModMenu#695',
    installed: '5.3.8 [1.20.1]',
    offered: ['ambientsounds-5.3.5'],
    update: null,
    otherLine: 'ambientsounds-5.3.5',
  },
  {
    what: 'a fix for an older line, later than the newer one',
    source: 'TerraformersMC/ModMenu#716',
    installed: '2.0.0',
    offered: ['2.0.0', '2.0.1', '0.5.9'],
    update: '2.0.1',
    otherLine: null,
  },
  {
    what: 'a fix for an older line, and nothing for the newer one',
    source: 'TerraformersMC/ModMenu#716',
    installed: 'mc1.20.1-2.0.0',
    offered: ['mc1.20.1-2.0.0', 'mc1.20.1-0.5.9'],
    update: null,
    otherLine: 'mc1.20.1-0.5.9',
  },
  {
    what: 'a development version before the release of its line',
    source: 'Laerinok/VS_ModsUpdater_v2#51',
    installed: '0.9.8-dev.1 beta',
    offered: ['0.9.8-dev.1 beta', '0.9.7'],
    update: null,
    otherLine: '0.9.7',
  },
  {
    what: 'the server has a newer version of the game',
    source: 'modrinth/code#870',
    installed: '0.5.8+mc1.20 [1.20]',
    offered: ['0.5.8+mc1.20.1'],
    update: '0.5.8+mc1.20.1',
    otherLine: null,
  },
  {
    what: 'the number of the game before the own one',
    source: 'modrinth/code#3438',
    installed: 'jei-1.20.1-forge-15.3.0.4.jar',
    offered: ['jei-1.20.1-forge-15.3.0.4.jar', 'jei-1.20.1-forge-15.20.0.1.jar'],
    update: 'jei-1.20.1-forge-15.20.0.1.jar',
    otherLine: null,
  },
  {
    what: 'the same number once more for another loader',
    source: 'Snownee/Jade#291',
    installed: '1.2.3 [1.20.1] [fabric]',
    offered: ['1.2.3 [1.20.1] [fabric]', '1.2.3 [1.20.1] [quilt]'],
    update: null,
    otherLine: null,
  },
  {
    what: 'the same number once more, mended',
    source: 'modrinth/code#2660',
    installed: '1.2.3',
    offered: ['1.2.3', '1.2.3 again'],
    update: '1.2.3 again',
    otherLine: null,
  },
  {
    what: 'a letter behind the number, for another version of the game',
    source: 'Creators-of-Create/Create, releases 0.5.1.b to 0.5.1.j',
    installed: 'create-1.20.1-0.5.1.j.jar',
    offered: ['create-1.19.2-0.5.1.f.jar [1.19.2]'],
    update: null,
    otherLine: 'create-1.19.2-0.5.1.f.jar',
  },
  {
    what: 'the next letter',
    source: 'Creators-of-Create/Create, releases 0.5.1.b to 0.5.1.j',
    installed: '0.5.1.f',
    offered: ['0.5.1.f', '0.5.1.g', '0.5.1.e'],
    update: '0.5.1.g',
    otherLine: null,
  },
  {
    what: 'milestones and betas in short',
    source: 'https://maven.apache.org/pom.html#version-order-specification',
    installed: '2.0-b10 beta',
    offered: ['2.0-b10 beta', '2.0-b9 beta'],
    update: null,
    otherLine: '2.0-b9',
  },
  {
    what: 'the release of a beta',
    source: 'https://semver.org/#spec-item-11',
    installed: '2.1.0-beta.3 beta',
    offered: ['2.1.0-beta.3 beta', '2.1.0'],
    update: '2.1.0',
    otherLine: null,
  },
  {
    what: 'names without numbers, which the date decides',
    source: 'modrinth/code#6880',
    installed: 'first light',
    offered: ['first light', 'second light'],
    update: 'second light',
    otherLine: null,
  },
];
