import * as z from 'zod';

/**
 * What the API asks of an agent about a game's mods, and what the agent tells of them. Places are those that the game's adapter
 * knows; no task carries a path. Whether mods may be changed at all is set on the game's machine (`allow.mods`).
 */

/**
 * - `modrinth`, `curseforge`: by their APIs
 * - `steam`: Steam Workshop; the game or steamcmd downloads it by its id
 * - `address`: a file at an address that a person typed
 * - `upload`: a file that a person uploaded in the panel
 */
export const modSources = ['modrinth', 'curseforge', 'steam', 'address', 'upload'] as const;
export const modSource = z.enum(modSources);

/**
 * How a mod lies in its game.
 * - `file`: as it is, in the folder for mods or for plugins
 * - `folders`: an archive with folders that each hold a ModInfo.xml
 * - `pack`: a `.mrpack`, or a server pack as a zip: many files
 * - `id`: only its id, in a list that the game reads when it starts
 */
export const modForms = ['file', 'folders', 'pack', 'id'] as const;
export const modForm = z.enum(modForms);
export type ModForm = z.infer<typeof modForm>;

/** Of Minecraft; `paper` stands for all that load Bukkit's plugins. */
export const modLoaders = ['fabric', 'quilt', 'forge', 'neoforge', 'paper', 'velocity'] as const;
export const modLoader = z.enum(modLoaders);
export type ModLoader = z.infer<typeof modLoader>;

/** Mods and packs of one server; the files of a pack are not counted. */
export const mostMods = 500;
/** Bytes of one file. */
export const largestModFile = 4 * 1024 * 1024 * 1024;

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
export const sha512 = hex(64);
export const sha1 = hex(20);

/** A plain file name, on every system: no separators, no names that Windows keeps for devices. */
export const modFileName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\\/:*?"<>|\p{Cc}]+$/u)
  .regex(/^(?!\.)(?!.*[. ]$)(?!(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$))/i);

export const modFile = z.object({
  name: modFileName,
  /** Null: the source does not tell. */
  bytes: z.int().nonnegative().max(largestModFile).nullable(),
  /** Whatever is given must be met; with an address that a person typed, none may be known. */
  hashes: z.object({ sha512: sha512.optional(), sha1: sha1.optional() }),
  from: z.discriminatedUnion('kind', [
    /** `key`: whose key the agent has to ask the API for, just before it downloads. */
    z.object({
      kind: z.literal('address'),
      url: z.url().max(2000),
      key: z.enum(['curseforge']).nullable(),
    }),
    /** The API keeps it; the agent asks for it by this id. */
    z.object({ kind: z.literal('api'), id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }),
  ]),
});
export type ModFile = z.infer<typeof modFile>;

/** Names a mod among those of its server: `modrinth:AANobbMI`, `curseforge:238222`, `steam:731604991`, `address:…`, `upload:…`. */
export const modKey = z
  .string()
  .regex(/^(?:modrinth|curseforge|steam|address|upload):[A-Za-z0-9._-]{1,150}$/);

/** A mod as it shall be, or is, on a server. */
export const modItem = z.object({
  key: modKey,
  source: modSource,
  /** The source's id of the project; null where it has none. */
  project: z.string().max(100).nullable(),
  /** The source's id of the version or file; null where it has none. */
  version: z.string().max(100).nullable(),
  name: z.string().min(1).max(200),
  versionName: z.string().max(100).nullable(),
  form: modForm,
  /** Of a `file`. */
  folder: z.enum(['mods', 'plugins']).nullable(),
  /** Null for an `id`. */
  file: modFile.nullable(),
  /** Who wanted it, for people. */
  byName: z.string().max(200),
});
export type ModItem = z.infer<typeof modItem>;

/** Seconds. */
export const healthWatch = z.object({
  /** By when the game's console has to answer after the start. */
  readySeconds: z.int().min(10).max(3600),
  /** How long it must then run without a crash. */
  watchSeconds: z.int().min(0).max(3600),
});
export type HealthWatch = z.infer<typeof healthWatch>;

export const modsChange = z.object({
  /** The revision of the set that it was planned upon; another one is refused. */
  base: z.int().nonnegative(),
  /** New mods, and other versions of those that are there. */
  put: z.array(modItem).max(mostMods),
  /** Keys. */
  remove: z.array(modKey).max(mostMods),
  /** Files that are not ours, as `list-mods` has told of them, that become this mod's. */
  adopt: z.array(z.object({ path: z.string().max(500), sha512, item: modItem })).max(mostMods),
  watch: healthWatch,
  /** Said in the game before it stops; null: it stops at once. */
  countdown: z.object({ seconds: z.int().min(1).max(3600), text: z.string().min(1).max(200) }).nullable(),
  /** Back the world up before the first start with the new set. */
  backup: z.boolean(),
  /** Start the new set beside the old one first, and go on only when it came up. */
  rehearse: z.boolean(),
});
export type ModsChange = z.infer<typeof modsChange>;

/** Steps of a change, in their order; those that are not needed are left out. */
export const modSteps = [
  'download',
  'verify',
  'unpack',
  'stage',
  'rehearse',
  'stop',
  'backup',
  'swap',
  'start',
  'watch',
  'roll-back',
] as const;
export type ModStep = (typeof modSteps)[number];

/** What a change came to: `value` of its result. */
export const modsChanged = z.object({
  /** Which set is on the server: proven by the agent, whatever the outcome. */
  set: z.enum(['old', 'new']),
  /** Of that set. */
  revision: z.int().nonnegative(),
  /** It was the new set for a while, and the old one was put back. */
  isRolledBack: z.boolean(),
  /**
   * - `proven`: the console answered and the game ran on for as long as was asked
   * - `down`: the game was not running before, and was not started
   * - `unmanaged`: nothing on the machine says how it is started
   * - `failed`: it did not come up, or crashed
   */
  health: z.enum(['proven', 'down', 'unmanaged', 'failed']).nullable(),
  /** Where it ended that did not end well. */
  failedAt: z.enum(modSteps).nullable(),
  /** The game's last lines, where they are the reason. */
  lines: z.array(z.string().max(1000)).max(50),
  /** What people have to know, such as settings files of a pack that were there and were kept. */
  notes: z.array(z.string().max(500)).max(50),
});
export type ModsChanged = z.infer<typeof modsChanged>;

/** What is told of a mod by the file itself. */
export const modMetadata = z.object({
  /** The loader's own id of it. */
  id: z.string().max(200),
  name: z.string().max(200).nullable(),
  version: z.string().max(100).nullable(),
  authors: z.array(z.string().max(200)).max(50),
  loaders: z.array(modLoader).max(10),
  /** `client`: it must not be on a server. */
  side: z.enum(['client', 'server', 'both']).nullable(),
  /** Ids of mods that it cannot be without, and those that it cannot be with. */
  requires: z.array(z.string().max(200)).max(200),
  breaks: z.array(z.string().max(200)).max(200),
});
export type ModMetadata = z.infer<typeof modMetadata>;

/** What lies in the folders for mods and is not ours. */
export const foundMod = z.object({
  /** Relative to the server's folder, with `/`. */
  path: z.string().max(500),
  bytes: z.int().nonnegative(),
  /** Of a file; null for a folder. */
  sha512: sha512.nullable(),
  sha1: sha1.nullable(),
  /** CurseForge's, a 32-bit number; null for a folder. */
  fingerprint: z.int().nonnegative().nullable(),
  metadata: modMetadata.nullable(),
  modifiedAt: z.iso.datetime(),
});
export type FoundMod = z.infer<typeof foundMod>;

export const installedMod = modItem.extend({
  since: z.iso.datetime(),
  /** What it owns, relative to the server's folder. */
  files: z.array(z.object({ path: z.string().max(500), bytes: z.int().nonnegative() })).max(20),
  /** Also of those that are left out above. */
  fileCount: z.int().nonnegative(),
  /** Files that are not as they were put there: changed or gone by another hand. */
  changedFiles: z.array(z.string().max(500)).max(20),
  metadata: modMetadata.nullable(),
});
export type InstalledMod = z.infer<typeof installedMod>;

/** Why the agent would refuse a change now. */
export const modObstacles = [
  'MODS_NOT_ALLOWED',
  'MODS_NO_FOLDER',
  'MODS_NO_LOADER',
  'MODS_NO_MARK',
  'MODS_FOLDER_READ_ONLY',
  'MODS_GAME_RUNNING',
] as const;
export type ModObstacle = (typeof modObstacles)[number];

/** The answer of `list-mods`: uploaded as JSON, since it can be larger than a frame. */
export const modsList = z.object({
  /** Counts each change of the set. */
  revision: z.int().nonnegative(),
  loader: modLoader.nullable(),
  loaderVersion: z.string().max(100).nullable(),
  gameVersion: z.string().max(100).nullable(),
  /** Forms that this game takes on this machine. */
  forms: z.array(modForm),
  installed: z.array(installedMod).max(mostMods),
  /** At most 500; `foundCount` tells all. */
  found: z.array(foundMod).max(500),
  foundCount: z.int().nonnegative(),
  /** Ids in the game's own list that are not ours. */
  foundIds: z.array(z.string().max(50)).max(200),
  obstacle: z.enum(modObstacles).nullable(),
  obstacleDetail: z.string().max(500).nullable(),
  /** Why a new set cannot be rehearsed here now; null: it can. */
  rehearsalObstacle: z.string().max(500).nullable(),
  /** Of the disk that holds the server's folder; null: it cannot be read. */
  freeBytes: z.int().nonnegative().nullable(),
  /** A change is under way, or was cut off and waits for the game to be stopped. */
  pending: z.string().max(500).nullable(),
});
export type ModsList = z.infer<typeof modsList>;

/** `value` of `inspect-mod`; larger ones are uploaded as JSON. */
export const inspectedMod = z.object({
  bytes: z.int().nonnegative(),
  sha512,
  sha1,
  fingerprint: z.int().nonnegative(),
  content: z.discriminatedUnion('is', [
    z.object({ is: z.literal('mods'), mods: z.array(modMetadata).max(50) }),
    /** Folders with a ModInfo.xml. */
    z.object({
      is: z.literal('folders'),
      folders: z.array(z.object({ name: z.string().max(200), metadata: modMetadata })).max(200),
    }),
    z.object({
      is: z.literal('pack'),
      name: z.string().max(200),
      version: z.string().max(100).nullable(),
      gameVersion: z.string().max(100).nullable(),
      loader: modLoader.nullable(),
      /** That a server takes. */
      files: z
        .array(
          z.object({
            path: z.string().max(500),
            bytes: z.int().nonnegative(),
            sha512: sha512.nullable(),
            host: z.string().max(300).nullable(),
          }),
        )
        .max(2000),
      overrides: z.int().nonnegative(),
      /** Kept off the server by the pack's own word. */
      clientOnly: z.int().nonnegative(),
    }),
    z.object({ is: z.literal('unknown'), why: z.string().max(500) }),
  ]),
});
export type InspectedMod = z.infer<typeof inspectedMod>;
