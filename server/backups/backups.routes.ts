import { backupsHttp } from '#contracts/backups.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import type { Backups } from './backups.ts';

export const bindBackupsRoutes = (routes: ApiRoutes, backups: Backups): void => {
  routes.on(backupsHttp.status, () => backups.status());
  routes.on(backupsHttp.take, (_input, by) => backups.take(by));
};
