import * as z from 'zod';

/**
 * What the API asks of an agent about a game's mods, and what the agent reports about them. The game's adapter knows
 * all locations; no task carries a path. Whether mods may be changed at all is set on the game's machine
 * (`allow.mods`).
 */

/**
 * - `modrinth`, `curseforge`: through their APIs
 * - `steam`: Steam Workshop; the game or steamcmd downloads the mod by its id
 * - `address`: a file at an address that a person typed
 * - `upload`: a file that a person uploaded in the panel
 */
const modSources = ['modrinth', 'curseforge', 'steam', 'address', 'upload'] as const;
export const modSource = z.enum(modSources);

/**
 * The form in which a mod is installed.
 * - `file`: unchanged, in the folder for mods or for plugins
 * - `folders`: an archive with folders that each contain a ModInfo.xml
 * - `pack`: a `.mrpack`, or a server pack as a zip: many files
 * - `id`: only its id, in a list that the game reads when it starts
 */
export const modForms = ['file', 'folders', 'pack', 'id'] as const;
export const modForm = z.enum(modForms);
export type ModForm = z.infer<typeof modForm>;

/** Minecraft loaders; `paper` means every server that loads Bukkit plugins. */
const modLoaders = ['fabric', 'quilt', 'forge', 'neoforge', 'paper', 'velocity'] as const;
export const modLoader = z.enum(modLoaders);
export type ModLoader = z.infer<typeof modLoader>;

/** Mods and packs per server; the files in a pack are not counted. */
export const mostMods = 500;
/** Bytes per file. */
export const largestModFile = 4 * 1024 * 1024 * 1024;

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
export const sha512 = hex(64);
export const sha1 = hex(20);

/** A file name that is valid on every system: no separators, no names that Windows reserves for devices. */
export const modFileName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\\/:*?"<>|\p{Cc}]+$/u)
  .regex(/^(?!\.)(?!.*[. ]$)(?!(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$))/i);

export const modFile = z.object({
  name: modFileName,
  /** Null: the source does not say. */
  bytes: z.int().nonnegative().max(largestModFile).nullable(),
  /** Every given hash must match; a file from an address that a person typed may have none. */
  hashes: z.object({ sha512: sha512.optional(), sha1: sha1.optional() }),
  from: z.discriminatedUnion('kind', [
    /** `key`: the source whose key the agent must ask the API for, just before it downloads. */
    z.object({
      kind: z.literal('address'),
      url: z.url().max(2000),
      key: z.enum(['curseforge']).nullable(),
    }),
    /** Stored by the API; the agent requests it by this id. */
    z.object({ kind: z.literal('api'), id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }),
  ]),
});
export type ModFile = z.infer<typeof modFile>;

/** A mod's key among those of its server: `modrinth:AANobbMI`, `curseforge:238222`, `steam:731604991`, `address:…`, `upload:…`. */
export const modKey = z
  .string()
  .regex(/^(?:modrinth|curseforge|steam|address|upload):[A-Za-z0-9._-]{1,150}$/);

/** A mod as it is, or is to be, on a server. */
export const modItem = z.object({
  key: modKey,
  source: modSource,
  /** The source's project id; null if it has none. */
  project: z.string().max(100).nullable(),
  /** The source's id of the version or file; null if it has none. */
  version: z.string().max(100).nullable(),
  name: z.string().min(1).max(200),
  versionName: z.string().max(100).nullable(),
  form: modForm,
  /** Only for the form `file`. */
  folder: z.enum(['mods', 'plugins']).nullable(),
  /** Null for the form `id`. */
  file: modFile.nullable(),
  /** The person who wanted it, for display. */
  byName: z.string().max(200),
  /** Parts of its archive that were chosen, by their paths in it; without them only the mods that come by themselves are installed. */
  parts: z.array(z.string().max(300)).max(50).optional(),
});
export type ModItem = z.infer<typeof modItem>;

/** In seconds. */
export const healthWatch = z.object({
  /** How soon after the start the game's console must answer. */
  readySeconds: z.int().min(10).max(3600),
  /** How long the game must then run without a crash. */
  watchSeconds: z.int().min(0).max(3600),
});
export type HealthWatch = z.infer<typeof healthWatch>;

export const modsChange = z.object({
  /** The revision of the set that the change was planned for; another revision is refused. */
  base: z.int().nonnegative(),
  /** New mods, and other versions of installed ones. */
  put: z.array(modItem).max(mostMods),
  /** Keys of mods. */
  remove: z.array(modKey).max(mostMods),
  /** Found files that Castellan does not manage, as `list-mods` reports them, and the mods they become. */
  adopt: z.array(z.object({ path: z.string().max(500), sha512, item: modItem })).max(mostMods),
  watch: healthWatch,
  /** Announced in the game before it stops; null: it stops immediately. */
  countdown: z.object({ seconds: z.int().min(1).max(3600), text: z.string().min(1).max(200) }).nullable(),
  /** Back up the world before the first start with the new set. */
  backup: z.boolean(),
  /** Start the new set next to the old one first, and continue only if it comes up. */
  rehearse: z.boolean(),
});
export type ModsChange = z.infer<typeof modsChange>;

/** The steps of a change, in order; unneeded ones are left out. */
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

/** The result of a change: the `value` of its task's result. */
export const modsChanged = z.object({
  /** The set that is now on the server: proven by the agent, whatever the outcome. */
  set: z.enum(['old', 'new']),
  /** The revision of that set. */
  revision: z.int().nonnegative(),
  /** The new set was in place for a while, and then the old one was restored. */
  isRolledBack: z.boolean(),
  /**
   * - `proven`: the console answered and the game kept running as long as required
   * - `down`: the game was not running before, and was not started
   * - `unmanaged`: the machine has no setting for how the game is started
   * - `failed`: it did not come up, or crashed
   */
  health: z.enum(['proven', 'down', 'unmanaged', 'failed']).nullable(),
  /** The step that failed, if one did. */
  failedAt: z.enum(modSteps).nullable(),
  /** The game's last lines, if they are the reason. */
  lines: z.array(z.string().max(1000)).max(50),
  /** What people have to know, for example that existing settings files were kept instead of the pack's. */
  notes: z.array(z.string().max(500)).max(50),
});
export type ModsChanged = z.infer<typeof modsChanged>;

/** What the file itself says about the mod. */
export const modMetadata = z.object({
  /** The loader's id of the mod. */
  id: z.string().max(200),
  name: z.string().max(200).nullable(),
  version: z.string().max(100).nullable(),
  authors: z.array(z.string().max(200)).max(50),
  loaders: z.array(modLoader).max(10),
  /** `client`: it must not be on a server. */
  side: z.enum(['client', 'server', 'both']).nullable(),
  /** Ids of mods that it requires, and of those that it cannot run with. */
  requires: z.array(z.string().max(200)).max(200),
  breaks: z.array(z.string().max(200)).max(200),
  /** Further ids by which other mods find it: aliases, and mods inside of it. Older agents do not tell them. */
  provides: z.array(z.string().max(200)).max(500).optional(),
});
export type ModMetadata = z.infer<typeof modMetadata>;

/** A file or folder in the mods folders that Castellan does not manage. */
export const foundMod = z.object({
  /** Relative to the server's folder, with `/`. */
  path: z.string().max(500),
  bytes: z.int().nonnegative(),
  /** Of a file; null for a folder. */
  sha512: sha512.nullable(),
  sha1: sha1.nullable(),
  /** CurseForge's fingerprint, a 32-bit number; null for a folder. */
  fingerprint: z.int().nonnegative().nullable(),
  metadata: modMetadata.nullable(),
  modifiedAt: z.iso.datetime(),
});
export type FoundMod = z.infer<typeof foundMod>;

export const installedMod = modItem.extend({
  since: z.iso.datetime(),
  /** The mod's files, relative to the server's folder. */
  files: z.array(z.object({ path: z.string().max(500), bytes: z.int().nonnegative() })).max(20),
  /** Counts those left out above, too. */
  fileCount: z.int().nonnegative(),
  /** Installed files that someone else has since changed or deleted. */
  changedFiles: z.array(z.string().max(500)).max(20),
  metadata: modMetadata.nullable(),
});
export type InstalledMod = z.infer<typeof installedMod>;

/** Why the agent would refuse a change at the moment. */
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
  /** Incremented by each change of the set. */
  revision: z.int().nonnegative(),
  loader: modLoader.nullable(),
  loaderVersion: z.string().max(100).nullable(),
  gameVersion: z.string().max(100).nullable(),
  /** Forms that this game supports on this machine. */
  forms: z.array(modForm),
  installed: z.array(installedMod).max(mostMods),
  /** At most 500; `foundCount` is the full number. */
  found: z.array(foundMod).max(500),
  foundCount: z.int().nonnegative(),
  /** Ids in the game's own list that Castellan does not manage. */
  foundIds: z.array(z.string().max(50)).max(200),
  obstacle: z.enum(modObstacles).nullable(),
  obstacleDetail: z.string().max(500).nullable(),
  /** Why a new set cannot be tested on a copy here now; null: it can. */
  rehearsalObstacle: z.string().max(500).nullable(),
  /** Free space on the disk of the server's folder; null: it cannot be read. */
  freeBytes: z.int().nonnegative().nullable(),
  /** A change is under way, or was interrupted and waits for the game to be stopped. */
  pending: z.string().max(500).nullable(),
});
export type ModsList = z.infer<typeof modsList>;

/**
 * A file that is not installed, though nothing is wrong with the archive.
 * - `unstorable`: not every system can hold its name
 * - `client-only`: it says itself that it is for players only
 */
const leftOutFile = z.object({
  path: z.string().max(500),
  why: z.enum(['unstorable', 'client-only']),
});
export type LeftOutFile = z.infer<typeof leftOutFile>;
/** At most 50 are named. */
const leftOut = z.array(leftOutFile).max(50).optional();

/** A mod within another one, where the game does not find it: it is installed only if it is chosen. */
export const modPart = z.object({ path: z.string().max(300), name: z.string().max(200) });

/** The `value` of `inspect-mod`; larger ones are uploaded as JSON. */
export const inspectedMod = z.object({
  bytes: z.int().nonnegative(),
  sha512,
  sha1,
  fingerprint: z.int().nonnegative(),
  content: z.discriminatedUnion('is', [
    z.object({ is: z.literal('mods'), mods: z.array(modMetadata).max(50) }),
    /** Folders that contain a ModInfo.xml. */
    z.object({
      is: z.literal('folders'),
      folders: z.array(z.object({ name: z.string().max(200), metadata: modMetadata })).max(200),
      parts: z.array(modPart).max(50).optional(),
      leftOut,
    }),
    z.object({
      is: z.literal('pack'),
      name: z.string().max(200),
      version: z.string().max(100).nullable(),
      gameVersion: z.string().max(100).nullable(),
      loader: modLoader.nullable(),
      /** Files that a server needs. */
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
      /** Files that the pack itself keeps off servers. */
      clientOnly: z.int().nonnegative(),
      leftOut,
    }),
    z.object({ is: z.literal('unknown'), why: z.string().max(500) }),
  ]),
});
export type InspectedMod = z.infer<typeof inspectedMod>;
