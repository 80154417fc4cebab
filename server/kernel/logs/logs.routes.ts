import { type LogsUsage, logsHttp } from '#contracts/kernel/logs.ts';
import type { ApiRoutes } from '../access/authorize.ts';

export const bindLogsRoutes = (routes: ApiRoutes, usage: () => Promise<LogsUsage>): void => {
  routes.on(logsHttp.usage, usage);
};
