import { sql } from 'kysely';
import { stepUpMinutes } from '#contracts/identity/account.ts';
import { sessionIdleHours, sessionMaxDays } from '#contracts/identity/sessions.ts';

/** When a session ends unless it is used before. */
export const sessionExpiry = sql<Date>`least(
  sessions.last_used_at + make_interval(hours => ${sessionIdleHours}),
  sessions.created_at + make_interval(days => ${sessionMaxDays}))`;

/** Excludes the future: a clock that is set back extends nothing. */
export const steppedUpLately = sql<boolean>`coalesce(
  sessions.stepped_up_at between now() - make_interval(mins => ${stepUpMinutes}) and now(), false)`;

export const sessionLives = sql<boolean>`${sessionExpiry} > now()`;
