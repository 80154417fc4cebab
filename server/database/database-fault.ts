import { isDatabaseAway } from '#runtime/database/pool.ts';
import { Problem } from '#runtime/problem.ts';

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The database cannot be reached.',
  ECONNRESET: 'The connection to the database was cut.',
  '28P01': 'The database refuses the role or the password in DATABASE_URL.',
  '28000': 'The database refuses the role in DATABASE_URL.',
  '3D000': 'The database that DATABASE_URL names does not exist.',
  '53100': 'The disk of the database is full. Make room on it; it goes on by itself.',
  '53300': 'The database has no connection left.',
  '57P01': 'The database was stopped.',
  '57P03': 'The database is starting.',
};

/** What stands between us and the database, for people: nothing of the connection string is in it. */
export const databaseFaultInWords = (error: unknown): string => {
  const { code } = error as { code?: string };
  return (code && words[code]) || 'The database does not answer.';
};

/** The database is away, or is not in use yet and a part of ours has said so. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof Problem ? error.code === 'DATABASE_UNAVAILABLE' : isDatabaseAway(error);
