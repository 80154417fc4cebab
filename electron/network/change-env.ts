import { ConfigError } from '#runtime/env.ts';
import { type EnvChanges, editEnvFile } from '#runtime/env-file.ts';
import { StartupError } from '#runtime/program.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import type { Stack } from '../stack/stack.ts';
import { isStopped } from '../supervisor/stack-state.ts';

export type EnvStack = Pick<Stack, 'status' | 'restart'>;

type EnvChange =
  | { readonly outcome: 'done' }
  /** It did not work, and everything is as before; `not-undone`: the old settings do not work either. */
  | { readonly outcome: 'undone' | 'not-undone'; readonly detail: string };

/** @throws {StartupError} when the `.env` cannot be written, or not without touching anything else */
export const writeEnv = async (home: string, changes: EnvChanges): Promise<void> => {
  try {
    await editEnvFile(stackEnvPath(home), changes);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const names = Object.keys(changes).join(', ');
    const why = error instanceof TypeError ? 'its value needs quotes' : (error as Error).message;
    throw new StartupError(`The .env file could not be changed (${why}). Set ${names} by hand.`, {
      cause: error,
    });
  }
};

/**
 * Changes `.env` and restarts what that affects. When database or API do not recover, the old values are written again,
 * and they are started with those.
 * @param before the old values of the changed variables
 */
export const changeEnv = async (
  { home, stack }: { readonly home: string; readonly stack: EnvStack },
  changes: EnvChanges,
  before: EnvChanges,
): Promise<EnvChange> => {
  await writeEnv(home, changes);
  if (isStopped(stack.status().state)) return { outcome: 'done' };
  const fault = await faultAfterRestart(stack);
  if (fault === null || isStopped(stack.status().state)) return { outcome: 'done' };
  await writeEnv(home, before);
  const left = await faultAfterRestart(stack);
  return { outcome: left === null ? 'undone' : 'not-undone', detail: fault };
};

const faultAfterRestart = async (stack: EnvStack): Promise<string | null> => {
  try {
    // A change of a shared setting restarts all components.
    await stack.restart('api');
  } catch (error) {
    if (error instanceof StartupError || error instanceof ConfigError) return error.message;
    throw error;
  }
  const failed = stack.status().components.find(({ name, state }) => name !== 'bot' && state === 'failed');
  return failed ? (failed.reason ?? `${failed.name} does not start`) : null;
};
