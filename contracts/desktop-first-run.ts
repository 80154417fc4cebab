import * as z from 'zod';
import { desktopCall as call } from './desktop-call.ts';
import { discordIdField, discordReport, discordTokenField } from './discord-application.ts';
import { product } from './product.ts';

const nothing = z.undefined();
export const portField = z.int().min(1).max(65_535);

/** `portal` is asked for by a build that names none. */
export const firstRunSteps = ['portal', 'folder', 'network', 'discord', 'begin'] as const;

/** 32 bytes in base64url. */
export const portalKeyPattern = /^[\w-]{43}$/;
const portalAddress = z.string().trim().min(1).max(500);

/** Which license portal an installation belongs to, where its build names none. */
export const firstRunPortal = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('connected'),
    url: portalAddress,
    publicKey: z.string().regex(portalKeyPattern, 'must be 32 bytes in base64url: 43 characters'),
    /** http to another machine is confirmed by a person. */
    isPlainConfirmed: z.boolean(),
  }),
  /** One that is brought up beside the stack, with a license of its own. */
  z.strictObject({ kind: z.literal('demo') }),
]);
export type FirstRunPortal = z.infer<typeof firstRunPortal>;

/** What was chosen so far. Kept, so that it is found again; the bot's token is not, since it is a secret. */
export const firstRunDraft = z.object({
  step: z.enum(firstRunSteps).default('folder'),
  home: z.string().max(1000),
  apiPort: portField.default(product.apiPort),
  postgresPort: portField.default(product.postgresPort),
  /** Whether other machines reach the API. */
  isOpen: z.boolean().default(false),
  clientId: z.string().max(40).default(''),
  guildId: z.string().max(40).default(''),
  /** Null: none is chosen yet, or the build names one. */
  portal: firstRunPortal.nullable().catch(null).default(null),
});
export type FirstRunDraft = z.infer<typeof firstRunDraft>;

export const firstRunState = z.object({
  /** `no-portal`: there is an installation, but its settings name no license portal. */
  reason: z.enum(['new', 'gone', 'no-portal']),
  /** The folder that was in use and is not there, such as on a drive that was taken out; null when it is a new start. */
  goneHome: z.string().nullable(),
  draft: firstRunDraft,
  usualHome: z.string(),
  /** The file in which the desktop kept where its home is was damaged, and is kept here; null when it was not. */
  damagedRecord: z.string().nullable(),
  /** Files of Windows that Postgres needs and that are not there. */
  missingLibraries: z.array(z.string()),
  /** Where the program itself lies, when Postgres cannot be run from there for letters in it; else null. */
  unspellableFolder: z.string().nullable(),
  /** This build names its portal; otherwise one has to be chosen. */
  hasPortal: z.boolean(),
  /** A demo portal can be brought up here; packages have no portal program. */
  hasDemoPortal: z.boolean(),
  /** Under which other machines could reach this one. */
  addresses: z.array(z.string()),
});
export type FirstRunState = z.infer<typeof firstRunState>;

export const homeReport = z.discriminatedUnion('outcome', [
  /** `taken-up`: an installation is there and is gone on with. */
  z.object({ outcome: z.enum(['new', 'taken-up']) }),
  z.object({
    /** `unspellable`: the path has letters that Windows cannot tell Postgres. */
    outcome: z.enum([
      'not-absolute',
      'unspellable',
      'no-drive',
      'not-a-folder',
      'not-writable',
      'key-lost',
      /** It is the one that is missed: what was in it comes back with its drive. */
      'away',
      // The same as a move of the home asks, of a new one.
      'programs',
      'network',
      'synced',
      'rights',
      'full',
    ]),
    detail: z.string(),
  }),
]);
export type HomeReport = z.infer<typeof homeReport>;

export const portReport = z.object({
  port: z.int(),
  state: z.enum(['free', 'taken', 'forbidden', 'twice']),
  owner: z.object({ pid: z.int(), name: z.string() }).nullable(),
  /** One that could be used instead. */
  free: z.int().nullable(),
});
export type PortReport = z.infer<typeof portReport>;

const portsAsked = z.strictObject({ apiPort: portField, postgresPort: portField, isOpen: z.boolean() });
export const portsReport = z.object({
  api: portReport,
  postgres: portReport,
  /** Windows will ask for an administrator's rights, to let other machines through its firewall. */
  asksForFirewall: z.boolean(),
});
export type PortsReport = z.infer<typeof portsReport>;

const discordAsked = z.strictObject({
  token: discordTokenField,
  clientId: discordIdField,
  guildId: discordIdField,
});

export const firstRunFinish = z.strictObject({
  ...portsAsked.shape,
  home: z.string().min(1).max(1000),
  discord: discordAsked.nullable(),
  portal: firstRunPortal.nullable(),
});
export type FirstRunFinish = z.infer<typeof firstRunFinish>;

/** What a portal says of itself, to be compared by a person before it is trusted. */
export const portalReport = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('found'),
    /** As it is written into `.env`. */
    url: z.string(),
    publicKey: z.string(),
    /** Short enough to be compared; the portal's owner sees it with `portal key show --fingerprint`. */
    fingerprint: z.string(),
  }),
  z.object({
    /** `plain`: http to another machine, which has to be confirmed. `other-key`: not the key that was pasted. */
    outcome: z.enum(['no-address', 'plain', 'unreachable', 'no-portal', 'other-key']),
    detail: z.string(),
  }),
]);
export type PortalReport = z.infer<typeof portalReport>;

/** Before there is a stack: where it will live and how it is reached. */
export const firstRunCalls = {
  /** Null: it is over, or never was needed. */
  'firstRun.state': call(nothing, firstRunState.nullable()),
  'firstRun.keep': call(firstRunDraft, z.object({})),
  /** The system's own dialog; null when nothing was chosen. */
  'firstRun.chooseHome': call(
    z.strictObject({ from: z.string().max(1000) }),
    z.object({ home: z.string().nullable() }),
  ),
  'firstRun.checkHome': call(z.strictObject({ home: z.string().max(1000) }), homeReport),
  'firstRun.checkPorts': call(portsAsked, portsReport),
  'firstRun.testDiscord': call(discordAsked, discordReport),
  /** Fetches the public keys of a portal; nothing is trusted by that. An empty key: none was pasted. */
  'firstRun.lookUpPortal': call(
    z.strictObject({
      url: z.string().max(500),
      publicKey: z.union([z.literal(''), z.string().regex(portalKeyPattern)]),
      isPlainConfirmed: z.boolean(),
    }),
    portalReport,
  ),
  /** Writes the one `.env` and starts the stack; the page is then replaced by the panel. */
  'firstRun.finish': call(
    firstRunFinish,
    z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('done') }),
      z.object({ outcome: z.literal('refused'), detail: z.string() }),
    ]),
  ),
  /** Whether the account of the owner is still to be made in this first run. */
  'firstRun.isOwnerLeft': call(nothing, z.boolean()),
  'firstRun.leaveOwner': call(nothing, z.object({})),
} as const;
