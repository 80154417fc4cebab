import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import { Problem } from '#runtime/problem.ts';

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: healthReasons['database-unreachable'],
  ECONNRESET: healthReasons['database-cut'],
  '25006': healthReasons['database-read-only'],
  '28P01': healthReasons['database-login'],
  '28000': healthReasons['database-role'],
  '3D000': healthReasons['database-missing'],
  '53100': healthReasons['database-disk-full'],
  '53300': healthReasons['database-connections'],
  '57P01': healthReasons['database-stopped'],
  '57P03': healthReasons['database-starting'],
};

/** What blocks the database, for people: it contains nothing of the connection string. */
export const databaseFaultInWords = (error: unknown): string => {
  const { code } = error as { code?: string };
  return (code && words[code]) || healthReasons['database-silent'];
};

/** The database is unavailable, or is not in use yet and our own code has said so. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof Problem ? error.code === 'DATABASE_UNAVAILABLE' : isDatabaseAway(error);
