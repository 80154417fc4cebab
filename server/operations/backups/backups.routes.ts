import { Readable } from 'node:stream';
import { backupsHttp } from '#contracts/operations/backups.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { BackupDownloads } from './backup-downloads.ts';
import type { Backups } from './backups.ts';

export const bindBackupsRoutes = (routes: ApiRoutes, backups: Backups, downloads: BackupDownloads): void => {
  routes.on(backupsHttp.status, () => backups.status());
  routes.on(backupsHttp.take, (_input, by) => backups.take(by));
  routes.on(backupsHttp.prepareDownload, ({ params, body }, by) =>
    downloads.prepare(params.name, body.passphrase, by),
  );
  // A program that first looks with HEAD must not use up what it then fetches.
  routes.on(backupsHttp.download, ({ params }, by) =>
    by.request.method === 'HEAD' ? Readable.from([]) : downloads.fetch(params.id, by),
  );
};
