import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { type GameId, gameIds, games } from '#contracts/servers/games.ts';
import type { ConsoleTarget } from '#games/connection.ts';
import { isAbsent } from '#runtime/absent-file.ts';
import { certificatePinPattern } from '#runtime/certificate-pin.ts';
import { ConfigError, settingsText } from '#runtime/env.ts';
import type { OutsideSettings } from '#runtime/outside/outside.ts';
import { outsideSecrets, proxyField } from '#runtime/outside/outside-fields.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { isKnownEncoding } from '../game/line-encoding.ts';
import { type ModsConfig, modsConfig, modsSection } from './mods-section.ts';
import { type SavesConfig, savesConfig, savesSection } from './saves-section.ts';
import { type ServerConfig, serverSection } from './server-section.ts';

export interface AgentConfig {
  readonly apiUrl: URL;
  /** Pins of the API's certificate, when no usual authority vouches for it. */
  readonly certificatePins: readonly string[];
  readonly useWebSocket: boolean;
  readonly serverId: string;
  readonly secret: Secret;
  readonly game: GameId;
  /** Null: the agent was enrolled, and the game's console is not known yet. */
  readonly console: ConsoleTarget | null;
  /** The game's own log; null when it is not read. */
  readonly logFile: string | null;
  /** The encoding of the log's lines that are not UTF-8, by its TextDecoder name; null: this machine's. */
  readonly logEncoding?: string | null;
  /** Holds the agent's key and its journal. */
  readonly stateFolder: string;
  /** How much of the console is kept on this machine. */
  readonly history: { readonly days: number; readonly megabytes: number };
  /** The game server on this machine; null when it is not configured. */
  readonly server: ServerConfig | null;
  /** The folder of the world in which survivors are looked up; null: it is searched for below the server's folder. */
  readonly survivorsFolder: string | null;
  readonly saves: SavesConfig;
  readonly mods: ModsConfig;
  /** The way to sources of mods, and to an API that is outside this network. */
  readonly outside: OutsideSettings;
}

const words = (text: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is missing' : text),
});
const wholeNumber = (least: number, most: number) => {
  const rule = `must be a whole number from ${least} to ${most}, without quotes`;
  return z.int(words(rule)).min(least, rule).max(most, rule);
};
const text = (what: string) => z.string(words(`must be ${what}, in quotes`));

export const apiUrl = text('the address of the API, such as "https://panel.example.org"')
  .refine(
    isWebAddress,
    'must be an address that begins with http:// or https://, without a name, password or ?',
  )
  .transform((value) => new URL(value));

export const certificatePins = z
  .array(
    z.string().regex(certificatePinPattern, 'must be as the panel shows it: "sha256//" and 44 characters'),
  )
  .max(10);

const configFile = z.strictObject({
  apiUrl,
  certificatePins: certificatePins.default([]),
  useWebSocket: z.boolean(words('must be true or false, without quotes')).default(true),
  serverId: text('the ID of the server that the panel shows')
    .trim()
    .min(1, 'is empty: copy it from the panel')
    .max(64, 'is too long for a server ID: copy it from the panel'),
  secret: text('the GAME_AGENT_SECRET of the .env file of Castellan').min(
    16,
    'must have at least 16 characters: copy GAME_AGENT_SECRET from the .env file of Castellan',
  ),
  game: z.enum(gameIds, words(`must be one of ${gameIds.map((id) => `"${id}"`).join(', ')}`)),
  console: z
    .strictObject(
      {
        host: text('the game\'s address, such as "127.0.0.1"').min(1, 'is empty').default('127.0.0.1'),
        port: z
          .int(words('must be a port number from 1 to 65535, without quotes'))
          .min(1, 'must be a port number from 1 to 65535')
          .max(65_535, 'must be a port number from 1 to 65535')
          .optional(),
        password: text('the password of the game\'s console; "" where it has none'),
      },
      words('must be a group: { "port": …, "password": "…" }, or null while it is not known'),
    )
    .nullable(),
  logFile: text("the path of the game's log")
    .min(1, 'is empty: leave it out where no log is read')
    .optional(),
  logEncoding: text('the name of an encoding, such as "windows-1251"')
    .refine(isKnownEncoding, 'is not an encoding, such as "windows-1251", "gbk" or "shift_jis"')
    .optional(),
  stateFolder: text('the path of a folder').min(1, 'is empty: leave it out').optional(),
  history: z
    .strictObject({
      days: wholeNumber(1, 90).default(7),
      megabytes: wholeNumber(10, 100_000).default(200),
    })
    .prefault({}),
  server: serverSection().optional(),
  survivors: z
    .strictObject({ folder: text('the path of the folder that holds the world').min(1, 'is empty') })
    .optional(),
  saves: savesSection.optional(),
  mods: modsSection.optional(),
  outside: z
    .strictObject({
      trustedCaFile: text('the path of a certificate').min(1, 'is empty: leave it out').optional(),
      proxy: proxyField.optional(),
      noProxy: text('hosts, separated by commas').default(''),
    })
    .prefault({}),
});

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

/**
 * Reads and checks config.json; relative paths in it start at its folder.
 * @throws {ConfigError} naming all faults, and no value
 * @throws {StartupError} when the file cannot be read
 */
export const readAgentConfig = async (path: string): Promise<AgentConfig> => {
  const result = configFile.safeParse(await readJson(path));
  if (!result.success) throw new ConfigError(path, result.error.issues.flatMap(faultsOf));
  const {
    console,
    logFile,
    logEncoding,
    stateFolder,
    secret,
    server,
    survivors,
    saves,
    mods,
    outside,
    ...rest
  } = result.data;
  const folder = dirname(path);
  const state = resolve(folder, stateFolder ?? '.');
  return {
    ...rest,
    secret: new Secret(secret),
    console: console && {
      host: console.host,
      port: console.port ?? games[rest.game].defaultPort,
      password: new Secret(console.password),
    },
    logFile: logFile === undefined ? null : resolve(folder, logFile),
    logEncoding: logEncoding ?? null,
    stateFolder: state,
    server: server ?? null,
    survivorsFolder: survivors === undefined ? null : resolve(folder, survivors.folder),
    saves: savesConfig(saves, folder, state),
    mods: modsConfig(mods, folder, state),
    outside: {
      trustedCaFile: outside.trustedCaFile && resolve(folder, outside.trustedCaFile),
      proxy: outside.proxy,
      noProxy: outside.noProxy,
    },
  };
};

const faultsOf = (issue: z.core.$ZodIssue) =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        variable: [...issue.path, key].join('.'),
        message: 'is not known; check the spelling',
      }))
    : [{ variable: issue.path.join('.') || 'the file', message: issue.message }];

const readJson = async (path: string): Promise<unknown> => {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const why = isAbsent(error) ? 'does not exist' : 'cannot be read';
    throw new StartupError(`The configuration ${path} ${why}. Choose another file with --config.`, {
      cause: error,
    });
  }
  const text = settingsText(path, bytes);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the text around the fault, which may be the secret.
    throw new ConfigError(path, [
      {
        variable: 'the file',
        message: 'is not JSON: look for a missing comma or quote, and write \\ in paths as \\\\ or /',
      },
    ]);
  }
};

/** All values that no log may show. */
export const agentSecrets = ({ secret, console, outside }: AgentConfig): readonly Secret[] => [
  secret,
  ...(console ? [console.password] : []),
  ...outsideSecrets(outside),
];

/** The file holds secrets. False on Windows, where file modes mean nothing. */
export const canOthersRead = async (path: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0;

type LineSources = Pick<AgentConfig, 'game' | 'console' | 'logFile' | 'server'>;

/** Whether the console sends lines unasked; for other games only the log shows any. */
export const hasLiveConsole = ({ game }: Pick<AgentConfig, 'game'>): boolean => games[game].hasLiveConsole;

/** Whether the holder's console file replaces a log, because the game's console shows no lines itself. */
export const readsHeldConsole = (config: Omit<LineSources, 'console'>): boolean =>
  config.server?.start.by === 'holder' && config.logFile === null && !hasLiveConsole(config);

/** Whether the agent sees the game's lines at all. */
export const readsLines = (config: LineSources): boolean =>
  config.logFile !== null || readsHeldConsole(config) || (config.console !== null && hasLiveConsole(config));
