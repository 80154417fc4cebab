import { randomUUID } from 'node:crypto';
import { endedProcessesVariable, processIdVariable } from '#contracts/operations/supervision.ts';

/** What an API process held is given back before this many others have ended. */
const mostNamed = 50;

/**
 * Names the processes of the API, which start one after another.
 * @returns for the environment of the next one, once the one before has ended
 */
export const createProcessNames = (): (() => Readonly<Record<string, string>>) => {
  let named: readonly string[] = [];
  return () => {
    const id = randomUUID();
    const ended = named.join(',');
    named = [...named, id].slice(-mostNamed);
    return { [processIdVariable]: id, [endedProcessesVariable]: ended };
  };
};
