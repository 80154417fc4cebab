import { sql } from 'kysely';
import { sessionIdleHours, sessionMaxDays } from '#contracts/sessions.ts';

/** When a session ends unless it is used before. */
export const sessionExpiry = sql<Date>`least(
  sessions.last_used_at + make_interval(hours => ${sessionIdleHours}),
  sessions.created_at + make_interval(days => ${sessionMaxDays}))`;

export const sessionLives = sql<boolean>`${sessionExpiry} > now()`;
