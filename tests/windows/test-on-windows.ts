import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { labObstacle, serverDied } from './lab.ts';

const testMs = 900_000;

export interface WindowsTestNeeds {
  /** The maker of installers. */
  readonly nsis?: boolean;
}

const nsisObstacle = (): Promise<string | null> =>
  promisify(execFile)('makensis', ['-VERSION']).then(
    () => null,
    () => 'makensis is missing (Debian: nsis)',
  );

/**
 * A test that opens a Windows lab of its own; where none can be had, it is left out and says why. It begins anew when
 * Wine's own server has died under it, which says nothing of us, and for no other failure.
 */
export const testOnWindows = (
  name: string,
  { nsis = false }: WindowsTestNeeds,
  act: () => Promise<void>,
): void =>
  test(name, { timeout: testMs, retry: { count: 2, condition: serverDied } }, async ({ skip }) => {
    const obstacle = (await labObstacle()) ?? (nsis ? await nsisObstacle() : null);
    if (obstacle !== null) {
      process.stdout.write(`The Windows lab is left out: ${obstacle}.\n`);
      skip(obstacle);
    }
    await act();
  });
