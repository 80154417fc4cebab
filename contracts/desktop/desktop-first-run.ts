import * as z from 'zod';
import { discordIdField, discordReport, discordTokenField } from '../discord/discord-application.ts';
import { product } from '../kernel/product.ts';
import { folderFindingCodes, folderWarning } from '../operations/folder-findings.ts';
import { desktopCall as call } from './desktop-call.ts';

const nothing = z.undefined();
export const portField = z.int().min(1).max(65_535);

/** 32 bytes in base64url. */
export const portalKeyPattern = /^[\w-]{43}$/;
const portalAddress = z.string().trim().min(1).max(500);

/** The license portal that an installation belongs to, if its build does not name one. */
const firstRunPortal = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('connected'),
    url: portalAddress,
    publicKey: z.string().regex(portalKeyPattern, 'must be 32 bytes in base64url: 43 characters'),
    /** Plain http to another machine must be confirmed by a person. */
    isPlainConfirmed: z.boolean(),
  }),
  /** A portal that is started next to the stack, with a license of its own. */
  z.strictObject({ kind: z.literal('demo') }),
]);
export type FirstRunPortal = z.infer<typeof firstRunPortal>;

/** The choices so far. Saved so that they are not lost, except the bot's token, which is a secret. */
export const firstRunDraft = z.object({
  home: z.string().max(1000),
  apiPort: portField.default(product.apiPort),
  postgresPort: portField.default(product.postgresPort),
  /** Whether other machines reach the API. */
  isOpen: z.boolean().default(false),
  clientId: z.string().max(40).default(''),
  guildId: z.string().max(40).default(''),
  /** Null: none is chosen yet, or the build names one. */
  portal: firstRunPortal.nullable().catch(null).default(null),
  /** Whether the desktop starts when this user signs in. */
  autostart: z.boolean().default(false),
});
export type FirstRunDraft = z.infer<typeof firstRunDraft>;

const firstRunState = z.object({
  /**
   * `no-portal`: there is an installation, but its settings name no license portal. `no-access`: this account of the system may not
   * open the data folder, which is another account's; nothing is asked then.
   */
  reason: z.enum(['new', 'gone', 'no-portal', 'no-access']),
  /** The folder that was in use and is missing, for example on a removed drive; null for a first start. */
  goneHome: z.string().nullable(),
  /** For `no-access`: which folder, which account, and who can help; null otherwise. */
  noAccess: z.string().nullable(),
  draft: firstRunDraft,
  usualHome: z.string(),
  /** The desktop's record of its data folder was damaged; the damaged file is kept here. Null if it was not. */
  damagedRecord: z.string().nullable(),
  /** Windows files that Postgres needs and that are missing. */
  missingLibraries: z.array(z.string()),
  /** The program's own folder, if Postgres cannot run from there because of letters in the path; otherwise null. */
  unspellableFolder: z.string().nullable(),
  /** What else speaks against the program's own folder, such as a disk that can be removed. */
  programsWarnings: z.array(folderWarning),
  /** This build names its portal; otherwise one must be chosen. */
  hasPortal: z.boolean(),
  /** A demo portal can be started here; packages contain no portal program. */
  hasDemoPortal: z.boolean(),
  /** Addresses at which other machines could reach this one, the likeliest first. */
  addresses: z.array(z.string()),
  /** Names of the adapters, by address. */
  adapters: z.record(z.string(), z.string()).default({}),
});
export type FirstRunState = z.infer<typeof firstRunState>;

const homeReport = z.discriminatedUnion('outcome', [
  /** What is warned of does not rule the folder out. */
  z.object({ outcome: z.literal('new'), warnings: z.array(folderWarning) }),
  /** An existing installation was found and is used; if its settings name no license portal, the user is asked for one. */
  z.object({ outcome: z.literal('taken-up'), namesPortal: z.boolean() }),
  z.object({
    outcome: z.enum([
      ...folderFindingCodes,
      'key-lost',
      /** There are files of a database that was never completed. */
      'half-database',
      /** This is the missing folder: its content comes back with its drive. */
      'away',
    ]),
    detail: z.string(),
  }),
]);
export type HomeReport = z.infer<typeof homeReport>;

const portReport = z.object({
  port: z.int(),
  state: z.enum(['free', 'taken', 'forbidden', 'twice']),
  owner: z.object({ pid: z.int(), name: z.string() }).nullable(),
  /** A free port that could be used instead. */
  free: z.int().nullable(),
});
export type PortReport = z.infer<typeof portReport>;

const portsAsked = z.strictObject({ apiPort: portField, postgresPort: portField, isOpen: z.boolean() });
export const portsReport = z.object({
  api: portReport,
  postgres: portReport,
  /** Windows will ask for administrator rights, to let other machines through its firewall. */
  asksForFirewall: z.boolean(),
});
export type PortsReport = z.infer<typeof portsReport>;

const discordAsked = z.strictObject({
  token: discordTokenField,
  clientId: discordIdField,
  guildId: discordIdField,
});

const firstRunFinish = z.strictObject({
  ...portsAsked.shape,
  home: z.string().min(1).max(1000),
  discord: discordAsked.nullable(),
  portal: firstRunPortal.nullable(),
  autostart: z.boolean(),
});
export type FirstRunFinish = z.infer<typeof firstRunFinish>;

/** What a portal says about itself; a person compares it before trusting the portal. */
const portalReport = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('found'),
    /** In the form that is written into `.env`. */
    url: z.string(),
    publicKey: z.string(),
    /** Short enough to compare; the portal's owner sees it with `portal key show --fingerprint`. */
    fingerprint: z.string(),
  }),
  z.object({
    /** `plain`: http to another machine, which must be confirmed. `other-key`: not the key that was pasted. */
    outcome: z.enum(['no-address', 'plain', 'unreachable', 'no-portal', 'other-key']),
    detail: z.string(),
  }),
]);
export type PortalReport = z.infer<typeof portalReport>;

/** The stages of setting up, in order; unneeded ones are left out. */
const setUpStages = ['folder', 'demo-portal', 'settings', 'demo-license', 'firewall', 'start'] as const;
export type SetUpStage = (typeof setUpStages)[number];

export const firstRunEvents = {
  'firstRun.progress': z.object({ stage: z.enum(setUpStages) }),
} as const;

/** Before there is a stack: where it will be and how it is reached. */
export const firstRunCalls = {
  /** Null: it is finished, or was never needed. */
  'firstRun.state': call(nothing, firstRunState.nullable()),
  'firstRun.keep': call(firstRunDraft, z.object({})),
  /** The system's own dialog; null if nothing was chosen. */
  'firstRun.chooseHome': call(
    z.strictObject({ from: z.string().max(1000) }),
    z.object({ home: z.string().nullable() }),
  ),
  'firstRun.checkHome': call(z.strictObject({ home: z.string().max(1000) }), homeReport),
  'firstRun.checkPorts': call(portsAsked, portsReport),
  'firstRun.testDiscord': call(discordAsked, discordReport),
  /** Fetches a portal's public keys, without trusting them yet. An empty key: none was pasted. */
  'firstRun.lookUpPortal': call(
    z.strictObject({
      url: z.string().max(500),
      publicKey: z.union([z.literal(''), z.string().regex(portalKeyPattern)]),
      isPlainConfirmed: z.boolean(),
    }),
    portalReport,
  ),
  /** Writes the `.env` file and starts the stack; the panel then replaces the page. */
  'firstRun.finish': call(
    firstRunFinish,
    z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('done') }),
      z.object({ outcome: z.literal('refused'), detail: z.string() }),
    ]),
  ),
  /** Whether the owner's account is still to be created in this first run. */
  'firstRun.isOwnerLeft': call(nothing, z.boolean()),
  'firstRun.leaveOwner': call(nothing, z.object({})),
} as const;
