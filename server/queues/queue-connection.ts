import type pg from 'pg';
import type { Db } from 'pg-boss';
import type { Notifications } from '../database/notifications.ts';

/** Runs pg-boss on the process's own pool and its connection for notifications. */
export const queueConnection = (pool: pg.Pool, notifications: Notifications): Db => ({
  executeSql: (text, values) => pool.query(text, values),
  listen: async (channel, onNotification, onReconnect) =>
    notifications.listen(channel, { onNotification, onListening: onReconnect }),
});
