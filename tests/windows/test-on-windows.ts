import { test } from 'vitest';
import type { Need } from '#harness/available.ts';
import { WineServerDied } from './lab.ts';

const testMs = 900_000;

/**
 * A test that opens a Windows lab. It is retried if Wine's server has died, which says nothing about our programs, and for no
 * other failure.
 * @param needs needs besides the lab
 */
export const testOnWindows = (name: string, needs: readonly Need[], act: () => Promise<void>): void =>
  test(
    name,
    { timeout: testMs, retry: { count: 2, condition: isServerDeath }, tags: ['windows', ...needs] },
    () => act().catch(throwServerDeath),
  );

const isServerDeath = ({ name }: { readonly name?: string }): boolean => name === WineServerDied.name;

/** A lab whose server has died reports that when it is closed, in place of the resulting failure. */
const throwServerDeath = (error: unknown): never => {
  throw serverDeathIn(error) ?? error;
};

const serverDeathIn = (error: unknown): WineServerDied | null => {
  if (error instanceof WineServerDied) return error;
  return error instanceof SuppressedError
    ? (serverDeathIn(error.error) ?? serverDeathIn(error.suppressed))
    : null;
};
