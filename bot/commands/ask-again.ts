import { sleep } from '#runtime/sleep.ts';
import { ApiFault } from '../api-client.ts';
import type { AskedAct } from './command.ts';
import { isUncertain } from './faults.ts';

const mostTries = 3;
const retryMs = 1000;

/**
 * Asks for an act up to three times while it is unknown whether the API has done it. The call must carry an
 * Idempotency-Key.
 * @returns null: it is still unknown at the end
 * @throws {ApiFault} the API refuses
 */
export const askAgain = async <Result>(
  { signal }: Pick<AskedAct, 'signal'>,
  act: () => Promise<Result>,
): Promise<Result | null> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (tries > 0) await sleep(retryMs, signal);
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiFault) || !isUncertain(error)) throw error;
    }
  }
  return null;
};
