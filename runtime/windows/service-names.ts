import type { ComponentName } from '#contracts/operations/stack.ts';
import { serviceSid } from './service-sid.ts';

/** As Windows knows the services of the stack; a machine has each name once. */
export const serviceNames = {
  postgres: 'Castellan-Postgres',
  api: 'Castellan-API',
  bot: 'Castellan-Bot',
} as const satisfies Record<ComponentName, string>;
export type ServiceName = (typeof serviceNames)[ComponentName];

/** The service of the Game Agent. */
export const agentServiceName = 'CastellanAgent';

const ourAccounts: ReadonlySet<string> = new Set(
  [...Object.values(serviceNames), agentServiceName].map(serviceSid),
);

/** Whether an account is the one that Windows keeps for a service of ours, which only an administrator can have made. */
export const isOurService = (sid: string): boolean => ourAccounts.has(sid);
