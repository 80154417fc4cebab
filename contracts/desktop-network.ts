import * as z from 'zod';
import { desktopCall as call } from './desktop-call.ts';
import { portField, portsReport } from './desktop-first-run.ts';

const nothing = z.undefined();
const networkAsked = z.strictObject({ apiPort: portField, postgresPort: portField, isOpen: z.boolean() });
export type NetworkAsked = z.infer<typeof networkAsked>;

/** What came of the last change since the program started. `undone`: it did not work, and everything is as before. */
export const networkNews = z.object({
  outcome: z.enum(['done', 'undone', 'not-undone']),
  detail: z.string().nullable(),
});
export type NetworkNews = z.infer<typeof networkNews>;

/**
 * Of Windows's firewall. `closed`: no rule of ours, and none is needed; `missing`: one is needed; `left`: one is there
 * that is not needed any more. Null where there is no such firewall.
 */
export const firewallState = z.enum(['open', 'closed', 'missing', 'left']).nullable();
export type FirewallState = z.infer<typeof firewallState>;

export const networkState = z.object({
  apiPort: z.int(),
  postgresPort: z.int(),
  /** Whether other machines reach the API. */
  isOpen: z.boolean(),
  /** The address in `.env` that is neither this machine alone nor all of them; it is kept unless that is changed. */
  ownHost: z.string().nullable(),
  hasTls: z.boolean(),
  /** Under which other machines could reach the API, and what stands in an agent's config.json as `apiUrl`. */
  apiUrls: z.array(z.string()),
  firewall: firewallState,
  /** To be run by hand where nobody can be asked for an administrator's rights; null where nothing is to be done. */
  firewallCommand: z.string().nullable(),
  news: networkNews.nullable(),
  /** A change is under way. */
  isChanging: z.boolean(),
  /** Windows Services run the stack: its settings are for an administrator to change. */
  isService: z.boolean(),
});
export type NetworkState = z.infer<typeof networkState>;

/** How the person answered when Windows asked for an administrator's rights. */
const firewallResult = z.object({
  outcome: z.enum(['done', 'refused', 'impossible', 'failed']),
  state: networkState,
});

/** How the API is reached once there is an installation. */
export const networkCalls = {
  'network.state': call(nothing, networkState),
  /** A port that is ours already counts as free. */
  'network.check': call(networkAsked, portsReport),
  /** Writes `.env` and restarts what it concerns; a page of a port that was changed is replaced by another one. */
  'network.change': call(networkAsked, networkState),
  /** Makes or removes the rule, as the settings want it. */
  'network.mendFirewall': call(nothing, firewallResult),
  /** What `.env` says of the Discord bot goes into the database, where the panel can change it; restarts bot and API. */
  'bot.moveFromEnv': call(nothing, z.object({})),
} as const;

/** Also to a page that took the place of the one that asked. */
export const networkEvents = { 'network.changed': networkState } as const;
