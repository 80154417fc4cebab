import { test } from 'vitest';
import type { Need } from '#harness/available.ts';
import { serverDied } from './lab.ts';

const testMs = 900_000;

/**
 * A test that opens a Windows lab. It starts again when Wine's server has died under it, which says nothing about our
 * programs, and for no other failure.
 * @param needs what it needs besides the lab
 */
export const testOnWindows = (name: string, needs: readonly Need[], act: () => Promise<void>): void =>
  test(
    name,
    { timeout: testMs, retry: { count: 2, condition: serverDied }, tags: ['windows', ...needs] },
    act,
  );
