import type { ModLoader } from '#contracts/servers/agent-mods.ts';
import { plainLogLine } from '../log-line.ts';
import type { LoaderFacts } from '../mods-layout.ts';
import type { ServerFolder } from '../saves-layout.ts';

const none: LoaderFacts = { loader: null, loaderVersion: null, gameVersion: null };

/**
 * The mod loader of this server: from its start command, else its start script, else the files that a loader's installer leaves,
 * else its log. A command that runs one of several installed versions names it; files alone may belong to an earlier one.
 */
export const findLoader = async (server: ServerFolder, args: readonly string[]): Promise<LoaderFacts> => {
  const told = readWords(args) ?? (await readScripts(server)) ?? (await readFiles(server));
  if (told === null) return (await readLog(server)) ?? none;
  if (told.loader !== null && told.loaderVersion !== null && told.gameVersion !== null) return told;
  const installed = await readVersions(server, told.loader);
  const known = {
    loader: told.loader,
    loaderVersion: told.loaderVersion ?? installed.loaderVersion,
    gameVersion: told.gameVersion ?? installed.gameVersion,
  };
  if (known.loaderVersion !== null && known.gameVersion !== null) return known;
  const logged = await readLog(server);
  // The log is from the last start, possibly with another loader.
  if (logged?.loader !== known.loader) return known;
  return {
    loader: known.loader,
    loaderVersion: known.loaderVersion ?? logged.loaderVersion,
    gameVersion: known.gameVersion ?? logged.gameVersion,
  };
};

/** Releases, what comes before them, and snapshots: `1.20.1`, `1.21.5-pre1`, `26.1-snapshot-6`, `24w14a`, `25w14craftmine`. */
const version = String.raw`(?:\d\dw\d\d[a-z]\w*|\d+(?:\.\d+){1,3}(?:[-_](?:pre|rc|snapshot)-?\d+)?)`;
const forms: readonly { readonly loader: ModLoader; readonly named: RegExp }[] = [
  // The server launcher from Fabric's site.
  {
    loader: 'fabric',
    named: new RegExp(`fabric-server-mc\\.(?<game>${version})-loader\\.(?<own>[\\d.]+\\d)`),
  },
  { loader: 'fabric', named: /(?:^|[\\/])fabric-server-launch(?:er)?\.jar$/ },
  { loader: 'quilt', named: /(?:^|[\\/])quilt-server-launch(?:er)?\.jar$/ },
  { loader: 'neoforge', named: /libraries[\\/]net[\\/]neoforged[\\/]neoforge[\\/](?<own>[^\\/]+)[\\/]/ },
  // Its first version had Forge's name; one of them lacks the game's version (HMCL-dev/HMCL, pull request 2708).
  {
    loader: 'neoforge',
    named:
      /libraries[\\/]net[\\/]neoforged[\\/]forge[\\/](?:(?<game>[^\\/-]+)-(?:forge-)?)?(?<own>[^\\/]+)[\\/]/,
  },
  {
    loader: 'forge',
    named: /libraries[\\/]net[\\/]minecraftforge[\\/]forge[\\/](?<game>[^\\/-]+)-(?<own>[^\\/]+)[\\/]/,
  },
  { loader: 'neoforge', named: /(?:^|[\\/])arclight-neoforge-(?<game>\d+\.\d+(?:\.\d+)?)[^\\/]*\.jar$/ },
  {
    loader: 'fabric',
    named: /(?:^|[\\/])(?:arclight-fabric|banner|taiyitist)-(?<game>\d+\.\d+(?:\.\d+)?)[^\\/]*\.jar$/i,
  },
  {
    loader: 'forge',
    named:
      /(?:^|[\\/])(?:arclight-forge|arclight|mohist|magma|catserver|ketting|k?cauldron|thermos|crucible|loliserver)-(?<game>\d+\.\d+(?:\.\d+)?)[^\\/]*\.jar$/i,
  },
  {
    loader: 'neoforge',
    named: /(?:^|[\\/])(?:youer|neotenet|magma-?neo)-(?<game>\d+\.\d+(?:\.\d+)?)[^\\/]*\.jar$/i,
  },
  {
    loader: 'forge',
    named:
      /(?:^|[\\/])(?:minecraft)?forge-(?:universal-)?(?<game>\d+\.\d+(?:\.\d+)?(?:_pre\d+)?)-(?<own>[\d.]+\d)[^\\/]*\.(?:jar|zip)$/,
  },
  {
    loader: 'paper',
    named: new RegExp(
      `(?:^|[\\\\/])(?:paper|paperclip|aspaper|purpur|folia|luminol|pufferfish|airplane|gale|leaf|leaves|divinemc|spigot|pandaspigot|craftbukkit)(?:[-_](?<game>${version}))?[^\\\\/]*\\.jar$`,
      'i',
    ),
  },
  { loader: 'velocity', named: /(?:^|[\\/])velocity(?:-(?<own>\d+(?:\.\d+)+(?:-SNAPSHOT)?))?[^\\/]*\.jar$/i },
];

const factsOf = (loader: ModLoader, own: string | undefined, game: string | undefined): LoaderFacts => {
  const [ownVersion, gameVersion] = [own, game].map(told);
  return {
    loader,
    // Forge 1.7.10 and 1.8 repeat the game's version.
    loaderVersion: ownVersion?.replace(new RegExp(`-${RegExp.escape(gameVersion ?? ' ')}$`), '') ?? null,
    gameVersion:
      gameVersion?.replace('_', '-') ??
      (loader === 'neoforge' && ownVersion !== undefined ? neoForgeGame(ownVersion) : null),
  };
};

/** A start script may have a variable in its place. */
const told = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w.+-]+$/.test(text) ? text : undefined;

/**
 * 21.1.77 is for 1.21.1, 21.0.3 for 1.21; since 26.1 it contains the game's whole version (docs.neoforged.net, versioning). 47.1.106 was
 * made for 1.20.1. Versions for snapshots name them: `20.5.0-alpha.24w14a.20240403.1`, `0.25w14craftmine.3-beta`,
 * `26.1.0.0-alpha.2+snapshot-6`.
 */
export const neoForgeGame = (own: string): string | null => {
  const snapshot = /(?:^0|-alpha)\.(?<game>\d\dw\d\d[a-z]\w*|1\.\d+(?:\.\d+)?(?:-(?:pre|rc)-?\d+)?)\./.exec(
    own,
  );
  if (snapshot?.groups?.game !== undefined) return snapshot.groups.game;
  const [, early] = /\+((?:snapshot|pre|rc)-?\d+)$/.exec(own) ?? [];
  const [first, second, third] = own.split(/[.+-]/).map(Number);
  if (first === undefined || second === undefined || Number.isNaN(first) || Number.isNaN(second)) return null;
  if (first === 47) return '1.20.1';
  const release =
    first < 26
      ? `1.${first}${second === 0 ? '' : `.${second}`}`
      : `${first}.${second}${third === undefined || Number.isNaN(third) || third === 0 ? '' : `.${third}`}`;
  return early === undefined ? release : `${release}-${early}`;
};

const readWords = (words: readonly string[]): LoaderFacts | null => {
  for (const word of words)
    for (const { loader, named } of forms) {
      const found = named.exec(word);
      if (found !== null) return factsOf(loader, found.groups?.own, found.groups?.game);
    }
  return null;
};

/** Named by installers (Forge's and NeoForge's run.sh), and by convention. */
const scripts = ['run', 'start', 'startserver', 'start-server', 'ServerStart', 'LaunchServer'].flatMap(
  (name) => [`${name}.sh`, `${name}.bat`],
);

const readScripts = async (server: ServerFolder): Promise<LoaderFacts | null> => {
  for (const name of scripts) {
    const content = (await server.read(name))?.toString('latin1') ?? '';
    const words = content
      .split(/\r?\n/)
      .filter((line) => !/^\s*(?:#|rem\b|::|echo\b)/i.test(line))
      .flatMap((line) => line.split(/[\s"'=]+/));
    const told = readWords(words);
    if (told !== null) return told;
  }
  return null;
};

/** By the files that only this loader leaves; null when files of several are there, so that the log has to decide. */
const readFiles = async (server: ServerFolder): Promise<LoaderFacts | null> => {
  const names = new Set([...(await server.files('.')), ...(await server.folders('.'))]);
  const net = new Set(await server.folders('libraries/net'));
  const has = async (path: string) => (await server.folders(path)).length > 0;
  const isHybrid = [
    'mohist-config',
    'mohist.yml',
    'arclight.conf',
    '.arclight',
    'magma.yml',
    'catserver.yml',
    'youer-config',
  ].some((name) => names.has(name));
  const found: ModLoader[] = [];
  if (
    names.has('fabric-server-launch.jar') ||
    names.has('fabric-server-launcher.properties') ||
    names.has('.fabric')
  )
    found.push('fabric');
  if (names.has('quilt-server-launch.jar') || names.has('quilt-server-launcher.properties'))
    found.push('quilt');
  if (net.has('minecraftforge') && (await has('libraries/net/minecraftforge/forge'))) found.push('forge');
  if (net.has('neoforged'))
    found.push(
      ...((await has('libraries/net/neoforged/neoforge')) || (await has('libraries/net/neoforged/forge'))
        ? (['neoforge'] as const)
        : []),
    );
  if (names.has('velocity.toml') && !names.has('server.properties')) found.push('velocity');
  if (
    !isHybrid &&
    ['bukkit.yml', 'spigot.yml', 'paper.yml', 'version_history.json'].some((name) => names.has(name))
  )
    found.push('paper');
  const [loader, ...others] = found;
  return loader === undefined || others.length > 0 ? null : { ...none, loader };
};

/** Versions whose files are in the server's folder; none when there are several, since any of them may be started. */
const readVersions = async (server: ServerFolder, loader: ModLoader | null): Promise<LoaderFacts> => {
  const only = async (path: string): Promise<string | undefined> => {
    const [name, ...others] = await server.folders(path);
    return others.length === 0 ? name : undefined;
  };
  const game = async () => {
    const name = await only('versions');
    return name !== undefined && /^\d/.test(name) ? name : undefined;
  };
  switch (loader) {
    case 'fabric':
      return factsOf(loader, await only('libraries/net/fabricmc/fabric-loader'), await game());
    case 'quilt':
      return factsOf(loader, await only('libraries/org/quiltmc/quilt-loader'), await game());
    case 'neoforge': {
      const first = await only('libraries/net/neoforged/forge');
      const later = await server.folders('libraries/net/neoforged/neoforge');
      if (first === undefined || later.length > 0)
        return factsOf(loader, later.length === 1 ? later[0] : undefined, undefined);
      return factsOf(loader, first.replace(/^[^-]+-(?:forge-)?/, ''), undefined);
    }
    case 'forge': {
      const name = await only('libraries/net/minecraftforge/forge');
      const split = name?.indexOf('-') ?? -1;
      return split < 1 ? { ...none, loader } : factsOf(loader, name?.slice(split + 1), name?.slice(0, split));
    }
    case 'paper': {
      const history = readHistory((await server.read('version_history.json'))?.toString('utf8') ?? '');
      return factsOf(loader, history?.own, history?.game ?? (await game()));
    }
    default:
      return { ...none, loader };
  }
};

/** `{"currentVersion":"git-Paper-196 (MC: 1.20.1)"}`, `"1.21.4-222-main@… (MC: 1.21.4)"` since 1.20.6. */
const readHistory = (text: string): { own: string | undefined; game: string } | null => {
  const current = /"currentVersion"\s*:\s*"(?<own>[^"(]{0,100})\(MC: (?<game>[^)"]{1,40})\)"/.exec(
    text,
  )?.groups;
  if (current?.game === undefined) return null;
  const build =
    /^git-\w+-"?(?<build>\d+)/.exec(current.own ?? '')?.groups?.build ??
    /^[\w.]+-(?<build>\d+)-/.exec(current.own ?? '')?.groups?.build;
  return { own: build, game: current.game };
};

/** Lines at the start of a log; later ones come from plugins and players. */
const logLines = 2000;
const stamp =
  /^\[[^\]]{1,60}(?:\] \[[^\]]{1,80}\/| )INFO\](?: \[[^\]]{1,160}\])?:? (?:\([^)]{1,80}\) )?(?<said>.*)$/;

const readLog = async (server: ServerFolder): Promise<LoaderFacts | null> => {
  const text = (await server.read('logs/latest.log'))?.toString('utf8') ?? '';
  let game: string | undefined;
  let forge: string | undefined;
  let found: LoaderFacts | null = null;
  for (const line of text.split('\n', logLines)) {
    const said = stamp.exec(plainLogLine(line) ?? '')?.groups?.said;
    if (said === undefined) continue;
    const loading =
      /^Loading (?:for game )?Minecraft (?<game>\S+) with (?<name>Fabric|Quilt) Loader (?<own>\S+)/.exec(
        said,
      )?.groups;
    if (loading?.name !== undefined)
      found ??= factsOf(loading.name === 'Fabric' ? 'fabric' : 'quilt', loading.own, loading.game);
    const launch = /^ModLauncher running: args \[(?<args>.*)\]/.exec(said)?.groups?.args;
    if (launch !== undefined) found ??= readLaunch(launch);
    game ??= /^Starting minecraft server version (?<game>\S+)/i.exec(said)?.groups?.game;
    // Up to 1.12; before, the loader had a number of its own.
    const oldForge = /^Forge Mod Loader version \S+ for Minecraft (?<game>\S+) loading/.exec(said)?.groups
      ?.game;
    if (oldForge !== undefined) found ??= factsOf('forge', undefined, oldForge);
    forge ??= /^MinecraftForge v(?<own>\S+) Initialized/.exec(said)?.groups?.own;
    const bukkit = /^This server is running \S+ version .*\(MC: (?<game>[^)]+)\)/.exec(said)?.groups?.game;
    if (bukkit !== undefined) found ??= factsOf('paper', undefined, bukkit);
  }
  if (found === null) return null;
  const own = found.loader === 'forge' ? forge : undefined;
  return {
    ...found,
    loaderVersion: found.loaderVersion ?? own ?? null,
    gameVersion: found.gameVersion ?? game ?? null,
  };
};

/**
 * `--launchTarget, forgeserver, --fml.forgeVersion, 47.2.0, --fml.mcVersion, 1.20.1`; NeoForge uses `--fml.neoForgeVersion`, and on 1.20.1
 * `--fml.forgeVersion` with `--fml.forgeGroup, net.neoforged`.
 */
const readLaunch = (args: string): LoaderFacts | null => {
  const option = (name: string) =>
    new RegExp(`--fml\\.${name}, (?<value>[^,\\]]+)`).exec(args)?.groups?.value;
  const neoForge = option('neoForgeVersion');
  if (neoForge !== undefined) return factsOf('neoforge', neoForge, option('mcVersion'));
  const forge = option('forgeVersion');
  const loader = option('forgeGroup') === 'net.neoforged' ? 'neoforge' : 'forge';
  return forge === undefined ? null : factsOf(loader, forge, option('mcVersion'));
};
