import { inWords } from '../saves/saves-error.ts';

/** Why mods are not changed, in words for the machine's owner. */
export class ModsError extends Error {
  override readonly name = 'ModsError';
}

/** The error of a step, for people. */
export const modsWords = (error: unknown): string =>
  inWords(error instanceof AggregateError ? error.errors[0] : error);
