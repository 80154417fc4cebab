import { type BotState, botStates } from '#contracts/discord/bot-states.ts';
import type { Permission } from '#contracts/identity/permissions.ts';
import type { LicenseState } from '#contracts/license/license-state.ts';
import type { HealthStatus, StackHealth } from '#contracts/operations/health.ts';
import type { ComponentName } from '#contracts/operations/stack.ts';
import type { Tone } from '../../kit/design/state-label.tsx';

export type PartName = keyof StackHealth['components'];

/**
 * - `exposed`: it works, but is open where it should not be
 * - `unused`: no one has set it up, which is no fault
 * - `unknown`: it has not reported yet
 */
type PartState =
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
  /** The API's text about it, which `useTold` translates; null if there is nothing to say. */
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

/** The bot's health begins with its state; otherwise the bot has not reported yet. */
export const botStateOf = (detail: string | null): BotState | null =>
  botStates.find((state) => detail?.startsWith(`${state}: `)) ?? null;

/** The bot's text about that state. */
const withoutBotState = (detail: string | null): string | null =>
  detail?.slice(botStateOf(detail) === null ? 0 : detail.indexOf(': ') + 2) ?? null;

/** Works without a fault; the rest of its text says whether it is in use at all. */
const stateOfWell = (name: PartName, detail: string | null): PartState => {
  if (detail === null) return 'ok';
  if (name === 'api') return 'exposed';
  if (name === 'agents') return 'unused';
  if (name !== 'bot') return 'ok';
  const state = botStateOf(detail);
  if (state === null) return 'unknown';
  return state === 'waiting' ? 'unused' : 'ok';
};

const stateOf = (
  name: PartName,
  status: HealthStatus,
  detail: string | null,
  license: LicenseState,
): PartState => {
  if (name === 'license' && license !== 'valid') return license;
  return status === 'ok' ? stateOfWell(name, detail) : status;
};

/** Each component with what is known about it. */
export const stackParts = ({ components, license }: StackHealth): readonly StackPart[] =>
  partNames.map((name) => {
    const { status, detail } = components[name];
    return {
      name,
      state: stateOf(name, status, detail, license),
      detail: name === 'bot' ? withoutBotState(detail) : detail,
    };
  });

/** Whether someone has to do something about it. */
export const isTrouble = ({ state }: StackPart): boolean => {
  const tone = partTones[state];
  return tone === 'warn' || tone === 'bad';
};

/** Whether its text leaves open what to do: what is wrong with the API's certificate or its way outside says that itself. */
export const needsAdvice = ({ name, state }: StackPart): boolean => name !== 'api' || state === 'exposed';

/** How many components have an unknown state, so that no one can say that they work. */
export const unknownPartsOf = (health: StackHealth): number =>
  stackParts(health).filter(({ state }) => state === 'unknown').length;

/** The page for a component, and the permission it needs. */
export const partPlaces: Readonly<
  Record<PartName, { readonly to: string; readonly permission: Permission; readonly page: PartPage }>
> = {
  api: { to: '/logs', permission: 'logs.read', page: 'logs' },
  database: { to: '/logs', permission: 'logs.read', page: 'logs' },
  queues: { to: '/queues', permission: 'queues.read', page: 'queues' },
  bot: { to: '/discord', permission: 'settings.read', page: 'discord' },
  agents: { to: '/agents', permission: 'servers.read', page: 'agents' },
  secrets: { to: '/secrets', permission: 'secrets.read', page: 'secrets' },
  disk: { to: '/health', permission: 'stack.read', page: 'health' },
  backups: { to: '/backups', permission: 'backups.read', page: 'backups' },
  integrity: { to: '/backups', permission: 'backups.read', page: 'backups' },
  entitlements: { to: '/desk', permission: 'orders.read', page: 'desk' },
  bans: { to: '/bans', permission: 'players.read', page: 'bans' },
  license: { to: '/license', permission: 'stack.read', page: 'license' },
};
type PartPage =
  | 'logs'
  | 'health'
  | 'queues'
  | 'discord'
  | 'agents'
  | 'secrets'
  | 'backups'
  | 'desk'
  | 'bans'
  | 'license';

/** The components of the stack as people see them. */
const partNames = Object.keys(partPlaces) as readonly PartName[];

/** The process behind a component, for readers who can restart it. */
export const partComponents: Readonly<Partial<Record<PartName, ComponentName>>> = {
  api: 'api',
  database: 'postgres',
  bot: 'bot',
};
