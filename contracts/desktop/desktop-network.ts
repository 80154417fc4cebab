import * as z from 'zod';
import { desktopCall as call } from './desktop-call.ts';
import { portField, portsReport } from './desktop-first-run.ts';

const nothing = z.undefined();
const networkAsked = z.strictObject({ apiPort: portField, postgresPort: portField, isOpen: z.boolean() });
export type NetworkAsked = z.infer<typeof networkAsked>;

/** The result of the last change since the program started. `undone`: it did not work, and everything is as before. */
const networkNews = z.object({
  outcome: z.enum(['done', 'undone', 'not-undone']),
  detail: z.string().nullable(),
});
export type NetworkNews = z.infer<typeof networkNews>;

const networkProfiles = ['domain', 'private', 'public'] as const;
/** What Windows calls the kind of a network. */
export type NetworkProfile = (typeof networkProfiles)[number];

/**
 * What keeps other machines out although a rule was made, or would. `rule-off`, `rule-changed`: our rule does not count as it is;
 * `public`: the network counts as a public one, for which our rule is not; `blocked`: other rules block, and win; `shielded`:
 * everything is blocked; `policy`: rules of this machine do not count; `other-firewall`: another program guards the machine, too;
 * `off`: the firewall is off and keeps no one out.
 */
const firewallFault = z.object({
  kind: z.enum([
    'rule-off',
    'rule-changed',
    'public',
    'blocked',
    'shielded',
    'policy',
    'other-firewall',
    'off',
  ]),
  /** Null: for every network. */
  profile: z.enum(networkProfiles).nullable(),
  /** Of rules or programs. */
  names: z.array(z.string()),
});
export type FirewallFault = z.infer<typeof firewallFault>;

/**
 * The state of the Windows firewall. `closed`: Castellan has no rule, and needs none; `missing`: a rule is needed;
 * `left`: a rule exists that is no longer needed; `blocked`: our rule is right, and something else keeps others out. Null if there is no such firewall.
 */
const firewallState = z.enum(['open', 'closed', 'missing', 'left', 'blocked']).nullable();
export type FirewallState = z.infer<typeof firewallState>;

const networkState = z.object({
  apiPort: z.int(),
  postgresPort: z.int(),
  /** Whether other machines reach the API. */
  isOpen: z.boolean(),
  /** The address in `.env`, if it is neither this machine only nor all addresses; it is kept unless it is changed here. */
  ownHost: z.string().nullable(),
  hasTls: z.boolean(),
  /** Addresses at which other machines could reach the API, the likeliest first, as an agent's config.json has them in `apiUrl`. */
  apiUrls: z.array(z.string()),
  /** Names of the adapters, by address in `apiUrls`. */
  adapters: z.record(z.string(), z.string()).default({}),
  firewall: firewallState,
  firewallFaults: z.array(firewallFault),
  /** To run by hand if no one can be asked for administrator rights; null if nothing needs to be done. */
  firewallCommand: z.string().nullable(),
  news: networkNews.nullable(),
  /** A change is in progress. */
  isChanging: z.boolean(),
  /** Windows Services run the stack: only an administrator can change its settings. */
  isService: z.boolean(),
});
export type NetworkState = z.infer<typeof networkState>;

/** How the person answered when Windows asked for administrator rights. */
const firewallResult = z.object({
  outcome: z.enum(['done', 'refused', 'impossible', 'failed']),
  state: networkState,
});

/** How the API is reached once there is an installation. */
export const networkCalls = {
  'network.state': call(nothing, networkState),
  /** Castellan's own ports count as free. */
  'network.check': call(networkAsked, portsReport),
  /** Writes `.env` and restarts the affected components; a page on a changed port is replaced by another one. */
  'network.change': call(networkAsked, networkState),
  /** Creates or removes the firewall rule, as the settings require. */
  'network.mendFirewall': call(nothing, firewallResult),
  /** Moves the Discord bot's settings from `.env` into the database, where the panel can change them; restarts bot and API. */
  'bot.moveFromEnv': call(nothing, z.object({})),
} as const;

/** Also sent after the asking page was reloaded. */
export const networkEvents = { 'network.changed': networkState } as const;
