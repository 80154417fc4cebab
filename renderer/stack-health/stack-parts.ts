import { botStates } from '#contracts/bot-states.ts';
import type { StackHealth } from '#contracts/health.ts';
import type { Permission } from '#contracts/permissions.ts';
import type { ComponentName } from '#contracts/stack.ts';
import type { Tone } from '../design/state-label.tsx';

/** What the stack is made of, as people see it. */
export const partNames = [
  'api',
  'database',
  'queues',
  'bot',
  'agents',
  'secrets',
  'disk',
  'backups',
  'entitlements',
  'license',
] as const;
export type PartName = (typeof partNames)[number];

/**
 * - `exposed`: it works, and stands open where it should not
 * - `unused`: nobody has set it up, which is no fault
 * - `unknown`: nothing was heard of it yet
 */
export type PartState =
  | 'ok'
  | 'exposed'
  | 'degraded'
  | 'down'
  | 'unused'
  | 'unknown'
  | 'grace'
  | 'rejected'
  | 'unlicensed';

export interface StackPart {
  readonly name: PartName;
  readonly state: PartState;
  /** What the API says of it, in English; null when there is nothing to say. */
  readonly detail: string | null;
}

export const partTones: Readonly<Record<PartState, Tone>> = {
  ok: 'ok',
  exposed: 'warn',
  degraded: 'warn',
  down: 'bad',
  unused: 'idle',
  unknown: 'idle',
  grace: 'warn',
  rejected: 'bad',
  unlicensed: 'bad',
};

/** The bot's health says first which of its states it is in; otherwise it has said nothing yet. */
const botHasReported = (detail: string | null): boolean =>
  botStates.some((state) => detail?.startsWith(`${state}: `));

/** Works without a fault; the rest of what it says tells whether it is in use at all. */
const stateOfWell = (name: PartName, detail: string | null): PartState => {
  if (detail === null) return 'ok';
  if (name === 'api') return 'exposed';
  if (name === 'agents') return 'unused';
  if (name !== 'bot') return 'ok';
  if (!botHasReported(detail)) return 'unknown';
  return detail.startsWith('waiting: ') ? 'unused' : 'ok';
};

/** Each part with what is known of it. */
export const stackParts = ({ components, license }: StackHealth): readonly StackPart[] =>
  partNames.map((name) => {
    if (name === 'license') return { name, state: license === 'valid' ? 'ok' : license, detail: null };
    const { status, detail } = components[name];
    return { name, state: status === 'ok' ? stateOfWell(name, detail) : status, detail };
  });

/** Whether somebody has to do something about it. */
export const isTrouble = ({ state }: StackPart): boolean => {
  const tone = partTones[state];
  return tone === 'warn' || tone === 'bad';
};

/** Where a part is looked after, and what it takes to go there. */
export const partPlaces: Readonly<
  Record<PartName, { readonly to: string; readonly permission: Permission; readonly page: PartPage }>
> = {
  api: { to: '/logs', permission: 'logs.read', page: 'logs' },
  database: { to: '/health', permission: 'stack.read', page: 'health' },
  queues: { to: '/health', permission: 'stack.read', page: 'health' },
  bot: { to: '/discord', permission: 'settings.read', page: 'discord' },
  agents: { to: '/agents', permission: 'servers.read', page: 'agents' },
  secrets: { to: '/secrets', permission: 'secrets.read', page: 'secrets' },
  disk: { to: '/health', permission: 'stack.read', page: 'health' },
  backups: { to: '/backups', permission: 'backups.read', page: 'backups' },
  entitlements: { to: '/desk', permission: 'orders.read', page: 'desk' },
  license: { to: '/license', permission: 'stack.read', page: 'license' },
};
type PartPage = 'logs' | 'health' | 'discord' | 'agents' | 'secrets' | 'backups' | 'desk' | 'license';

/** Which process a part is, for whoever can restart it. */
export const partComponents: Readonly<Partial<Record<PartName, ComponentName>>> = {
  api: 'api',
  database: 'postgres',
  bot: 'bot',
};
